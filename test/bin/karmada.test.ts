import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { aControlPlane, type ControlPlane } from '../providers/karmada/control-plane.js';
import { copyOf, put, run, type Ran } from './run.js';

jest.setTimeout(60_000);

const CLUSTERS = ['cluster-a', 'cluster-b', 'cluster-c'];

/** The announced policy, with names that a cluster may have (the announcement's have capitals). */
const ANNOUNCED = readFileSync(
  join(__dirname, '../fixtures/announcements/rolling-upgrade.yaml'),
  'utf8',
).replace(/Cluster([ABC])/g, (_all, letter: string) => `cluster-${letter.toLowerCase()}`);

const WAVES = `apiVersion: fleetwright.dev/v1alpha1
kind: Rollout
metadata: { name: nginx }
spec:
  waves:
    - { name: first, clusterAffinity: { clusterNames: [cluster-c] } }
    - { name: second, clusterAffinity: { clusterNames: [cluster-b] } }
    - { name: third, clusterAffinity: { clusterNames: [cluster-a] } }
`;

let plane: ControlPlane;
let cwd = '';

beforeEach(async () => {
  plane = await aControlPlane({}, CLUSTERS);
  cwd = copyOf('04-karmada-nginx');
  put(cwd, 'overridepolicy.yaml', '');
  const fleet = readFileSync(join(cwd, 'fleet.yaml'), 'utf8');
  put(
    cwd,
    'fleet.yaml',
    fleet.replace(/member([123])/g, (_all, n: string) => `cluster-${'abc'[Number(n) - 1] ?? ''}`),
  );
  writeFileSync(join(cwd, 'kubeconfig'), plane.kubeconfig);
  put(cwd, 'rollout.yaml', WAVES);
});
afterEach(() => plane.close());

const INPUT = '-f . --app nginx --target karmada --no-frozen';
const up = (more = '--yes'): Promise<Ran> =>
  run(`up ${INPUT} --kubeconfig kubeconfig --karmada-context karmada ${more}`, { cwd });
const setImage = (tag: string): void => {
  const deployment = readFileSync(join(cwd, 'deployment.yaml'), 'utf8');
  put(cwd, 'deployment.yaml', deployment.replace(/image: nginx\S*/, `image: nginx:${tag}`));
};
/** Without the field that the announcement changes by hand, three times. */
const withoutSuspension = (): void =>
  put(cwd, 'propagationpolicy.yaml', ANNOUNCED.replace(/\n {2}suspension:[\s\S]*$/, '\n'));

describe('--target karmada', () => {
  test('the three announced steps are one command', async () => {
    withoutSuspension();
    setImage('1.0');
    expect((await up('--yes')).code).toBe(0);
    setImage('2.0');

    const planned = await run(`plan ${INPUT}`, { cwd });
    const ran = await up('--yes');

    expect(planned.stdout).toContain(
      [
        'Steps   1 suspend cluster-a, cluster-b, cluster-c, until every Work says so',
        '        2 write templates, policies and overrides; stop if Karmada decides otherwise',
        '        3 wave first: release cluster-c; still suspended: cluster-a, cluster-b',
        '        4 wave second: release cluster-b; still suspended: cluster-a',
        '        5 wave third: release cluster-a; nothing is suspended any more',
      ].join('\n'),
    );
    expect(ran.stdout).toContain('Done after');
    expect(ran.stderr).toContain('wave first: passed');
    expect(ran.code).toBe(0);
    expect(plane.fake.dispatches.slice(3).map(({ cluster, image }) => [cluster, image])).toEqual([
      ['cluster-c', 'nginx:2.0'],
      ['cluster-b', 'nginx:2.0'],
      ['cluster-a', 'nginx:2.0'],
    ]);
  });

  test('the announced policy as it is: what its author suspended stays so, and the command says it', async () => {
    withoutSuspension();
    setImage('1.0');
    await up('--yes');
    put(cwd, 'propagationpolicy.yaml', ANNOUNCED);
    setImage('2.0');

    const ran = await up('--yes');

    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain('KARMADA_SUSPENDED_BY_OTHERS');
    expect(ran.stdout).toContain(
      'kept suspended by somebody else on PropagationPolicy default/nginx',
    );
    expect(ran.stdout).toContain('Continue with:  fleetwright up');
    expect(plane.fake.dispatches.slice(3).map(({ cluster }) => cluster)).toEqual(['cluster-c']);
  });
});
