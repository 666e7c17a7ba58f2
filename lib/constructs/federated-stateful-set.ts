import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import type { IStatefulSetSpec } from 'kubernetes-models/apps/v1' with {
  'resolution-mode': 'import',
};
import { FederatedWorkload } from './federated-workload.js';
import { plainCopy } from './plain-copy.js';
import type { WorkloadProps } from './workload.js';
import { nameOf, podTemplate } from './workload.js';

export interface FederatedStatefulSetProps extends WorkloadProps {
  /**
   * All replicas, over all clusters (or in each, when duplicated).
   * @default 1
   */
  readonly replicas?: number;
  /**
   * The headless Service that names the pods.
   * @default the name of the StatefulSet
   */
  readonly serviceName?: string;
  /**
   * Further fields of the StatefulSet's spec (volumeClaimTemplates, podManagementPolicy, …).
   * @default none
   */
  readonly statefulSet?: Omit<
    Partial<IStatefulSetSpec>,
    'replicas' | 'selector' | 'serviceName' | 'template'
  >;
}

/** A StatefulSet with its placement: the template, the policy that claims it and its overrides. */
export class FederatedStatefulSet extends Construct {
  /** The StatefulSet. */
  readonly template: ApiObject;
  /** Its policy and overrides. */
  readonly federation: FederatedWorkload;

  constructor(scope: Construct, id: string, props: FederatedStatefulSetProps) {
    super(scope, id);
    this.template = new ApiObject(this, 'Resource', {
      apiVersion: 'apps/v1',
      kind: 'StatefulSet',
      metadata: { ...props.metadata, name: nameOf(id, props) },
      spec: specOf(nameOf(id, props), props),
    });
    this.federation = new FederatedWorkload(this, 'federation', {
      ...props,
      template: this.template,
    });
  }
}

function specOf(name: string, props: FederatedStatefulSetProps): object {
  const labels = props.labels ?? { 'app.kubernetes.io/name': name };
  return {
    ...plainCopy(props.statefulSet ?? {}),
    replicas: props.replicas ?? 1,
    serviceName: props.serviceName ?? name,
    selector: { matchLabels: { ...labels } },
    template: podTemplate(props, labels),
  };
}
