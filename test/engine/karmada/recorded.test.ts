import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import type { KubeObject, ObjectRef } from '../../../lib/api/object.js';
import {
  nextAction,
  policyKey,
  stageOf,
  toBindingView,
  toPolicyView,
  type BindingGoal,
  type BindingView,
} from '../../../lib/engine/karmada/index.js';
import { refKey } from '../../../lib/engine/object.js';
import type { PolicyRef } from '../../../lib/engine/plan.js';

const FOLDER = join(__dirname, '../../recorded/karmada');

interface Recorded {
  readonly t: number;
  readonly at: string;
  readonly ev: string;
  readonly kind: string;
  readonly ns?: string;
  readonly name: string;
  readonly obj?: KubeObject;
  readonly code?: number;
  readonly action?: string;
  readonly generation?: number;
}

function recording(name: string): readonly Recorded[] {
  const text = gunzipSync(readFileSync(join(FOLDER, `${name}.jsonl.gz`))).toString('utf8');
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Recorded);
}

/** The control plane and its members as the recording has them at one moment. */
class Replay {
  private readonly objects = new Map<string, KubeObject>();

  apply({ at, ev, kind, ns, name, obj }: Recorded): void {
    const key = `${at} ${kind} ${ns ?? ''} ${name}`;
    if (ev === 'DELETED') this.objects.delete(key);
    else if (obj !== undefined) this.objects.set(key, { ...obj, apiVersion: '', kind });
  }

  binding(name: string, kind = 'deployment'): BindingView | undefined {
    const binding = this.objects.get(`host ResourceBinding  ${name}-${kind}`);
    if (binding === undefined) return undefined;
    const works = [...this.objects.values()].filter(
      (one) =>
        one.kind === 'Work' &&
        one.metadata.annotations?.['resourcebinding.karmada.io/name'] === `${name}-${kind}`,
    );
    return toBindingView(binding, works);
  }

  data(at: string, kind: string, name: string): Record<string, unknown> | undefined {
    const object = this.objects.get(`${at} ${kind}  ${name}`);
    return object?.['data'] as Record<string, unknown> | undefined;
  }

  policy(name: string): KubeObject | undefined {
    return this.objects.get(`host PropagationPolicy  ${name}`);
  }

  /** Whether the member's own Deployment runs the generation, with the replicas, and nothing else. */
  isDone(cluster: string, name: string, generation: number, replicas: number): boolean {
    const object = this.objects.get(`${cluster} Deployment  ${name}`);
    if (object === undefined) return false;
    const own = Number(object.metadata.annotations?.['resourcetemplate.karmada.io/generation']);
    const status = (object['status'] ?? {}) as Record<string, number | undefined>;
    return (
      own >= generation &&
      (object['spec'] as { replicas?: number }).replicas === replicas &&
      (status['observedGeneration'] ?? 0) >= (object.metadata.generation ?? 0) &&
      status['updatedReplicas'] === replicas &&
      status['replicas'] === replicas &&
      status['availableReplicas'] === replicas
    );
  }
}

const POLICY: PolicyRef = { kind: 'PropagationPolicy', namespace: 'shop', name: 'web' };
const refTo = (name: string): ObjectRef => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  namespace: 'shop',
  name,
});

/** One change of the template, until the next: its events, and what Karmada had decided at the end. */
interface Segment {
  readonly generation: number;
  readonly events: readonly Recorded[];
  readonly shares: BindingGoal['shares'];
}

function segmentsOf(events: readonly Recorded[], name: string): readonly Segment[] {
  const isChange = (e: Recorded): boolean =>
    e.ev === 'ACTION' &&
    e.at === 'host' &&
    e.kind === 'Deployment' &&
    e.name === name &&
    e.generation !== undefined;
  const starts = events.flatMap((event, i) => (isChange(event) ? [i] : []));
  const segments: Segment[] = [];
  for (const [n, start] of starts.entries()) {
    const end = starts[n + 1] ?? events.length;
    const replay = new Replay();
    for (const event of events.slice(0, end)) replay.apply(event);
    const shares = replay.binding(name)?.shares ?? [];
    segments.push({
      generation: events[start]?.generation ?? 0,
      events: events.slice(start, end),
      shares,
    });
  }
  return segments;
}

