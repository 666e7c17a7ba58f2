import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import type { IJobSpec } from 'kubernetes-models/batch/v1' with { 'resolution-mode': 'import' };
import { FederatedWorkload } from './federated-workload.js';
import { plainCopy } from './plain-copy.js';
import type { WorkloadProps } from './workload.js';
import { nameOf, podTemplate } from './workload.js';

export interface FederatedJobProps extends WorkloadProps {
  /**
   * Pods at work at the same time, over all clusters when divided.
   * @default 1
   */
  readonly parallelism?: number;
  /**
   * Pods that must succeed; divided like `parallelism`.
   * @default absent: a work queue
   */
  readonly completions?: number;
  /**
   * Further fields of the Job's spec (backoffLimit, …).
   * @default none
   */
  readonly job?: Omit<Partial<IJobSpec>, 'parallelism' | 'completions' | 'template'>;
}

/** A Job with its placement: the template, the policy that claims it and its overrides. */
export class FederatedJob extends Construct {
  /** The Job. */
  readonly template: ApiObject;
  /** Its policy and overrides. */
  readonly federation: FederatedWorkload;

  constructor(scope: Construct, id: string, props: FederatedJobProps) {
    super(scope, id);
    this.template = new ApiObject(this, 'Resource', {
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { ...props.metadata, name: nameOf(id, props) },
      spec: specOf(nameOf(id, props), props),
    });
    this.federation = new FederatedWorkload(this, 'federation', {
      ...props,
      template: this.template,
    });
  }
}

function specOf(name: string, props: FederatedJobProps): object {
  const labels = props.labels ?? { 'app.kubernetes.io/name': name };
  const pod = { restartPolicy: 'Never' as const, ...props.pod };
  return {
    ...plainCopy(props.job ?? {}),
    parallelism: props.parallelism ?? 1,
    ...(props.completions !== undefined && { completions: props.completions }),
    template: podTemplate({ ...props, pod }, labels),
  };
}
