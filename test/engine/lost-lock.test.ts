import { describe, expect, test } from '@jest/globals';
import type { FleetLock } from '../../lib/api/fleet-lock.js';
import { plan } from '../../lib/engine/index.js';
import type { KubeObject, Plan, PlanInput, PlanOptions } from '../../lib/engine/index.js';
import { standardTools } from '../../lib/providers/tools.js';
import { aCluster, aDeployment, anInput, aPolicy } from '../builders.js';

const tools = standardTools();
const CLUSTERS = ['a', 'b', 'c'].map((name) => aCluster(name));
const on = (...clusterNames: string[]): object => ({ clusterAffinity: { clusterNames } });
const configMap = (name: string): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'shop' },
});
const WEB = aDeployment('web');
const SOURCES = [WEB, aPolicy('web', on('a', 'b'))];

/** What a plan leaves on all clusters, once it was applied. */
function clustersAfter({ releases }: Plan): PlanInput['live'] {
  const empty = CLUSTERS.map(({ metadata }) => [metadata.name, []] as const);
  const full = releases.map((r) => [r.cluster, r.manifests.map(({ object }) => object)] as const);
  return { members: Object.fromEntries([...empty, ...full]) as Record<string, KubeObject[]> };
}

interface Again {
  readonly lock?: FleetLock;
  readonly options?: Partial<PlanOptions>;
}

const first = plan(anInput(SOURCES, CLUSTERS), tools);

function again(documents: readonly KubeObject[], { lock, options }: Again = {}): Plan {
  const live = clustersAfter(first);
  const more = { ...(lock !== undefined && { lock }), ...(live !== undefined && { live }) };
  return plan(anInput(documents, CLUSTERS, options, more), tools);
}

const saidOf = ({ diagnostics }: Plan): string[] =>
  diagnostics
    .filter(({ code }) => code === 'LOCK_LOST' || code === 'POLICY_REMOVED')
    .map(({ severity, code, summary }) => `${severity} ${code} ${summary}`);

const LOST =
  'error LOCK_LOST There is no lock, and 2 objects of application "shop" are on the clusters: a (1), b (1). Decisions would be made afresh, and what they do not place there would be deleted.';
const UNCLAIMED =
  'error POLICY_REMOVED Deployment shop/web is on a, b, and no policy claims its template, nor does the lock name it; it would be deleted there.';

describe('objects of the application on clusters, without a lock', () => {
  test('are refused, wherever the fresh decision would put them', () => {
    const elsewhere = again([WEB, aPolicy('web', on('c'))]);

    expect(elsewhere.changes).toContainEqual(
      expect.objectContaining({ cluster: 'a', action: 'delete', class: 'removed' }) as unknown,
    );
    expect(saidOf(elsewhere)).toEqual([LOST]);
    expect(elsewhere.applicable).toBe(false);
    expect(saidOf(again(SOURCES))).toEqual([LOST]);
  });

  test('are decided afresh where that is meant', () => {
    const { applicable, diagnostics } = again([WEB, aPolicy('web', on('c'))], {
      options: { acknowledge: ['LOCK_LOST'] },
    });

    expect(applicable).toBe(true);
    expect(diagnostics).toContainEqual(
      expect.objectContaining({ code: 'LOCK_LOST', severity: 'warning' }) as unknown,
    );
  });

  test('are refused with a lock that has lost its bindings', () => {
    const lock = { ...first.lock, bindings: [] };

    expect(saidOf(again(SOURCES, { lock }))).toEqual([
      LOST.replace('There is no lock', 'The lock places nothing'),
    ]);
  });

  test('are refused one by one where the template is there and nobody claims it', () => {
    const others = [
      configMap('env'),
      aPolicy('web', on('a'), {
        resourceSelectors: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'env' }],
      }),
    ];

    expect(saidOf(again([WEB, ...others]))).toEqual([LOST, UNCLAIMED]);
    expect(again([WEB, ...others], { options: { acknowledge: ['LOCK_LOST'] } }).applicable).toBe(
      false,
    );
    expect(
      again([WEB, ...others], {
        options: { acknowledge: ['LOCK_LOST', 'POLICY_REMOVED=Deployment/shop/web'] },
      }).applicable,
    ).toBe(true);
  });

  test('belong to nobody here where another application or environment has them', () => {
    const options = { environment: 'test' };

    expect(saidOf(again(SOURCES, { options }))).toEqual([]);
    expect(saidOf(again(SOURCES, { options: { application: 'bakery' } }))).toEqual([]);
  });

  test('are not looked at where a control plane is the target', () => {
    expect(saidOf(again(SOURCES, { options: { target: 'karmada' } }))).toEqual([]);
  });
});

describe('what a lock explains', () => {
  test('is no finding: the first run, and one that goes on', () => {
    expect(saidOf(first)).toEqual([]);
    expect(saidOf(again(SOURCES, { lock: first.lock }))).toEqual([]);
  });

  test('is no finding: the leftovers of a run that was killed before its settle step', () => {
    const moved = [WEB, aPolicy('web', on('c'))];
    const { lock } = again(moved, { lock: first.lock });

    const next = again(moved, { lock });

    expect(next.changes).toContainEqual(
      expect.objectContaining({ cluster: 'a', action: 'delete', class: 'removed' }) as unknown,
    );
    expect(saidOf(next)).toEqual([]);
  });

  test('is no finding: the leftovers of a run that was killed while it removed everything', () => {
    const lock = { ...first.lock, bindings: [], serial: first.lock.serial + 1 };

    expect(saidOf(again([configMap('env')], { lock }))).toEqual([]);
  });

  test('is no finding: what followed a workload whose removal was acknowledged, in a run that was killed', () => {
    const env = configMap('env');
    const web = aDeployment('web', 2, {
      volumes: [{ name: 'env', configMap: { name: 'env' } }],
    });
    const policy = aPolicy('web', on('a'), { propagateDeps: true });
    const other = [
      configMap('other'),
      aPolicy('other', on('a'), {
        resourceSelectors: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'other' }],
      }),
    ];
    const before = plan(anInput([web, env, policy, ...other], CLUSTERS), tools);
    const live = clustersAfter(before);
    const options = { acknowledge: ['POLICY_REMOVED=Deployment/shop/web'] };
    const more = { ...(live !== undefined && { live }) };
    const killed = plan(
      anInput([web, env, ...other], CLUSTERS, options, { ...more, lock: before.lock }),
      tools,
    );

    const next = plan(
      anInput([web, env, ...other], CLUSTERS, options, { ...more, lock: killed.lock }),
      tools,
    );

    expect(killed.applicable).toBe(true);
    expect(saidOf(next)).toEqual([UNCLAIMED.replace('error', 'warning').replace('a, b', 'a')]);
  });

  test('leftovers with a template that nobody claims are refused as what the lock names is', () => {
    const env = configMap('env');
    const policy = aPolicy('env', on('c'), {
      resourceSelectors: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'env' }],
    });
    const { lock } = plan(anInput([env, policy], CLUSTERS), tools);

    expect(saidOf(again([WEB, env, policy], { lock }))).toEqual([UNCLAIMED]);
  });
});
