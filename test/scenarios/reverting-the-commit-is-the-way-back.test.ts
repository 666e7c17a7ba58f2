import { execFileSync } from 'node:child_process';
import { beforeEach, expect, jest, test } from '@jest/globals';
import { contentsOf, copyOf, put, read, run } from '../bin/run.js';

/*
 * ocm#1198: back to the work before, when the new one fails. In GitOps the rendered manifests and the lock stand in the
 * commit of the change, so the pull request that goes back is `git revert`: it needs no cluster and decides nothing anew.
 */
jest.setTimeout(60_000);

let cwd = '';
beforeEach(() => {
  cwd = copyOf('04-karmada-nginx');
  git('init', '--quiet');
});
const git = (...args: readonly string[]): string =>
  execFileSync('git', ['-c', 'user.name=test', '-c', 'user.email=test@example.io', ...args], {
    cwd,
    encoding: 'utf8',
  });
const synth = async (): Promise<void> => {
  const ran = await run('synth -f . --app nginx --no-frozen', { cwd });
  expect(ran).toMatchObject({ code: 0 });
};
const commit = (message: string): void => {
  git('add', '--all');
  git('commit', '--quiet', '--message', message);
};
/** Without git's own files. */
const tree = (): Record<string, string> =>
  Object.fromEntries(Object.entries(contentsOf(cwd)).filter(([path]) => !path.startsWith('.git/')));

test('manifests and lock of the commit before, byte for byte, and planning again changes nothing', async () => {
  await synth();
  commit('feat: nginx');
  const before = tree();
  put(cwd, 'deployment.yaml', read(cwd, 'deployment.yaml').replace('replicas: 2', 'replicas: 6'));
  await synth();
  commit('feat: more of it');
  const changed = tree();

  git('revert', '--no-edit', 'HEAD');
  const reverted = tree();
  await synth();

  expect(changed).not.toEqual(before);
  expect(reverted).toEqual(before);
  expect(tree()).toEqual(before);
});
