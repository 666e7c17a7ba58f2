import type {
  Keeper,
  KarmadaClusterStatus,
  KarmadaTemplateStatus,
} from '../lib/engine/karmada/index.js';
import { describePolicy } from '../lib/engine/karmada/index.js';
import { describeRef, refKey } from '../lib/engine/object.js';
import type { Plan } from '../lib/engine/plan.js';
import { printable } from './printable.js';
import { describeTemplates } from './template-lines.js';

/** Templates over their clusters as a control plane tells it: the lines of every `status`, with policy and clusters below. */
export function describeKarmadaTemplates(
  templates: readonly KarmadaTemplateStatus[],
  plan: Plan,
): readonly string[] {
  if (templates.length === 0) return ['Nothing is placed anywhere.'];
  const workloads = new Set(
    plan.bindings.flatMap(({ resource, replicas }) =>
      replicas === undefined ? [] : [refKey(resource)],
    ),
  );
  return describeTemplates(
    templates.map((template) => ({
      name: describeRef(template.resource),
      isWorkload: workloads.has(refKey(template.resource)),
      generation: template.generation,
      observed: plannedOf(template).length - template.behind.length,
      ready: template.ready
        ? plannedOf(template).length
        : plannedOf(template).filter(({ ready }) => ready).length,
      total: plannedOf(template).length,
      isOpen: !template.ready,
      details: detailsOf(template),
    })),
  );
}

const plannedOf = ({ clusters }: KarmadaTemplateStatus): readonly KarmadaClusterStatus[] =>
  clusters.filter(({ planned }) => planned);

/** Clusters that are listed one by one; of more, those that are not ready. */
const MANY = 20;

function detailsOf(template: KarmadaTemplateStatus): readonly string[] {
  const { state, generation, karmadaObservedGeneration: observed, clusters, findings } = template;
  const owner = ownerOf(template);
  if (template.ready) return [`  ${owner}${placesOf(clusters)}`];
  if (state === 'missing') return [`  ${findings.join(', ')}${plannedPlacesOf(clusters)}`];
  const own = observed === undefined ? '' : ` · Karmada: observed ${observed} of ${generation}`;
  const shown = clusters.length <= MANY ? clusters : clusters.filter(({ ready }) => !ready);
  const width = Math.max(0, ...shown.map(({ cluster }) => cluster.length));
  const others = clusters.length - shown.length;
  return [
    `  ${owner}${own}`,
    ...findings.map((finding) => `  ${printable(finding)}`),
    ...shown.map((one) => `  ${one.cluster.padEnd(width)}  ${describeCluster(one)}`),
    ...(others > 0 ? [`  ${others} more clusters are ready`] : []),
  ];
}

function ownerOf({ policy, plannedPolicy }: KarmadaTemplateStatus): string {
  if (policy !== null) return `by ${describePolicy(policy)}`;
  return plannedPolicy === null ? 'follows its workloads' : 'owned by no policy';
}

function plannedPlacesOf(clusters: readonly KarmadaClusterStatus[]): string {
  const planned = clusters.filter((one) => one.planned);
  return placesOf(
    planned.map(({ plannedReplicas, replicas: _decided, ...one }) => ({
      ...one,
      ...(plannedReplicas !== undefined && { replicas: plannedReplicas }),
    })),
  ).replace(' · ', ' · planned: ');
}

/** ` · eu-1 2, eu-2 1`: where it is well, few words are enough. */
function placesOf(clusters: readonly KarmadaClusterStatus[]): string {
  if (clusters.length === 0) return '';
  if (clusters.length > MANY) return ` · ${clusters.length} clusters`;
  const places = clusters.map(({ cluster, replicas }) =>
    replicas === undefined ? cluster : `${cluster} ${replicas}`,
  );
  return ` · ${places.join(', ')}`;
}

function describeCluster(one: KarmadaClusterStatus): string {
  const { health, suspendedBy, ready, waitingFor, appliedMessage } = one;
  const isSaid = appliedMessage !== undefined && waitingFor.includes(appliedMessage);
  const isHeldOnly = suspendedBy !== undefined && waitingFor === 'the Work is suspended';
  return [
    ...sharesOf(one),
    health,
    ...countsOf(one),
    ...(suspendedBy === undefined ? [] : [KEEPERS[suspendedBy]]),
    ...(ready || isHeldOnly ? [] : [printable(waitingFor)]),
    ...(appliedMessage === undefined || isSaid ? [] : [printable(appliedMessage)]),
  ].join(' · ');
}

const KEEPERS: Readonly<Record<Keeper, string>> = {
  rollout: 'held by the rollout',
  document: "suspended by its policy's document",
  others: 'suspended by somebody else',
};

function sharesOf({ replicas, plannedReplicas, planned }: KarmadaClusterStatus): readonly string[] {
  if (replicas === undefined && plannedReplicas === undefined) return [];
  const isAsPlanned = !planned || replicas === plannedReplicas;
  const count = `${replicas ?? 0}${isAsPlanned ? '' : ` of ${plannedReplicas ?? 0}`}`;
  return [`${count} ${count === '1' ? 'replica' : 'replicas'}`];
}

/** What the kinds count, in the order of a rollout: fields of statuses, and the words for them. */
const COUNTS: readonly (readonly [field: string, word: string])[] = [
  ['updatedReplicas', 'updated'],
  ['updatedNumberScheduled', 'updated'],
  ['readyReplicas', 'ready'],
  ['numberReady', 'ready'],
  ['availableReplicas', 'available'],
  ['numberAvailable', 'available'],
  ['active', 'active'],
  ['succeeded', 'succeeded'],
  ['failed', 'failed'],
];

function countsOf({ status, generation }: KarmadaClusterStatus): readonly string[] {
  const counts = COUNTS.flatMap(([field, word]) => {
    const count = status[field];
    return count === undefined ? [] : [`${count} ${word}`];
  });
  return [
    ...(counts.length > 0 ? [counts.join(', ')] : []),
    ...(generation === undefined ? [] : [`generation ${generation}`]),
  ];
}
