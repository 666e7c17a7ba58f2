import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import type { Placement } from '../api/placement.js';
import type { PropagationSpec } from '../api/propagation-policy.js';
import type { RuleWithCluster } from '../api/override-policy.js';
import type { ContainerOverride } from '../engine/override/index.js';
import { CONTAINER_OVERRIDES } from '../engine/override/index.js';
import { isClusterScoped } from '../engine/snapshot.js';
import { AUTOSCALER_HINT } from '../engine/split-autoscalers.js';
import { ClusterOverridePolicy } from './cluster-override-policy.js';
import { ClusterPropagationPolicy } from './cluster-propagation-policy.js';
import { OverridePolicy } from './override-policy.js';
import { PropagationPolicy } from './propagation-policy.js';

/** What every federated construct takes: where the template goes, and how it differs there. */
export interface FederationProps {
  /** Which clusters, and how replicas are divided. */
  readonly placement: Placement;
  /**
   * Edits for some of the clusters.
   * @default the same everywhere
   */
  readonly overrides?: readonly RuleWithCluster[];
  /**
   * Edits of containers found by name: environment, patches. Not for Karmada control planes, which ignore them.
   * @default the same everywhere
   */
  readonly containerOverrides?: readonly ContainerOverride[];
  /**
   * Whether ConfigMaps, Secrets and other objects that the template refers to follow it.
   * @default true
   */
  readonly propagateDeps?: boolean;
  /**
   * Further fields of the policy's `spec` (priority, conflictResolution, failover, …).
   * @default Karmada's defaults
   */
  readonly policy?: Omit<
    Partial<PropagationSpec>,
    'placement' | 'resourceSelectors' | 'propagateDeps'
  >;
  /**
   * How the bounds of a HorizontalPodAutoscaler that scales the template become those of each cluster, where its replicas
   * are divided: `split` both, `split-min` the minimum alone, `keep` both as they are.
   * @default as they are, with a warning
   */
  readonly autoscaler?: 'split' | 'split-min' | 'keep';
  /**
   * Annotations of the policy, for hints under `fleetwright.dev/`.
   * @default none
   */
  readonly policyAnnotations?: Readonly<Record<string, string>>;
}

export interface FederatedWorkloadProps extends FederationProps {
  /** Any ApiObject (also an included YAML object), or a construct that wraps exactly one, as cdk8s-plus' do. */
  readonly template: Construct;
  /**
   * Whether the template has no namespace, so that a ClusterPropagationPolicy must claim it.
   * @default as Kubernetes has it for its own kinds; custom kinds count as namespaced
   */
  readonly isClusterScoped?: boolean;
}

/** Places a template that exists already: its policy selects it by name, and its overrides likewise. */
export class FederatedWorkload extends Construct {
  /** The template that is placed. */
  readonly template: ApiObject;
  /** The policy that claims it. */
  readonly policy: PropagationPolicy | ClusterPropagationPolicy;

  constructor(scope: Construct, id: string, props: FederatedWorkloadProps) {
    super(scope, id);
    this.template = apiObjectOf(props.template, this.node.path);
    const { apiVersion, kind, name, metadata } = this.template;
    const namespace = metadata.namespace ?? this.template.chart.namespace;
    const selector = { apiVersion, kind, name, ...(namespace !== undefined && { namespace }) };
    const clusterScoped = props.isClusterScoped ?? isClusterScoped({ apiVersion, kind });
    const annotations = {
      ...props.policyAnnotations,
      ...(props.autoscaler !== undefined && { [AUTOSCALER_HINT]: props.autoscaler }),
    };
    const common = {
      metadata: {
        name: policyName(kind, name),
        ...(!clusterScoped && namespace !== undefined && { namespace }),
        ...(Object.keys(annotations).length > 0 && { annotations }),
      },
      spec: {
        ...props.policy,
        propagateDeps: props.propagateDeps ?? true,
        placement: props.placement,
        resourceSelectors: [selector],
      },
    };
    this.policy = clusterScoped
      ? new ClusterPropagationPolicy(this, 'policy', common)
      : new PropagationPolicy(this, 'policy', common);
    const { overrides: rules = [], containerOverrides = [] } = props;
    if (rules.length + containerOverrides.length > 0) {
      const overrides = {
        metadata: {
          name: policyName(kind, name),
          ...(!clusterScoped && namespace !== undefined && { namespace }),
          ...(containerOverrides.length > 0 && {
            annotations: { [CONTAINER_OVERRIDES]: JSON.stringify(containerOverrides) },
          }),
        },
        spec: { resourceSelectors: [selector], overrideRules: [...rules] },
      };
      if (clusterScoped) new ClusterOverridePolicy(this, 'overrides', overrides);
      else new OverridePolicy(this, 'overrides', overrides);
    }
  }
}

/** Policies of two kinds with one name must not collide. */
function policyName(kind: string, name: string): string {
  return `${name}-${kind.toLowerCase()}`;
}

/** Symbol check, not `instanceof`: it survives two copies of cdk8s. */
function apiObjectOf(template: Construct, path: string): ApiObject {
  if (ApiObject.isApiObject(template)) return template;
  const inside = template.node.findAll().filter((c): c is ApiObject => ApiObject.isApiObject(c));
  const [only] = inside;
  if (only === undefined || inside.length > 1) {
    throw new Error(
      `${path}: template "${template.node.path}" holds ${inside.length} Kubernetes objects; exactly one is needed`,
    );
  }
  return only;
}
