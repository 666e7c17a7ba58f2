import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { FederatedDeployment, FederatedWorkload, ReplicaScheduling } from 'fleetwright/constructs';

/** What a team writes; everything else is the platform's choice. */
export interface WebServiceProps {
  readonly image: string;
  /** Over all regions together. */
  readonly replicas: number;
  /** Regions it must be in; at least one. */
  readonly regions: readonly string[];
}

/** A company's idea of a web service, as a library would publish it: placement is decided once, here. */
export class WebService extends Construct {
  readonly deployment: FederatedDeployment;

  constructor(scope: Construct, id: string, props: WebServiceProps) {
    super(scope, id);
    const clusterAffinity = {
      labelSelector: { matchLabels: { tier: 'prod' } },
      fieldSelector: {
        matchExpressions: [{ key: 'region', operator: 'In', values: [...props.regions] }],
      },
    } as const;
    this.deployment = new FederatedDeployment(this, 'web', {
      metadata: { name: id },
      replicas: props.replicas,
      containers: [{ name: 'web', image: props.image, ports: [{ containerPort: 8080 }] }],
      placement: { clusterAffinity, replicaScheduling: ReplicaScheduling.dividedEvenly() },
    });
    const service = new ApiObject(this, 'service', {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: id },
      spec: {
        selector: { 'app.kubernetes.io/name': id },
        ports: [{ port: 80, targetPort: 8080 }],
      },
    });
    new FederatedWorkload(this, 'service-placement', {
      template: service,
      placement: { clusterAffinity },
    });
  }
}
