import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { startSandbox, type Sandbox } from '../../lib/providers/sandbox/index.js';
import { printDocuments } from '../../lib/providers/source/index.js';
import { contentsOf, copyOf, put, read, run } from './run.js';

jest.setTimeout(60_000);

/** Flags whose value names something: what names nothing is said (FLAG_MATCHES_NOTHING). */
let sandbox: Sandbox;
let cwd = '';
beforeAll(async () => {
  sandbox = await startSandbox({
    clusters: ['member1', 'member2', 'member3'].map((name) => ({ name, region: name })),
  });
  cwd = copyOf('04-karmada-nginx');
  writeFileSync(join(cwd, 'kubeconfig'), sandbox.kubeconfig);
  put(cwd, 'fleet.yaml', printDocuments(sandbox.fleet()));
  put(
    cwd,
    'rollout.yaml',
    `apiVersion: fleetwright.dev/v1alpha1
kind: Rollout
metadata: { name: web }
spec:
  waves:
    - { name: first, clusterAffinity: { clusterNames: [member1] } }
    - { name: nobody, clusterAffinity: { clusterNames: [member3] } }
    - { name: rest, approval: true }
`,
  );
});
afterAll(() => sandbox.close());

const FLAGS = '-f . --app nginx --no-frozen';
const LIVE = `${FLAGS} --kubeconfig kubeconfig`;
const words = ({ stderr }: { readonly stderr: string }): string => stderr.replaceAll(/\s+/g, ' ');

describe('what can only be a mistake is an error, and nothing is done', () => {
  test.each([
    ['plan', FLAGS],
    ['lock', FLAGS],
    ['diff', FLAGS],
    ['up', `${LIVE} --yes`],
    ['approve rest', LIVE],
    ['explain nginx', '-f .'],
  ])('%s --reschedule', async (command, flags) => {
    const before = contentsOf(cwd);

    const ran = await run(`${command} ${flags} --reschedule Deployment/shop/nosuch`, { cwd });

    expect(ran.code).toBe(1);
    expect(words(ran)).toContain(
      'FLAG_MATCHES_NOTHING --reschedule Deployment/shop/nosuch: no template is called that. There are Deployment/default/nginx.',
    );
    expect(contentsOf(cwd)).toEqual(before);
  });

  test('a policy is nothing to reschedule', async () => {
    const ran = await run(`plan ${FLAGS} --reschedule PropagationPolicy/nginx-propagation`, {
      cwd,
    });

    expect(ran).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('no template is called'),
    });
  });

  test.each([
    ['FLEET_SHRINK', 'Did you mean FLEET_SHRANK?'],
    ['cluster_unreachable', 'Did you mean CLUSTER_UNREACHABLE?'],
    ['FLEET_SHRINK=member1', 'Did you mean FLEET_SHRANK?'],
    ['yes', 'Codes stand in front of each finding'],
  ])('--acknowledge %s', async (entry, hint) => {
    const ran = await run(`plan ${FLAGS} --acknowledge ${entry}`, { cwd });

    expect(ran.code).toBe(1);
    expect(words(ran)).toContain(`--acknowledge ${entry}: there is no code`);
    expect(words(ran)).toContain(hint);
  });

  test('up --approve', async () => {
    const before = contentsOf(cwd);

    const ran = await run(`up ${LIVE} --yes --approve nosuchwave`, { cwd });

    expect(ran.code).toBe(1);
    expect(words(ran)).toContain(
      '--approve nosuchwave: the plan has no such wave. It has first, rest.',
    );
    expect(contentsOf(cwd)).toEqual(before);
  });

  test('synth --through-wave and destroy --skip', async () => {
    const synth = await run(`synth ${FLAGS} --out out --through-wave nosuch`, { cwd });
    await run(`lock ${FLAGS}`, { cwd });
    const destroy = await run(`destroy ${LIVE} --yes --skip nosuch`, { cwd });

    expect(synth).toMatchObject({ code: 1, stderr: expect.stringContaining('first, rest') });
    expect(destroy).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('not on that cluster. It is on member1, member2.'),
    });
  });
});

describe('what may be meant for another environment is a warning', () => {
  test('an acknowledgement that no finding is about', async () => {
    const ran = await run(`plan ${FLAGS} --acknowledge WORKLOAD_MOVES=Deployment/default/web`, {
      cwd,
    });

    expect(ran.code).toBe(0);
    expect(words(ran)).toContain(
      'FLAG_MATCHES_NOTHING --acknowledge WORKLOAD_MOVES=Deployment/default/web: no finding of this plan is about that',
    );
  });

  test('an object without a code, where nothing is removed', async () => {
    const ran = await run(`plan ${FLAGS} --acknowledge PersistentVolumeClaim/shop/data`, { cwd });

    expect(words(ran)).toContain('Write CODE=PersistentVolumeClaim/shop/data');
  });

  test('a context for a cluster that is not there', async () => {
    const ran = await run(`plan ${LIVE} --live --context-map member9=somewhere`, { cwd });

    expect(ran.code).toBe(0);
    expect(words(ran)).toContain(
      '--context-map member9=somewhere: neither the fleet nor the lock has a cluster "member9".',
    );
    expect(words(ran)).toContain('Clusters are member1, member2, member3.');
  });
});

test('what names something is not spoken of', async () => {
  const flags = `--reschedule deployment/nginx --approve all --approve rest --approve nobody --context-map member1=member1 --acknowledge FLEET_SHRANK`;

  const ran = await run(`up ${LIVE} --yes ${flags}`, { cwd });

  expect(ran.code).toBe(0);
  expect(ran.stderr).not.toContain('FLAG_MATCHES_NOTHING');
});

test('an acknowledgement that something is about names it in any plan', async () => {
  put(
    cwd,
    'deployment.yaml',
    read(cwd, 'deployment.yaml').replaceAll('app: nginx', 'app: renamed'),
  );
  const flags = '--acknowledge FIELD_IMMUTABLE=Deployment/default/nginx';

  const files = await run(`plan ${FLAGS} ${flags}`, { cwd });
  const live = await run(`plan ${LIVE} --live ${flags}`, { cwd });
  const other = await run(`plan ${LIVE} --live ${flags}x`, { cwd });

  expect(files.stderr).not.toContain('FLAG_MATCHES_NOTHING');
  expect(live.stderr).toContain('FIELD_IMMUTABLE');
  expect(live.stderr).not.toContain('FLAG_MATCHES_NOTHING');
  expect(words(other)).toContain('Findings with this code are about Deployment/default/nginx.');
});
