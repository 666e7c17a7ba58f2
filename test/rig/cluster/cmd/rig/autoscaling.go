package main

import (
	"context"
	"errors"
	"time"

	autoscaling "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	apimeta "k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	corelisters "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/scale"
	"k8s.io/kubernetes/pkg/controller/disruption"
	"k8s.io/kubernetes/pkg/controller/podautoscaler"
	"k8s.io/kubernetes/pkg/controller/podautoscaler/metrics"
)

// Pod annotations that stand for what a metrics server would measure: quantities, e.g. 450m and 300Mi.
const (
	cpuUsage    = "rig/cpu-usage"
	memoryUsage = "rig/memory-usage"
)

// The autoscaler's own periods are minutes; a test does not wait for them.
const (
	hpaSync      = time.Second
	hpaStabilize = 3 * time.Second
)

// startScaling runs the autoscaler and the disruption controller, which both work through the scale subresource.
// The functions it returns start them, once the informers run.
func startScaling(ctx context.Context, cfg *rest.Config, client kubernetes.Interface, f informers.SharedInformerFactory, mapper apimeta.RESTMapper) ([]func(), error) {
	resolver := scale.NewDiscoveryScaleKindResolver(client.Discovery())
	scales, err := scale.NewForConfig(cfg, mapper, dynamic.LegacyAPIPathResolverFunc, resolver)
	if err != nil {
		return nil, err
	}
	core, apps := f.Core().V1(), f.Apps().V1()
	usage := &annotatedUsage{pods: core.Pods().Lister()}
	hpa := podautoscaler.NewHorizontalController(ctx, client.CoreV1(), scales, client.AutoscalingV2(), mapper, usage,
		f.Autoscaling().V2().HorizontalPodAutoscalers(), core.Pods(), hpaSync, hpaStabilize, 0.1, 0, 0)
	budgets := disruption.NewDisruptionController(ctx, core.Pods(), f.Policy().V1().PodDisruptionBudgets(), core.ReplicationControllers(),
		apps.ReplicaSets(), apps.Deployments(), apps.StatefulSets(), client, mapper, scales, client.Discovery())
	return []func(){func() { hpa.Run(ctx, 2) }, func() { budgets.Run(ctx) }}, nil
}

// annotatedUsage is a metrics server that believes what pods say about themselves.
type annotatedUsage struct{ pods corelisters.PodLister }

func (u *annotatedUsage) GetResourceMetric(_ context.Context, name corev1.ResourceName, namespace string, selector labels.Selector, _ string) (metrics.PodMetricsInfo, time.Time, error) {
	pods, err := u.pods.Pods(namespace).List(selector)
	if err != nil {
		return nil, time.Time{}, err
	}
	annotation := map[corev1.ResourceName]string{corev1.ResourceCPU: cpuUsage, corev1.ResourceMemory: memoryUsage}[name]
	now, info := time.Now(), metrics.PodMetricsInfo{}
	for _, p := range pods {
		q, err := resource.ParseQuantity(p.Annotations[annotation])
		if err != nil {
			continue // not annotated: not measured
		}
		info[p.Name] = metrics.PodMetric{Timestamp: now, Window: time.Second, Value: q.MilliValue()}
	}
	if len(info) == 0 {
		return nil, time.Time{}, errors.New("no metrics: annotate the pods with " + annotation)
	}
	return info, now, nil
}

var errNoMetrics = errors.New("the rig measures cpu and memory only")

func (u *annotatedUsage) GetRawMetric(string, string, labels.Selector, labels.Selector) (metrics.PodMetricsInfo, time.Time, error) {
	return nil, time.Time{}, errNoMetrics
}

func (u *annotatedUsage) GetObjectMetric(string, string, *autoscaling.CrossVersionObjectReference, labels.Selector) (int64, time.Time, error) {
	return 0, time.Time{}, errNoMetrics
}

func (u *annotatedUsage) GetExternalMetric(string, string, labels.Selector) ([]int64, time.Time, error) {
	return nil, time.Time{}, errNoMetrics
}
