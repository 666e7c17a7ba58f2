import { beforeEach, describe, expect, test } from '@jest/globals';
import { contentsOf, copyOf, put, read, run } from './run.js';

/** Every mistake is a diagnostic with code, place and remedy; exit code 1; no file changes. */
let cwd = '';
beforeEach(() => {
  cwd = copyOf('04-karmada-nginx');
});

const edit = (path: string, from: string | RegExp, to: string): void =>
  put(cwd, path, read(cwd, path).replace(from, to));
const add = (path: string, text: string): void =>
  put(cwd, path, `${read(cwd, path).trimEnd()}\n---\n${text}`);

const POLICY = `apiVersion: policy.karmada.io/v1alpha1
kind: PropagationPolicy
metadata:
  name: other
spec:
  resourceSelectors:
  - apiVersion: apps/v1
    kind: Deployment
    name: nothing-like-this
  placement:
    clusterAffinity:
      clusterNames: [member1]
`;

const CASES: readonly {
  readonly name: string;
  readonly code: string;
  readonly place: RegExp;
  readonly make: () => void;
}[] = [
  {
    name: 'a missing fleet',
    code: 'FLEET_MISSING',
    place: /at gone\.yaml/,
    make: () => edit('flags', /.*/, '--fleet gone.yaml'),
  },
  {
    name: 'an empty fleet',
    code: 'FLEET_EMPTY',
    place: /at fleet\.yaml:1:1/,
    make: () => put(cwd, 'fleet.yaml', ''),
  },
  {
    name: 'a duplicate cluster',
    code: 'FLEET_DUPLICATE_CLUSTER',
    place: /at fleet\.yaml:\d+:\d+ .*Cluster member1/,
    make: () => edit('fleet.yaml', 'name: member2', 'name: member1'),
  },
  {
    name: 'unparsable YAML',
    code: 'DOCUMENT_UNPARSABLE',
    place: /at deployment\.yaml:3:1/,
    make: () => edit('deployment.yaml', 'metadata:', 'kind: Deployment\nmetadata:'),
  },
  {
    name: 'a misspelt field of a document without a namespace',
    code: 'FIELD_UNKNOWN',
    place: /at propagationpolicy\.yaml:11:5/,
    make: () => edit('propagationpolicy.yaml', 'clusterAffinity', 'clusterAffinty'),
  },
  {
    name: 'a document that is no object',
    code: 'DOCUMENT_INVALID',
    place: /at values\.yaml:1:1/,
    make: () => put(cwd, 'values.yaml', 'replicas: 1\n'),
  },
  {
    name: 'a policy that matches nothing',
    code: 'POLICY_MATCHES_NOTHING',
    place: /at propagationpolicy\.yaml:\d+:\d+/,
    make: () => add('propagationpolicy.yaml', POLICY),
  },
  {
    name: 'two templates with the same identity',
    code: 'DOCUMENT_DUPLICATE',
    place: /at [a-z]+\.yaml:\d+:\d+ .* Deployment/,
    make: () => put(cwd, 'second.yaml', read(cwd, 'deployment.yaml')),
  },
  {
    name: 'a cluster in the policy that the fleet lacks',
    code: 'PLACEMENT_UNKNOWN_CLUSTER',
    place: /at propagationpolicy\.yaml:\d+:\d+/,
    make: () => edit('propagationpolicy.yaml', '- member2', '- member9'),
  },
  {
    name: 'a field that does not exist',
    code: 'FIELD_UNKNOWN',
    place: /at propagationpolicy\.yaml:\d+:\d+/,
    make: () => edit('propagationpolicy.yaml', 'placement:', 'placment:'),
  },
  {
    name: 'a lock with merge conflicts',
    code: 'LOCK_INVALID',
    place: /at fleet\.lock\.yaml:1:1/,
    make: () => put(cwd, 'fleet.lock.yaml', '<<<<<<< ours\n'),
  },
  {
    name: 'a broken project file',
    code: 'PROJECT_INVALID',
    place: /fleetwright\.yaml:1:1/,
    make: () => put(cwd, 'fleetwright.yaml', 'sorces: [x]\n'),
  },
  {
    name: 'a path that does not exist',
    code: 'SOURCE_MISSING',
    place: /at gone/,
    make: () => edit('flags', /.*/, '-f gone'),
  },
];

describe.each(['plan', 'lock', 'synth'])('%s', (command) => {
  test.each(CASES)('refuses $name', async ({ code, place, make }) => {
    put(cwd, 'flags', '');
    make();
    const before = contentsOf(cwd);

    const ran = await run(`${command} -f . --app nginx ${read(cwd, 'flags')}`, { cwd });

    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain(`error   ${code}`);
    expect(ran.stderr).toMatch(place);
    expect(ran.stderr).toContain('hint:');
    expect(contentsOf(cwd)).toEqual(before);
  });
});

test('one binding without a place: everything else is shown with its verdicts, and the plan is not applicable', async () => {
  put(
    cwd,
    'more.yaml',
    `${POLICY.replace('nothing-like-this', 'lost').replace('[member1]', '[member3]')}    clusterTolerations: []\n---\n${read(cwd, 'deployment.yaml').replaceAll('name: nginx', 'name: lost')}`,
  );
  put(
    cwd,
    'fleet.yaml',
    read(cwd, 'fleet.yaml').replace(
      'region: ap\n',
      'region: ap\n  taints:\n  - key: gpu\n    value: "true"\n    effect: NoSchedule\n',
    ),
  );

  const ran = await run('plan -f .', { cwd });

  expect(ran.code).toBe(1);
  expect(ran.stdout).toMatch(/member1 .*chosen/);
  expect(ran.stdout).toMatch(/Deployment default\/lost .*not placed/);
  expect(ran.stdout).toContain('not applicable');
  expect(ran.stderr).toContain('PLACEMENT_NO_CLUSTER_FITS');
});

test.each([
  ['an unknown option', 'plan --bogus', /unknown option/],
  ['an unknown command, with a suggestion', 'plam', /Did you mean plan\?/],
  ['a time that is none', 'plan -f . --now yesterday', /RFC 3339/],
  ['an environment that the project lacks', 'plan --env prod', /PROJECT_INVALID/],
])('%s fails with code 1', async (_name, args, message) => {
  put(cwd, 'fleetwright.yaml', 'sources: [deployment.yaml]\nenvironments: {test: {}}\n');

  const ran = await run(args, { cwd });

  expect(ran.code).toBe(1);
  expect(ran.stderr).toMatch(message);
  expect(ran.stdout).toBe('');
});
