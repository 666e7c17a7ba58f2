import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { startSandbox, type Sandbox } from '../../lib/providers/sandbox/index.js';
import { printDocuments } from '../../lib/providers/source/index.js';
import { copyOf, put, run } from './run.js';

jest.setTimeout(60_000);

/** Clusters that cannot be read: nothing is claimed about them. */
let sandbox: Sandbox;
let cwd = '';
beforeAll(async () => {
  sandbox = await startSandbox({
    clusters: ['member1', 'member2', 'member3'].map((name) => ({ name, region: name })),
  });
  cwd = copyOf('04-karmada-nginx');
  writeFileSync(join(cwd, 'kubeconfig'), sandbox.kubeconfig);
  put(cwd, 'fleet.yaml', printDocuments(sandbox.fleet()));
  expect(await run(`up ${FLAGS} --kubeconfig kubeconfig --yes`, { cwd })).toMatchObject({
    code: 0,
  });
});
afterAll(() => sandbox.close());

const FLAGS = '-f . --app nginx --no-frozen';
const diff = (more: string): ReturnType<typeof run> => run(`diff ${FLAGS} --live ${more}`, { cwd });

test('where no cluster could be read there is no verdict', async () => {
  const text = await diff('--kubeconfig nowhere');
  const json = await diff('--kubeconfig nowhere --json');

  expect(text).toMatchObject({
    code: 1,
    stdout: 'No cluster could be read: member1, member2.\n',
    stderr: expect.stringContaining('KUBECONFIG_INVALID'),
  });
  expect(json.code).toBe(1);
  expect(JSON.parse(json.stdout)).toMatchObject({
    drift: [],
    unread: ['member1', 'member2'],
    applicable: false,
  });
});

test('where one could not be read the verdict is about the others, also when that is acknowledged', async () => {
  const acknowledge = '--acknowledge CLUSTER_UNAUTHORIZED';

  const one = await diff(refusedBy('member2'));
  const acknowledged = await diff(`${refusedBy('member2')} ${acknowledge} --detailed-exitcode`);
  const none = await diff(`${refusedBy('member1', 'member2')} ${acknowledge}`);
  const all = await diff('--kubeconfig kubeconfig --json');

  const stdout =
    'The clusters that were read are as planned.\nNot read, so nothing is known of them: member2.\n';
  expect(one).toMatchObject({ code: 1, stdout });
  expect(acknowledged).toMatchObject({ code: 0, stdout });
  expect(none).toMatchObject({ code: 1, stdout: 'No cluster could be read: member1, member2.\n' });
  expect(JSON.parse(all.stdout)).toMatchObject({ drift: [], unread: [] });
});

/** A kubeconfig whose tokens these clusters do not know. */
function refusedBy(...clusters: readonly string[]): string {
  const entries = sandbox.kubeconfig.split(/(?=^ *- name:)/m).map((entry) => {
    const isOne = clusters.some((name) => entry.includes(`name: ${name}\n`));
    return isOne ? entry.replace(/token: .*/, 'token: wrong') : entry;
  });
  put(cwd, 'refused', entries.join(''));
  return '--kubeconfig refused';
}
