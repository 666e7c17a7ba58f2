/** The example application of the templates: a web front end with its settings, placed and rolled out in two waves. */

export const SHOP = `# Templates: plain Kubernetes objects, as if there were one cluster.
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  namespace: shop
spec:
  replicas: 6
  selector:
    matchLabels:
      app: web
  template:
    metadata:
      labels:
        app: web
    spec:
      containers:
      - name: web
        image: nginx:1.29
        envFrom:
        - configMapRef:
            name: web-env
        resources:
          requests:
            cpu: 250m
            memory: 128Mi
---
apiVersion: v1
kind: Service
metadata:
  name: web
  namespace: shop
spec:
  selector:
    app: web
  ports:
  - port: 80
---
# Follows the Deployment that refers to it: no policy needed.
apiVersion: v1
kind: ConfigMap
metadata:
  name: web-env
  namespace: shop
data:
  GREETING: hello
`;

export const POLICIES = `# Where it runs: at least two regions, replicas divided by free capacity.
apiVersion: policy.karmada.io/v1alpha1
kind: PropagationPolicy
metadata:
  name: web
  namespace: shop
spec:
  propagateDeps: true
  resourceSelectors:
  - apiVersion: apps/v1
    kind: Deployment
    name: web
  - apiVersion: v1
    kind: Service
    name: web
  placement:
    clusterAffinity:
      labelSelector:
        matchLabels:
          tier: prod
    spreadConstraints:
    - spreadByField: region
      minGroups: 2
      maxGroups: 3
    - spreadByField: cluster
      minGroups: 2
      maxGroups: 4
    replicaScheduling:
      replicaSchedulingType: Divided
      replicaDivisionPreference: Weighted
      weightPreference:
        dynamicWeight: AvailableReplicas
---
# What differs by cluster: images come from a mirror in Asia.
apiVersion: policy.karmada.io/v1alpha1
kind: OverridePolicy
metadata:
  name: mirror
  namespace: shop
spec:
  resourceSelectors:
  - apiVersion: apps/v1
    kind: Deployment
    name: web
  overrideRules:
  - targetCluster:
      clusterNames:
      - ap-1
    overriders:
      imageOverrider:
      - component: Registry
        operator: replace
        value: mirror.example.com
`;

export const ROLLOUT = `# In which order: one cluster first, the others when it has observed the change and is healthy.
apiVersion: fleetwright.dev/v1alpha1
kind: Rollout
metadata:
  name: shop
  namespace: shop
spec:
  waves:
  - name: canary
    clusterAffinity:
      clusterNames:
      - eu-1
    soak: 5s
  - name: rest
    maxConcurrent: 2
`;

export const IGNORED = `/sandbox.kubeconfig
/sandbox.fleet.yaml
/.fleetwright/sandbox.json
/.fleetwright/sandbox.pid
`;
