import { describe, expect, test } from '@jest/globals';
import { plan } from '../../lib/engine/index.js';
import type { PlanInput } from '../../lib/engine/input.js';
import type { KubeObject } from '../../lib/engine/object.js';
import type { Plan } from '../../lib/engine/plan.js';
import { standardTools } from '../../lib/providers/tools.js';
import { aCluster, aDeployment, anInput, aPolicy } from '../builders.js';

/** What happens to an object whose policy no longer selects it, alone or together with other edits. */
const tools = standardTools();
const fleet = [aCluster('eu-1'), aCluster('us-1')];

function config(value: string, name = 'env'): KubeObject {
  const metadata = { name, namespace: 'shop' };
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { value } };
}

/** Places ConfigMaps of that name on both clusters. */
function configPolicy(name: string): KubeObject {
  const base = aPolicy('config', {});
  const resourceSelectors = [{ apiVersion: 'v1', kind: 'ConfigMap', name }];
  return { ...base, spec: { ...(base['spec'] as object), resourceSelectors } };
}

/** Runs on eu-1 and takes the ConfigMap along. */
const web = [
  aDeployment('web', 1, { volumes: [{ name: 'env', configMap: { name: 'env' } }] }),
  aPolicy('web', { clusterAffinity: { clusterNames: ['eu-1'] } }),
];

function planned(documents: readonly KubeObject[], before?: Plan, acknowledge: string[] = []) {
  const input: PlanInput = anInput(documents, fleet);
  const options = { ...input.options, acknowledge };
  return plan({ ...input, options, ...(before && { lock: before.lock }) }, tools);
}

function removed(result: Plan): string[] {
  return result.changes
    .filter(({ action }) => action === 'delete')
    .map(({ cluster, resource }) => `${cluster} ${resource.kind}/${resource.name}`);
}

describe('a policy that changed together with its template', () => {
  const before = planned([...web, config('1'), configPolicy('env')]);
  const after = [...web, config('2'), config('1', 'other'), configPolicy('other')];

  test('lets go at once, and where the object is lost somebody has to agree', () => {
    const result = planned(after, before);
    const [finding] = result.diagnostics.filter(({ code }) => code === 'POLICY_REMOVED');

    expect(removed(result)).toEqual(['us-1 ConfigMap/env']);
    expect(result.applicable).toBe(false);
    expect(finding?.summary).toBe(
      'ConfigMap shop/env was placed by PropagationPolicy "config", and now no policy claims it; it would be deleted from us-1, and stay only where others need it.',
    );
  });

  test('has been decided for good: the same input again changes nothing', () => {
    const first = planned(after, before, ['POLICY_REMOVED']);
    const second = planned(after, first);

    expect(first.applicable).toBe(true);
    expect(second.applicable).toBe(true);
    expect(second.lockChanges).toEqual([]);
    expect(second.changes.filter(({ action }) => action !== 'none')).toEqual([]);
  });

  test('holds it under a lock that knows no policies, now and the next time', () => {
    const { policies: _, ...lock } = before.lock;
    const first = planned(after, { ...before, lock });
    const second = planned(after, first);

    for (const result of [first, second]) {
      expect(result.diagnostics.map(({ code }) => code)).toContain('CLAIM_FROZEN');
      expect(removed(result)).toEqual([]);
    }
    expect(second.lockChanges).toEqual([]);
  });
});

test('a template relabelled away stays frozen until its policy changes, and then is let go', () => {
  const labelled = (tier: string): KubeObject => {
    const object = config('1');
    return { ...object, metadata: { ...object.metadata, labels: { tier } } };
  };
  const gold = (extra: object): KubeObject => {
    const base = aPolicy('config', {});
    const resourceSelectors = [
      { apiVersion: 'v1', kind: 'ConfigMap', labelSelector: { matchLabels: { tier: 'gold' } } },
    ];
    return { ...base, spec: { ...(base['spec'] as object), resourceSelectors, ...extra } };
  };
  const placed = planned([labelled('gold'), gold({})]);

  const frozen = planned([labelled('silver'), gold({})], placed);
  const still = planned([labelled('silver'), gold({})], frozen);
  const changes = [{ priority: 1 }, { placement: { clusterAffinity: { exclude: ['us-1'] } } }];

  expect(still.diagnostics.map(({ code }) => code)).toEqual(['CLAIM_FROZEN']);
  expect(still.lockChanges).toEqual([]);
  for (const change of changes) {
    const changed = planned([labelled('silver'), gold(change)], still);

    expect(changed.diagnostics.map(({ code }) => code)).toContain('POLICY_REMOVED');
  }
});

test('a policy that is gone is no loss where others need the object everywhere it was', () => {
  const everywhere = [web[0] as KubeObject, aPolicy('web', {})];
  const before = planned([...everywhere, config('1'), configPolicy('env')]);
  const result = planned([...everywhere, config('1')], before);

  expect(result.diagnostics.map(({ code }) => code)).not.toContain('POLICY_REMOVED');
  expect(removed(result)).toEqual([]);
});
