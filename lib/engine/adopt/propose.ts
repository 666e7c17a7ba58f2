import type { KubeObject, ObjectRef } from '../../api/object.js';
import type { RuleWithCluster } from '../../api/override-policy.js';
import type { Placement } from '../../api/placement.js';
import { canonicalJson } from '../canonical.js';
import { compareBy, inOrder, sorted, sortedByKey } from '../compare.js';
import { refKey, refOf } from '../object.js';
import { bareObject } from './bare-object.js';
import { commonOf } from './common.js';
import { claimedByStatefulSets, whyNotAdopted, type LeftAlone } from './not-adopted.js';
import { placementOf } from './placement.js';
import { rulesFor } from './rules.js';

export interface AdoptOptions {
  /** Name of the application that takes over; policies are named after it. */
  readonly application: string;
  /** Id of its ApplySet: objects that carry it are ours already. */
  readonly setId: string;
}

export interface Skipped extends LeftAlone {
  readonly cluster: string;
  readonly resource: ObjectRef;
}

/** Documents that describe what runs. All lists are sorted. */
export interface Proposal {
  /** One per object, however many clusters have it; by resource key. */
  readonly templates: readonly KubeObject[];
  /** Where each template runs, in the order of `templates`; cluster names sorted. */
  readonly clusters: readonly (readonly string[])[];
  /** Propagation policies with `conflictResolution: Overwrite`, one per namespace and placement. */
  readonly policies: readonly KubeObject[];
  /** Override policies, one per namespace and set of differences. */
  readonly overrides: readonly KubeObject[];
  /** What is left alone, by cluster and resource key. */
  readonly skipped: readonly Skipped[];
}

/**
 * Describe live objects of several clusters as templates, policies and override policies: rendering them for a cluster
 * gives that cluster's objects again (without what {@link bareObject} drops), on no other cluster anything.
 *
 * Objects of the same kind, namespace and name are taken for one template. Input is by cluster name; lists in any order.
 */
export function proposeAdoption(
  live: Readonly<Record<string, readonly KubeObject[]>>,
  options: AdoptOptions,
): Proposal {
  const { found, skipped } = gather(live, options.setId);
  const adopted = sortedByKey(found, ([key]) => key).map(([, objects]) => adopt(objects));
  return {
    templates: adopted.map(({ template }) => template),
    clusters: adopted.map(({ placement }) => placement.clusterAffinity?.clusterNames ?? []),
    policies: policiesOf(adopted, options.application),
    overrides: overridesOf(adopted, options.application),
    skipped,
  };
}

type ByCluster = ReadonlyMap<string, KubeObject>;

function gather(
  live: Readonly<Record<string, readonly KubeObject[]>>,
  setId: string,
): { readonly found: ReadonlyMap<string, ByCluster>; readonly skipped: readonly Skipped[] } {
  const found = new Map<string, Map<string, KubeObject>>();
  const skipped: Skipped[] = [];
  for (const cluster of Object.keys(live).sort()) {
    const objects = live[cluster] ?? [];
    const isClaimed = claimedByStatefulSets(objects);
    for (const object of objects) {
      const resource = refOf(object);
      const why = whyNotAdopted(object, setId) ?? isClaimed(object);
      if (why !== undefined) {
        skipped.push({ cluster, resource, ...why });
        continue;
      }
      const byCluster = found.get(refKey(resource)) ?? new Map<string, KubeObject>();
      found.set(refKey(resource), byCluster.set(cluster, bareObject(object)));
    }
  }
  const order = inOrder<Skipped>(
    compareBy(({ cluster }) => cluster),
    compareBy(({ resource }) => refKey(resource)),
  );
  return { found, skipped: sorted(skipped, order) };
}

interface Adopted {
  readonly template: KubeObject;
  readonly placement: Placement;
  readonly rules: readonly RuleWithCluster[];
}

function adopt(live: ByCluster): Adopted {
  const { placement, objects } = placementOf(live);
  // Objects have their kind and name in common, so what they have in common is an object.
  const template = commonOf([...objects.values()]) as KubeObject;
  return { template, placement, rules: rulesFor(template, objects) };
}

const POLICY_API = 'policy.karmada.io/v1alpha1';

function policiesOf(adopted: readonly Adopted[], application: string): readonly KubeObject[] {
  return grouped(adopted, ({ placement }) => canonicalJson(placement)).flatMap((group) => {
    const [first] = group.members;
    if (first === undefined) return [];
    return [
      policy(group, application, {
        kind: 'PropagationPolicy',
        spec: {
          conflictResolution: 'Overwrite',
          placement: first.placement,
          resourceSelectors: group.members.map(({ template }) => refOf(template)),
        },
      }),
    ];
  });
}

function overridesOf(adopted: readonly Adopted[], application: string): readonly KubeObject[] {
  const different = adopted.filter(({ rules }) => rules.length > 0);
  return grouped(different, ({ rules }) => canonicalJson(rules)).flatMap((group) => {
    const [first] = group.members;
    if (first === undefined) return [];
    return [
      policy(group, application, {
        kind: 'OverridePolicy',
        spec: {
          overrideRules: first.rules,
          resourceSelectors: group.members.map(({ template }) => refOf(template)),
        },
      }),
    ];
  });
}

interface Group {
  /** Absent: cluster-scoped. */
  readonly namespace: string | undefined;
  /** Position among the groups of its namespace, from 0. */
  readonly index: number;
  readonly members: readonly Adopted[];
}

/** By namespace and equal key, in the order of the first members. */
function grouped(adopted: readonly Adopted[], keyOf: (one: Adopted) => string): readonly Group[] {
  const groups = new Map<
    string,
    { namespace: string | undefined; index: number; members: Adopted[] }
  >();
  const counts = new Map<string | undefined, number>();
  for (const one of adopted) {
    const { namespace } = one.template.metadata;
    const key = `${namespace ?? ''}\n${keyOf(one)}`;
    const known = groups.get(key);
    if (known !== undefined) {
      known.members.push(one);
      continue;
    }
    const index = counts.get(namespace) ?? 0;
    counts.set(namespace, index + 1);
    groups.set(key, { namespace, index, members: [one] });
  }
  return [...groups.values()];
}

function policy(
  { namespace, index }: Group,
  application: string,
  { kind, spec }: { readonly kind: string; readonly spec: unknown },
): KubeObject {
  return {
    apiVersion: POLICY_API,
    kind: namespace === undefined ? `Cluster${kind}` : kind,
    metadata: {
      name: index === 0 ? application : `${application}-${index + 1}`,
      ...(namespace !== undefined && { namespace }),
    },
    spec,
  };
}
