import type { TargetCluster } from '../api/resource-binding.js';
import type { Bound } from './bind.js';
import type { PlacedBinding } from './binding.js';
import type { Claim } from './claim/claim.js';
import { diagnoseUnclaimed } from './claim/diagnose-unclaimed.js';
import { compareBy, sorted } from './compare.js';
import type { Follower, FollowInput, Leader } from './dependencies/index.js';
import { findLostLeaders, findWouldFollow, followDependencies } from './dependencies/index.js';
import type { Diagnostic } from './diagnostic.js';
import { interpretDependencies } from './interpret-template.js';
import type { InterpreterFailure } from './interpreter-findings.js';
import { findInterpreterFailures } from './interpreter-findings.js';
import { refOf } from './object.js';
import type { Verdict } from './plan.js';
import type { Gates } from './schedule/index.js';
import type { Snapshot } from './snapshot.js';
import type { Versions } from './versions.js';

/** Every template that goes somewhere, for whatever reason. */
export interface Placed {
  /** Sorted by resource key. */
  readonly bindings: readonly PlacedBinding[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Send dependencies along with what needs them; a template that a policy placed too goes to both sets of clusters. */
export function follow(
  snapshot: Snapshot,
  assigned: readonly PlacedBinding[],
  { unclaimed, unread }: Pick<Bound, 'unclaimed' | 'unread'>,
  versions: Versions,
  gates: Gates,
): Placed {
  const failures: InterpreterFailure[] = [];
  const input: FollowInput = {
    templates: snapshot.templates,
    leaders: assigned.flatMap(leaderOf),
    references: ({ object }) => {
      const references = interpretDependencies(object, snapshot.tools.interpreters);
      if (references.ok) return references.value;
      const { message, rule } = references;
      if (rule !== undefined) failures.push({ resource: refOf(object), message, rule });
      return [];
    },
    profile: snapshot.options.profile,
    gates,
  };
  const { followers, diagnostics } = followDependencies(input);
  const failed = findInterpreterFailures(failures);
  const untold = failures.map(({ resource }) => resource);
  const unplaced = [
    ...input.leaders.filter(({ clusters }) => clusters.length === 0),
    ...unread.flatMap((claim) => leaderOf({ ...claim, clusters: [] })),
  ];
  const byKey = new Map(followers.map((f) => [f.key, f]));
  const own = assigned.map((binding) => withFollowed(binding, byKey.get(binding.key)));
  const shadowed = new Map(unclaimed.map((claim) => [claim.key, claim.shadowed]));
  const owned = new Set(assigned.map((binding) => binding.key));
  const others = followers
    .filter((f) => !owned.has(f.key))
    .map((f) => followingBinding(snapshot, f, shadowed, versions));
  return {
    bindings: sorted(
      [...own, ...others],
      compareBy((b) => b.key),
    ),
    diagnostics: [
      ...diagnostics,
      ...failed,
      ...diagnoseUnclaimed(unclaimed, (key) => byKey.has(key), snapshot.policies, {
        wouldFollow: () => findWouldFollow(input),
        lostLeaders: () => findLostLeaders(input, { unplaced, untold }),
      }),
    ],
  };
}

function leaderOf({
  key,
  resource,
  template,
  policyDocument,
  clusters,
}: Pick<Claim, 'key' | 'resource' | 'template' | 'policyDocument'> &
  Pick<PlacedBinding, 'clusters'>): readonly Leader[] {
  return policyDocument === undefined
    ? []
    : [{ key, resource, template, policyDocument, clusters }];
}

/** Clusters that need it beside those its own policy chose. */
function withFollowed(binding: PlacedBinding, follower: Follower | undefined): PlacedBinding {
  if (follower === undefined) return binding;
  const own = new Set(binding.clusters.map((c) => c.name));
  const followed = follower.clusters.filter((name) => !own.has(name));
  if (followed.length === 0) return { ...binding, follows: follower.follows };
  const clusters: TargetCluster[] = [...binding.clusters, ...followed.map((name) => ({ name }))];
  return {
    ...binding,
    follows: follower.follows,
    followed,
    clusters: sorted(
      clusters,
      compareBy((c) => c.name),
    ),
    verdicts: () =>
      binding
        .verdicts()
        .map((v) => (followed.includes(v.cluster) ? followVerdict(v.cluster, follower) : v)),
  };
}

function followingBinding(
  snapshot: Snapshot,
  follower: Follower,
  shadowed: ReadonlyMap<string, PlacedBinding['shadowed']>,
  versions: Versions,
): PlacedBinding {
  const { key, resource, template, clusters, follows } = follower;
  const version = versions.get(key);
  if (version === undefined) throw new TypeError(`template ${key} has no version`);
  const locked = snapshot.locked.get(key);
  const chosen = new Set(clusters);
  const names = snapshot.clusters.map((c) => c.metadata.name ?? '');
  return {
    key,
    resource,
    template,
    policy: null,
    shadowed: shadowed.get(key) ?? [],
    why: 'no policy claims it; it follows others',
    follows,
    followed: clusters,
    conflictResolution: follower.conflictResolution,
    preserveResourcesOnDeletion: follower.preserveResourcesOnDeletion,
    clusters: clusters.map((name) => ({ name })),
    decision: { kind: 'follows', reason: follows.map((f) => f.reason).join(', ') },
    verdicts: () => [
      ...clusters.map((cluster) => followVerdict(cluster, follower)),
      ...names
        .filter((name) => !chosen.has(name))
        .map((cluster) => ({
          cluster,
          chosen: false,
          code: 'NotFollowed',
          message: 'nothing that needs it is placed here',
        })),
    ],
    version,
    ...(locked !== undefined && { locked }),
  };
}

function followVerdict(cluster: string, { follows }: Follower): Verdict {
  return {
    cluster,
    chosen: true,
    code: 'Follows',
    message: `follows ${follows.map((f) => f.resource.kind + ' ' + f.resource.name).join(', ')}`,
  };
}
