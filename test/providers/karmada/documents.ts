import type { KubeObject } from '../../../lib/api/object.js';
import { refOf } from '../../../lib/engine/object.js';
import type { Plan, PlannedBinding, PlannedWave, PolicyRef } from '../../../lib/engine/plan.js';
import { aPlan, aWave } from '../rollout/releases.js';

export type Shares = Readonly<Record<string, number>>;

/** Six replicas as in the recordings. */
export const SHARES: Shares = { member1: 1, member2: 2, member3: 3 };

export function aPolicy(
  weights: Shares = SHARES,
  facts: { name?: string; suspension?: object; selectors?: readonly object[]; spec?: object } = {},
): KubeObject {
  const { name = 'web', suspension, selectors } = facts;
  return {
    apiVersion: 'policy.karmada.io/v1alpha1',
    kind: 'PropagationPolicy',
    metadata: { name, namespace: 'shop' },
    spec: {
      resourceSelectors: selectors ?? [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }],
      placement: {
        clusterAffinity: { clusterNames: Object.keys(weights) },
        replicaScheduling: {
          replicaSchedulingType: 'Divided',
          replicaDivisionPreference: 'Weighted',
          weightPreference: {
            staticWeightList: Object.entries(weights).map(([cluster, weight]) => ({
              targetCluster: { clusterNames: [cluster] },
              weight,
            })),
          },
        },
      },
      ...(suspension !== undefined && { suspension }),
      ...facts.spec,
    },
  };
}

export function aDeployment(image: string, replicas = 6, name = 'web'): KubeObject {
  const labels = { app: name };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace: 'shop' },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'web', image }] } },
    },
  };
}

/** A Deployment that takes its environment from a ConfigMap. */
export function withEnvironment(deployment: KubeObject, configMap: string): KubeObject {
  const text = JSON.stringify(deployment).replace(
    '"name":"web","image"',
    `"envFrom":[{"configMapRef":{"name":"${configMap}"}}],"name":"web","image"`,
  );
  return JSON.parse(text) as KubeObject;
}

export function aConfigMap(level: string, name = 'settings'): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace: 'shop' },
    data: { level },
  };
}

export interface PlanFacts {
  readonly shares?: Shares;
  readonly waves?: readonly PlannedWave[];
}

/** Waves from the largest cluster to the smallest, one each, as in the recordings. */
export const WAVES: readonly PlannedWave[] = ['member3', 'member2', 'member1'].map((cluster) =>
  aWave(cluster, [cluster], { deadlineSeconds: 20 }),
);

/** What the planner would say of documents with one policy: every template of it, divided like `shares`. */
export function aKarmadaPlan(documents: readonly KubeObject[], facts: PlanFacts = {}): Plan {
  const { shares = SHARES, waves = WAVES } = facts;
  const policy = documents.find(({ kind }) => kind === 'PropagationPolicy');
  const ref: PolicyRef = {
    kind: 'PropagationPolicy',
    namespace: 'shop',
    name: policy?.metadata.name ?? '',
  };
  const bindings = documents
    .filter(({ kind }) => kind === 'Deployment' || kind === 'ConfigMap')
    .map((template) => aBinding(template, ref, shares));
  return { ...aPlan(waves, []), bindings };
}

function aBinding(template: KubeObject, policy: PolicyRef, shares: Shares): PlannedBinding {
  const isWorkload = template.kind === 'Deployment';
  return {
    resource: refOf(template),
    policy,
    shadowed: [],
    claim: '',
    follows: [],
    ...(isWorkload && { replicas: Object.values(shares).reduce((sum, n) => sum + n, 0) }),
    strategy: '',
    generation: 1,
    revision: '',
    decision: { kind: 'scheduled', reason: '' },
    assignments: Object.entries(shares).map(([cluster, replicas]) => ({
      cluster,
      wave: cluster,
      ...(isWorkload && { replicas }),
    })),
    left: [],
    verdicts: [],
  };
}

/** The same plan as a planner would make it for a ConfigMap that no policy selects and every Deployment needs. */
export function followingConfigMap(plan: Plan): Plan {
  const isConfigMap = ({ resource }: PlannedBinding): boolean => resource.kind === 'ConfigMap';
  const leaders = plan.bindings.filter((binding) => !isConfigMap(binding));
  return {
    ...plan,
    bindings: plan.bindings.map((binding) =>
      isConfigMap(binding)
        ? {
            ...binding,
            policy: null,
            follows: leaders.map(({ resource }) => ({ resource, reason: 'envFrom' })),
          }
        : binding,
    ),
    changes: plan.bindings.filter(isConfigMap).map(({ resource }) => ({
      cluster: 'member1',
      resource,
      action: 'update',
      class: 'template',
      wave: 'member1',
    })),
  };
}
