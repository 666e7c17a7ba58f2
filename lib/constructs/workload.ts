import type { ApiObjectMetadata } from 'cdk8s';
import type { IContainer, IPodSpec } from 'kubernetes-models/v1' with {
  'resolution-mode': 'import',
};
import type { FederationProps } from './federated-workload.js';

/** What workloads with a pod template take. */
export interface WorkloadProps extends FederationProps {
  /** Containers of the pod. */
  readonly containers: readonly IContainer[];
  /**
   * Metadata of the workload itself.
   * @default a name derived from the construct path
   */
  readonly metadata?: ApiObjectMetadata;
  /**
   * Labels of the pods, also the selector.
   * @default `app.kubernetes.io/name: <name of the workload>`
   */
  readonly labels?: Readonly<Record<string, string>>;
  /**
   * Annotations of the pods.
   * @default none
   */
  readonly podAnnotations?: Readonly<Record<string, string>>;
  /**
   * Further fields of the pod spec (volumes, tolerations, …).
   * @default none
   */
  readonly pod?: Omit<Partial<IPodSpec>, 'containers'>;
}

/** A pod template from workload props; plain data. */
export function podTemplate(
  props: Pick<WorkloadProps, 'containers' | 'pod' | 'podAnnotations'>,
  labels: Readonly<Record<string, string>>,
): object {
  return {
    metadata: {
      labels: { ...labels },
      ...(props.podAnnotations !== undefined && { annotations: { ...props.podAnnotations } }),
    },
    spec: {
      ...structuredClone(props.pod ?? {}),
      containers: structuredClone([...props.containers]),
    },
  };
}
