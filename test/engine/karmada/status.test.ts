import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import type { KubeObject, ObjectRef } from '../../../lib/api/object.js';
import {
  karmadaStatus,
  policyKey,
  SUSPENSION_MEMORY,
  toBindingView,
  toPolicyView,
  type KarmadaFacts,
  type KarmadaStatus,
} from '../../../lib/engine/karmada/index.js';
import { refKey } from '../../../lib/engine/object.js';
import type { PolicyRef } from '../../../lib/engine/plan.js';
import { aWave } from '../../providers/rollout/releases.js';

const FOLDER = join(__dirname, '../../recorded/karmada');

interface Recorded {
  readonly t: number;
  readonly at: string;
  readonly ev: string;
  readonly kind: string;
  readonly ns?: string;
  readonly name: string;
  readonly obj?: KubeObject;
}

/** A control plane as a recording has it after so many ms. */
function planeAt(name: string, ms: number): ReadonlyMap<string, KubeObject> {
  const text = gunzipSync(readFileSync(join(FOLDER, `${name}.jsonl.gz`))).toString('utf8');
  const objects = new Map<string, KubeObject>();
  for (const line of text.trim().split('\n')) {
    const { t, at, ev, kind, ns, name: own, obj } = JSON.parse(line) as Recorded;
    if (t > ms || at !== 'host') continue;
    const key = `${kind} ${ns ?? ''} ${own}`;
    if (ev === 'DELETED') objects.delete(key);
    else if (obj !== undefined) objects.set(key, { ...obj, apiVersion: '', kind });
  }
  return objects;
}

const SHARES = [
  { cluster: 'member1', replicas: 1 },
  { cluster: 'member2', replicas: 2 },
  { cluster: 'member3', replicas: 3 },
];
const WAVES = ['member3', 'member2', 'member1'].map((cluster) => aWave(cluster, [cluster]));

interface Change {
  readonly template?: string;
  readonly kind?: string;
  readonly facts?: Partial<KarmadaFacts>;
  readonly memory?: string;
  readonly binding?: (binding: KubeObject) => KubeObject;
  readonly owner?: string;
  readonly planned?: typeof SHARES;
}

/** The marks of the claim, which these recordings are cut short of; as the whole ones have them. */
function claimed(binding: KubeObject, name: string): KubeObject {
  const mark = 'propagationpolicy.karmada.io';
  const annotations = {
    [`${mark}/namespace`]: 'shop',
    [`${mark}/name`]: name,
  };
  const labels = { [`${mark}/permanent-id`]: 'id' };
  return { ...binding, metadata: { ...binding.metadata, labels, annotations } };
}

/** The status of a recorded template. */
function statusAt(name: string, ms: number, change: Change = {}): KarmadaStatus {
  const { template = 'web', kind = 'Deployment', facts = {}, memory, owner = 'web' } = change;
  const { binding: edit = (one) => one } = change;
  const objects = planeAt(name, ms);
  const policy = objects.get('PropagationPolicy  web');
  const live = objects.get(`Deployment  ${template}`);
  const bound = objects.get(`ResourceBinding  ${template}-deployment`);
  if (policy === undefined || live === undefined || bound === undefined)
    throw new Error('recording changed');
  const namespace = 'shop';
  const ref: PolicyRef = { kind: 'PropagationPolicy', namespace, name: 'web' };
  const resource: ObjectRef = {
    apiVersion: kind === 'Secret' ? 'v1' : 'apps/v1',
    kind,
    namespace,
    name: template,
  };
  const works = [...objects.values()].filter(
    (one) =>
      one.kind === 'Work' &&
      one.metadata.annotations?.['resourcebinding.karmada.io/name'] === `${template}-deployment`,
  );
  const annotated: KubeObject = {
    ...policy,
    metadata: {
      ...policy.metadata,
      ...(memory !== undefined && { annotations: { [SUSPENSION_MEMORY]: memory } }),
    },
  };
  const { observedGeneration } = (live['status'] ?? {}) as { observedGeneration?: number };
  return karmadaStatus({
    waves: WAVES,
    rollout: 'change-1',
    templates: [
      {
        resource,
        policy: ref,
        planned: change.planned ?? SHARES,
        state: 'same',
        ...(live.metadata.generation !== undefined && { generation: live.metadata.generation }),
        ...(observedGeneration !== undefined && { observedGeneration }),
      },
    ],
    documents: [],
    plane: {
      policies: new Map([[policyKey(ref), toPolicyView(annotated)]]),
      bindings: new Map([[refKey(resource), toBindingView(claimed(edit(bound), owner), works)]]),
    },
    leftovers: [],
    ...facts,
  });
}

