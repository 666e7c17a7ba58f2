import type { FleetLock } from '../../../lib/api/fleet-lock.js';
import type { KubeObject } from '../../../lib/api/object.js';
import {
  claimTemplates,
  type Claim,
  type ClaimInput,
  type Claims,
} from '../../../lib/engine/claim/claim.js';
import type { PolicyRef } from '../../../lib/engine/plan.js';
import { refOf } from '../../../lib/engine/object.js';

type Metadata = KubeObject['metadata'];

/** A Deployment `shop/web` with label `tier=gold`. */
export function aDeployment(metadata: Metadata = {}): KubeObject {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace: 'shop', labels: { tier: 'gold' }, ...metadata },
  };
}

/** A PropagationPolicy in namespace `shop` that selects all Deployments there. */
export function aPolicy(name: string, spec: object = {}, metadata: Metadata = {}): KubeObject {
  return {
    apiVersion: 'policy.karmada.io/v1alpha1',
    kind: 'PropagationPolicy',
    metadata: { name, namespace: 'shop', ...metadata },
    spec: { resourceSelectors: [selectAll], ...spec },
  };
}

/** A ClusterPropagationPolicy that selects all Deployments. */
export function aClusterPolicy(
  name: string,
  spec: object = {},
  metadata: Metadata = {},
): KubeObject {
  return {
    apiVersion: 'policy.karmada.io/v1alpha1',
    kind: 'ClusterPropagationPolicy',
    metadata: { name, ...metadata },
    spec: { resourceSelectors: [selectAll], ...spec },
  };
}

export const selectAll = { apiVersion: 'apps/v1', kind: 'Deployment' };
export const selectByName = { ...selectAll, namespace: 'shop', name: 'web' };
export const selectByLabel = { ...selectAll, labelSelector: { matchLabels: { tier: 'gold' } } };

/** Selectors under the key that a policy's spec has for them. */
export function selecting(...resourceSelectors: object[]): { resourceSelectors: object[] } {
  return { resourceSelectors };
}

/** A lock in which a policy has placed Deployment `shop/web` on `eu-1`. */
export function aLock(policy: PolicyRef | null, more: object = {}): FleetLock {
  return {
    apiVersion: 'fleetwright.dev/v1alpha1',
    kind: 'FleetLock',
    metadata: { name: 'shop' },
    serial: 1,
    tombstones: [],
    bindings:
      policy === null
        ? []
        : [
            {
              resource: refOf(aDeployment()),
              policy,
              generation: 1,
              template: 'hash',
              seed: 'seed',
              decidedAt: '2026-01-01T00:00:00Z',
              clusters: { 'eu-1': 3 },
              render: {},
              ...more,
            },
          ],
  };
}

export const namespaced = (name: string): PolicyRef => ({
  kind: 'PropagationPolicy',
  namespace: 'shop',
  name,
});
export const clusterWide = (name: string): PolicyRef => ({
  kind: 'ClusterPropagationPolicy',
  name,
});

/** Options of a plan over templates and policies; templates count as changed unless told otherwise. */
export interface Scene extends Partial<Omit<ClaimInput, 'templates' | 'policies' | 'overrides'>> {
  readonly templates?: readonly KubeObject[];
  readonly policies: readonly KubeObject[];
  readonly overrides?: readonly KubeObject[];
}

export function claimsOf(scene: Scene): Claims {
  const { templates = [aDeployment()], policies, overrides = [], ...rest } = scene;
  return claimTemplates({
    lock: aLock(null),
    isUnchanged: () => false,
    gates: { PriorityBasedScheduling: true, PropagationPolicyPreemption: true },
    profile: 'default',
    ...rest,
    templates: templates.map((object) => ({ object })),
    policies: policies.map((object) => ({
      object,
      source: { file: `${object.metadata.name}.yaml` },
    })),
    overrides: overrides.map((object) => ({ object })),
  });
}

/** The claim on the only template. */
export function claimOf(scene: Scene): Claim {
  const [claim, ...more] = claimsOf(scene).claims;
  if (claim === undefined || more.length > 0) throw new Error('the scene has several templates');
  return claim;
}

/** Recursively frozen, so that writing to an input throws. */
export function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(frozen);
  }
  return value;
}
