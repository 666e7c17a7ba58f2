import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import type { IDeploymentSpec } from 'kubernetes-models/apps/v1' with {
  'resolution-mode': 'import',
};
import { FederatedWorkload } from './federated-workload.js';
import { plainCopy } from './plain-copy.js';
import type { WorkloadProps } from './workload.js';
import { nameOf, podTemplate } from './workload.js';

export interface FederatedDeploymentProps extends WorkloadProps {
  /**
   * All replicas, over all clusters (or in each, when duplicated).
   * @default 1
   */
  readonly replicas?: number;
  /**
   * Further fields of the Deployment's spec (strategy, minReadySeconds, …).
   * @default none
   */
  readonly deployment?: Omit<Partial<IDeploymentSpec>, 'replicas' | 'selector' | 'template'>;
}

/** A Deployment with its placement: the template, the policy that claims it and its overrides. */
export class FederatedDeployment extends Construct {
  /** The Deployment. */
  readonly template: ApiObject;
  /** Its policy and overrides. */
  readonly federation: FederatedWorkload;

  constructor(scope: Construct, id: string, props: FederatedDeploymentProps) {
    super(scope, id);
    this.template = new ApiObject(this, 'Resource', {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { ...props.metadata, name: nameOf(id, props) },
      spec: specOf(nameOf(id, props), props),
    });
    this.federation = new FederatedWorkload(this, 'federation', {
      ...props,
      template: this.template,
    });
  }
}

function specOf(name: string, props: FederatedDeploymentProps): object {
  const labels = props.labels ?? { 'app.kubernetes.io/name': name };
  return {
    ...plainCopy(props.deployment ?? {}),
    replicas: props.replicas ?? 1,
    selector: { matchLabels: { ...labels } },
    template: podTemplate(props, labels),
  };
}