const HELD_TWO = JSON.stringify({
  rollout: 'change-1',
  held: ['member1', 'member2'],
  document: [],
});

describe('status of a recorded control plane', () => {
  test('c1: before the change all is well', () => {
    const status = statusAt('c1', 3900);

    expect(status).toMatchObject({ ready: true, rollout: { step: 'none', waves: [] } });
    expect(status.templates[0]).toMatchObject({
      policy: { kind: 'PropagationPolicy', name: 'web' },
      generation: 2,
      observedGeneration: 2,
      karmadaObservedGeneration: 2,
      behind: [],
      findings: [],
    });
  });

  test('c1: one cluster released: Healthy and FullyApplied everywhere, and still not ready', () => {
    const status = statusAt('c1', 18900, { memory: HELD_TWO });
    const [web] = status.templates;

    expect(status.ready).toBe(false);
    expect(web).toMatchObject({
      generation: 3,
      observedGeneration: 0,
      karmadaObservedGeneration: 2,
      behind: ['member1', 'member2'],
    });
    expect(
      web?.clusters.map(({ cluster, health, generation, suspendedBy, ready, replicas }) => {
        return [cluster, replicas, health, generation, suspendedBy, ready];
      }),
    ).toEqual([
      ['member1', 1, 'Healthy', 2, 'rollout', false],
      ['member2', 2, 'Healthy', 2, 'rollout', false],
      ['member3', 3, 'Healthy', 3, undefined, true],
    ]);
    expect(status.rollout).toEqual({
      id: 'change-1',
      step: 'waves',
      waves: [
        { name: 'member3', phase: 'done', held: [], released: ['member3'] },
        { name: 'member2', phase: 'held', held: ['member2'], released: [] },
        { name: 'member1', phase: 'held', held: ['member1'], released: [] },
      ],
    });
  });

  test('c1: what has grown and will shrink is a done wave, and not what is planned', () => {
    const planned = SHARES.map((one) =>
      one.cluster === 'member3' ? { ...one, replicas: 2 } : one,
    );
    const status = statusAt('c1', 18900, { memory: HELD_TWO, planned });

    expect(status.rollout.waves[0]).toMatchObject({ name: 'member3', phase: 'done' });
    expect(status.templates[0]?.clusters[2]).toMatchObject({
      plannedReplicas: 2,
      replicas: 3,
      ready: false,
      waitingFor: '3 of 2 updated',
    });
  });

  test('c1: the same list without our note belongs to a person', () => {
    const status = statusAt('c1', 18900);

    expect(status.rollout.step).toBe('none');
    expect(status.suspensions).toEqual([
      expect.objectContaining({ byRollout: [], byOthers: ['member1', 'member2'], whole: false }),
    ]);
    expect(status.templates[0]?.clusters[0]?.suspendedBy).toBe('others');
  });

  test('c1: everything is held, and nothing released', () => {
    const memory = JSON.stringify({
      rollout: 'change-1',
      held: ['member1', 'member2', 'member3'],
      document: [],
    });

    expect(statusAt('c1', 10700, { memory }).rollout).toMatchObject({
      step: 'held',
      waves: [{ phase: 'held' }, { phase: 'held' }, { phase: 'held' }],
    });
  });

  test('c1: notes of the last step, and of another change', () => {
    const note = (rollout: string): string =>
      JSON.stringify({ rollout, held: ['member1'], document: [] });

    expect(statusAt('c1', 25300, { memory: note('change-1/shrink') }).rollout.step).toBe(
      'shrinking',
    );
    expect(statusAt('c1', 25300, { memory: note('change-0') }).rollout.step).toBe('other');
  });

  test('e: suspended as a whole is never ready, and not ours', () => {
    const at = momentOf('e', isWhole);
    const status = statusAt('e', at);

    expect(status.ready).toBe(false);
    expect(status.suspensions).toEqual([expect.objectContaining({ whole: true })]);
  });

  test('d: pods that never get ready are observed, and not ready', () => {
    const [web] = statusAt('d', 20000).templates;

    expect(web).toMatchObject({ behind: [], ready: false });
    expect(web?.observedGeneration).toBe(web?.generation);
    expect(web?.clusters.find(({ cluster }) => cluster === 'member2')?.waitingFor).toMatch(
      /^\d of 2 (updated|available|present)/,
    );
  });

  test('f: what a member refuses: its words; of a Secret, none', () => {
    const refused = statusAt('f', 10000, { template: 'other' });
    const secret = statusAt('f', 10000, { template: 'other', kind: 'Secret' });
    const of = (status: KarmadaStatus): KarmadaStatus['templates'][0]['clusters'][0] | undefined =>
      status.templates[0]?.clusters.find(({ cluster }) => cluster === 'member2');

    expect(of(refused)).toMatchObject({ applied: false, health: 'Unknown', ready: false });
    expect(of(refused)?.appliedMessage).toContain('already exists in the cluster member2');
    expect(of(refused)?.waitingFor).toContain('is not applied');
    expect(of(secret)).toMatchObject({ ready: false, waitingFor: 'is not applied' });
    expect(JSON.stringify(secret)).not.toContain('already exists');
  });

  test('k: an override that fails shows in the generation alone', () => {
    const [web] = statusAt('k', 29000).templates;

    expect(web?.behind).toContain('member2');
    expect(web?.clusters.find(({ cluster }) => cluster === 'member2')).toMatchObject({
      applied: true,
      health: 'Healthy',
      ready: false,
      waitingFor: expect.stringContaining('the Work has generation 2 of 3'),
    });
  });

  test('owned by another policy, and decided otherwise: both are said', () => {
    const [stolen] = statusAt('c1', 3900, { owner: 'other' }).templates;
    const less = (binding: KubeObject): KubeObject => {
      const spec = binding['spec'] as { clusters: readonly object[] };
      return { ...binding, spec: { ...spec, clusters: spec.clusters.slice(1) } };
    };
    const [moved] = statusAt('c1', 3900, { binding: less }).templates;

    expect(stolen?.findings).toEqual([
      'owned by PropagationPolicy shop/other, the plan says PropagationPolicy shop/web',
    ]);
    expect(moved?.findings).toEqual([
      'Karmada decided member2 2, member3 3, the plan says member1 1, member2 2, member3 3.',
    ]);
    expect([stolen?.ready, moved?.ready]).toEqual([false, false]);
  });

  test('what up deletes counts, what only a policy shows does not', () => {
    const resource = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'shop', name: 'old' };
    const isReadyWith = (foundBy: 'plan' | 'policy'): boolean =>
      statusAt('c1', 3900, { facts: { leftovers: [{ resource, foundBy, clusters: [] }] } }).ready;

    expect([isReadyWith('plan'), isReadyWith('policy')]).toEqual([false, true]);
  });

  test('documents that are as planned are not listed; every other state counts', () => {
    const resource = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'shop', name: 'a' };
    for (const state of ['missing', 'differs', 'unknown'] as const) {
      const status = statusAt('c1', 3900, { facts: { documents: [{ resource, state }] } });
      expect([state, status.ready, status.documents.length]).toEqual([state, false, 1]);
    }
    const same = statusAt('c1', 3900, { facts: { documents: [{ resource, state: 'same' }] } });
    expect([same.ready, same.documents]).toEqual([true, []]);
  });

  test('nothing planned anywhere is ready', () => {
    expect(statusAt('c1', 3900, { facts: { templates: [] } }).ready).toBe(true);
  });
});

const isWhole = (policy: KubeObject): boolean =>
  (policy['spec'] as { suspension?: { dispatching?: boolean } }).suspension?.dispatching === true;

/** When the recorded policy was first seen like this, in ms. */
function momentOf(name: string, isSuch: (policy: KubeObject) => boolean): number {
  for (let ms = 0; ms < 60_000; ms += 500) {
    const policy = planeAt(name, ms).get('PropagationPolicy  web');
    if (policy !== undefined && isSuch(policy)) return ms;
  }
  throw new Error('recording changed');
}
