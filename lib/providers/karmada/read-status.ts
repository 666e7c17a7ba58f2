import type { KubeObject, ObjectRef } from '../../api/object.js';
import { fieldAt } from '../../engine/interpret/field.js';
import {
  karmadaStatus,
  policyKey,
  type DocumentStatus,
  type KarmadaStatus,
  type Leftover,
  type TemplateFacts,
} from '../../engine/karmada/index.js';
import { refKey, refOf } from '../../engine/object.js';
import type { Plan, PlannedBinding } from '../../engine/plan.js';
import { entriesOf, FIELD_MANAGERS } from '../../engine/rollout/ownership.js';
import { ProviderError, type ClusterClient } from '../cluster/client.js';
import { inParallel } from '../rollout/pool.js';
import { changeOf, type KarmadaChange } from './change.js';
import type { KarmadaDocuments } from './documents.js';
import { sharesOf, type Placed } from './goals.js';
import { Mirror } from './mirror.js';
import { removalsOf } from './remove-templates.js';
import { withoutSuspension, wouldChange } from './writes.js';

/**
 * How an application does on a control plane. Writes nothing: documents are compared by server-side dry runs, as `up` compares
 * them, so that defaults and the server's spelling of values are no differences. Members are not asked.
 *
 * `documents` are the user's, as planned from.
 * @throws {@link ProviderError} when the control plane cannot be read. A document that alone cannot is `unknown`.
 */
export async function readKarmadaStatus(
  plan: Plan,
  documents: readonly KubeObject[],
  client: ClusterClient,
  { concurrency = 16 }: { readonly concurrency?: number } = {},
): Promise<KarmadaStatus> {
  const mirror = new Mirror(client);
  await mirror.readOnce();
  const change = await changeOf(plan, documents, client);
  const compared = await inParallel(targetsOf(change.documents), concurrency, (object) =>
    compare(client, object),
  );
  const templates = templatesOf(plan, change, compared);
  return karmadaStatus({
    waves: plan.waves,
    rollout: change.rollout,
    templates,
    documents: compared.map(({ status }) => status),
    plane: mirror.view([...change.placed, ...templates.map(({ resource }) => ({ resource }))]),
    leftovers: await leftoversOf(plan, change, mirror, client, concurrency),
  });
}

interface Compared {
  readonly status: DocumentStatus;
  readonly live?: KubeObject;
}

function targetsOf(documents: KarmadaDocuments): readonly KubeObject[] {
  const { policies, ...others } = documents;
  return [...policies.map(withoutSuspension), ...Object.values(others).flat()];
}

async function compare(client: ClusterClient, object: KubeObject): Promise<Compared> {
  const resource = refOf(object);
  try {
    const { live, changes } = await wouldChange(client, object, true);
    const state = live === undefined ? 'missing' : changes ? 'differs' : 'same';
    return { status: { resource, state }, ...(live !== undefined && { live }) };
  } catch (error) {
    if (!ProviderError.is(error)) throw error;
    const { failure, message: reason } = error;
    // Its definition is among the documents, and not there either.
    if (failure === 'notServed') return { status: { resource, state: 'missing', reason } };
    if (failure !== 'forbidden' && failure !== 'invalid') throw error;
    const state = failure === 'invalid' ? 'differs' : 'unknown';
    return { status: { resource, state, reason }, ...(await readable(client, resource)) };
  }
}

/** Who may not ask for a dry run may still read. */
async function readable(
  client: ClusterClient,
  resource: ObjectRef,
): Promise<{ live?: KubeObject }> {
  try {
    const live = await client.get(resource);
    return live === undefined ? {} : { live };
  } catch (error) {
    if (ProviderError.is(error) && error.failure === 'forbidden') return {};
    throw error;
  }
}

/** What a policy places, held dependencies among it, and what follows that. */
function templatesOf(
  plan: Plan,
  { placed }: KarmadaChange,
  compared: readonly Compared[],
): readonly TemplateFacts[] {
  const byKey = new Map(compared.map((one) => [refKey(one.status.resource), one]));
  const known = new Set(placed.map(({ resource }) => refKey(resource)));
  const following = plan.bindings.filter(
    ({ policy, resource, assignments }) =>
      policy === null && assignments.length > 0 && !known.has(refKey(resource)),
  );
  return [...placed, ...following].flatMap((binding: PlannedBinding | Placed): TemplateFacts[] => {
    const { resource, policy } = binding;
    const { status, live } = byKey.get(refKey(resource)) ?? {};
    // Namespaces follow what is in them: Karmada creates them by itself, without a binding.
    if (policy === null && resource.kind === 'Namespace') return [];
    const observed = live === undefined ? undefined : fieldAt(live, 'status', 'observedGeneration');
    return [
      {
        resource,
        policy,
        ...('isFollower' in binding && { isFollower: true }),
        planned: sharesOf(binding),
        state: status?.state ?? 'missing',
        ...(live?.metadata.generation !== undefined && { generation: live.metadata.generation }),
        ...(typeof observed === 'number' && { observedGeneration: observed }),
      },
    ];
  });
}

/** What the next `up` deletes, and what we wrote once and a policy of the plan still propagates. */
async function leftoversOf(
  plan: Plan,
  { documents, placed }: KarmadaChange,
  mirror: Mirror,
  client: ClusterClient,
  concurrency: number,
): Promise<readonly Leftover[]> {
  const removed = removalsOf(plan, documents);
  const known = new Set(
    [
      ...removed,
      ...plan.bindings.map(({ resource }) => resource),
      ...targetsOf(documents).map(refOf),
    ].map(refKey),
  );
  const policies = new Set(placed.map(({ policy }) => policyKey(policy)));
  const claimed = mirror.claimedBy(policies).filter((resource) => !known.has(refKey(resource)));
  const candidates = [
    ...removed.map((resource) => ({ resource, foundBy: 'plan' as const })),
    ...claimed.map((resource) => ({ resource, foundBy: 'policy' as const })),
  ];
  const found = await inParallel(candidates, concurrency, async (one): Promise<Leftover[]> => {
    const live = await client.get(one.resource);
    const clusters = mirror.clustersOf(one.resource);
    // Gone, and its copies are not yet: Karmada is at it.
    if (live === undefined) return clusters.length === 0 ? [] : [{ ...one, clusters }];
    const isOurs = entriesOf(live).some(({ manager }) => manager === FIELD_MANAGERS.own);
    return one.foundBy === 'plan' || isOurs ? [{ ...one, clusters }] : [];
  });
  return found.flat();
}