const goalOf = ({ generation, shares }: Segment, name = 'web'): BindingGoal => ({
  resource: refTo(name),
  policy: POLICY,
  shares,
  leaving: [],
  generation,
});

/** When each cluster's stage first passed in the last segment, in ms. */
function passes(name: string, template = 'web'): Record<string, number> {
  const events = recording(name);
  const segment = segmentsOf(events, template).at(-1);
  if (segment === undefined) throw new Error('no change recorded');
  const replay = new Replay();
  const first = segment.events[0];
  const found: Record<string, number> = {};
  for (const event of events) {
    replay.apply(event);
    if (first === undefined || event.t < first.t) continue;
    for (const { cluster } of segment.shares) {
      const stage = stageOf(goalOf(segment, template), replay.binding(template), cluster);
      if (stage.passed) found[cluster] ??= event.t;
    }
  }
  return found;
}

describe('stages over recorded timelines', () => {
  test.each(['c1', 'c2', 'c3', 'c6', 'c7', 'c9', 'c10', 'd', 'e', 'k'])(
    '%s: no stage passes before the member runs all of it',
    (name) => {
      const events = recording(name);
      let passed = 0;
      for (const segment of segmentsOf(events, 'web')) {
        const replay = new Replay();
        const done = new Set<string>();
        const [first] = segment.events;
        for (const event of events) {
          replay.apply(event);
          if (first === undefined || event.t < first.t) continue;
          for (const { cluster, replicas = 0 } of segment.shares) {
            if (replay.isDone(cluster, 'web', segment.generation, replicas)) done.add(cluster);
            const stage = stageOf(goalOf(segment), replay.binding('web'), cluster);
            if (!stage.passed) continue;
            passed += 1;
            expect({ t: event.t, cluster, done: done.has(cluster) }).toEqual({
              t: event.t,
              cluster,
              done: true,
            });
          }
          if (event === segment.events.at(-1)) break;
        }
      }
      expect(passed).toBeGreaterThan(0);
    },
  );

  test.each(['c2', 'c6', 'c7', 'c9', 'c10', 'e', 'k'])(
    '%s: every stage passes in the end',
    (name) => {
      const segment = segmentsOf(recording(name), 'web').at(-1);
      const clusters = segment?.shares.map(({ cluster }) => cluster);
      expect(Object.keys(passes(name)).sort()).toEqual(clusters);
    },
  );

  test('c1: the stages pass one after the other, as they are released', () => {
    const at = passes('c1');
    expect(Object.keys(at).sort((a, b) => (at[a] ?? 0) - (at[b] ?? 0))).toEqual([
      'member3',
      'member2',
      'member1',
    ]);
  });

  test('d: pods that never get ready keep their stage waiting, with counts', () => {
    const events = recording('d');
    const segment = segmentsOf(events, 'web').at(-1);
    const removed = events.find(({ action }) => action === 'delete');
    if (segment === undefined || removed === undefined) throw new Error('recording changed');
    const replay = new Replay();
    for (const event of events) if (event.t < removed.t) replay.apply(event);
    expect(stageOf(goalOf(segment), replay.binding('web'), 'member2').waitingFor).toMatch(
      /^Deployment shop\/web: \d of 2 (updated|available|present)/,
    );
    expect(stageOf(goalOf(segment), replay.binding('web'), 'member3').passed).toBe(true);
  });

  test('k: a failed override is a missing generation, nothing else; the hint says where to look', () => {
    const events = recording('k');
    const segment = segmentsOf(events, 'web').at(-1);
    const removed = events.find(({ action }) => action === 'delete');
    if (segment === undefined || removed === undefined) throw new Error('recording changed');
    const replay = new Replay();
    for (const event of events) if (event.t < removed.t) replay.apply(event);
    const binding = replay.binding('web');
    expect(binding?.items.find(({ cluster }) => cluster === 'member2')?.health).toBe('Healthy');
    const stage = stageOf(goalOf(segment), binding, 'member2');
    expect(stage).toMatchObject({
      passed: false,
      waitingFor: 'Deployment shop/web: the Work has generation 2 of 3',
    });
    expect(stage.hint).toContain('override policy');
  });

  test('f: what a member refuses to hand over is not applied, and never passes under Abort', () => {
    const events = recording('f');
    const overwritten = events.find(
      ({ ev, kind, t }) => ev === 'ACTION' && kind === 'PropagationPolicy' && t > 5000,
    );
    const before = events.filter(({ t }) => t < (overwritten?.t ?? 0));
    const segment = segmentsOf(before, 'other').at(-1);
    if (segment === undefined) throw new Error('recording changed');
    expect(segment.shares.map(({ cluster }) => cluster)).toContain('member2');
    const replay = new Replay();
    const stage = (): ReturnType<typeof stageOf> =>
      stageOf(goalOf(segment, 'other'), replay.binding('other'), 'member2');
    for (const event of before) {
      replay.apply(event);
      expect(stage().passed).toBe(false);
    }
    expect(stage().waitingFor).toContain('is not applied');
  });
});

