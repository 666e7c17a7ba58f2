import type { ApiObjectMetadata } from 'cdk8s';
import type { IContainer, IPodSpec } from 'kubernetes-models/v1' with {
  'resolution-mode': 'import',
};
import type { FederationProps } from './federated-workload.js';
import { plainCopy } from './plain-copy.js';

/** What workloads with a pod template take. */
export interface WorkloadProps extends FederationProps {
  /** Containers of the pod. */
  readonly containers: readonly IContainer[];
  /**
   * Metadata of the workload itself. The name must be the same on every cluster, so it never contains a hash of the path.
   * @default named like the construct's id
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

/** The name given, else the construct's id. */
export function nameOf(id: string, { metadata }: Pick<WorkloadProps, 'metadata'>): string {
  return metadata?.name ?? id;
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
      ...plainCopy(props.pod ?? {}),
      containers: plainCopy([...props.containers]),
    },
  };
}