describe('decisions over recorded timelines', () => {
  test.each(['c2', 'c10', 'c7', 'c1'])(
    '%s: the list of before is never taken for the answer',
    (name) => {
      const events = recording(name);
      const segment = segmentsOf(events, 'web').at(-1);
      if (segment === undefined) throw new Error('recording changed');
      const replay = new Replay();
      const seen = new Set<string>();
      for (const event of events) {
        replay.apply(event);
        const binding = replay.binding('web');
        const policy = replay.policy('web');
        if (event.t < (segment.events[0]?.t ?? 0) || binding === undefined || policy === undefined)
          continue;
        const action = nextAction(
          { rollout: 'r', policies: [], bindings: [goalOf(segment)] },
          {
            policies: new Map([[policyKey(POLICY), toPolicyView(policy)]]),
            bindings: new Map([[refKey(refTo('web')), binding]]),
          },
          { isApplied: true, mayRelease: new Set() },
        );
        expect({ t: event.t, action }).not.toMatchObject({ action: { kind: 'stop' } });
        seen.add(action.kind === 'wait' ? action.phase : action.kind);
      }
      expect([...seen]).toEqual(['scheduling', 'stepping']);
    },
  );
});

describe('a dependency in a recorded timeline', () => {
  const members = ['member1', 'member2', 'member3'];
  const events = recording('i');
  const change = events.findIndex(({ ev, kind }) => ev === 'ACTION' && kind === 'ConfigMap');
  const replay = new Replay();
  for (const event of events.slice(0, change)) replay.apply(event);
  const before = { web: replay.binding('web'), settings: replay.binding('settings', 'configmap') };
  const after = new Replay();
  // Then the template is deleted.
  const end = events.findIndex(({ ev }) => ev === 'DELETED');
  for (const event of events.slice(0, end)) after.apply(event);

  test('i: the workload and all its Works are suspended, the dependency has a binding without placement and is not', () => {
    expect(before.web?.suspended).toEqual(members);
    expect(before.web?.works.map(({ isSuspended }) => isSuspended)).toEqual([true, true, true]);
    expect(before.settings).toMatchObject({ placement: {}, shares: [], suspended: [] });
    expect(before.settings?.works.map(({ cluster }) => cluster)).toEqual(members);
    expect(before.settings?.works.map(({ isSuspended }) => isSuspended)).toEqual([
      false,
      false,
      false,
    ]);
  });

  test('i: a change of it reaches every member while the workload waits', () => {
    const levels = (one: Replay): unknown[] =>
      members.map((member) => one.data(member, 'ConfigMap', 'settings')?.['level']);
    expect(change).toBeGreaterThan(0);
    expect(levels(replay)).toEqual(['2', '2', '2']);
    expect(levels(after)).toEqual(['3', '3', '3']);
    expect(after.binding('web')?.suspended).toEqual(members);
  });
});
