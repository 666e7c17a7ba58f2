import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { startSandbox, type Sandbox } from '../../lib/providers/sandbox/index.js';
import { printDocuments } from '../../lib/providers/source/index.js';
import { emptyFolder, put, run } from './run.js';

jest.setTimeout(60_000);

/** What the clusters would refuse is found when `up` reads them, before anything is written. */
let sandbox: Sandbox;
let cwd = '';
let namespace = '';
let count = 0;

beforeAll(async () => {
  sandbox = await startSandbox({ clusters: [{ name: 'eu-1' }] });
});
afterAll(() => sandbox.close());
beforeEach(() => {
  cwd = emptyFolder();
  namespace = `shop-${(count += 1)}`;
  writeFileSync(join(cwd, 'kubeconfig'), sandbox.kubeconfig);
  put(cwd, 'fleet.yaml', printDocuments(sandbox.fleet()));
});

interface Facts {
  readonly immutable?: boolean;
  readonly metadata?: object;
}
const writes = (): readonly string[] =>
  sandbox
    .cluster('eu-1')
    .requests.filter(({ method }) => method !== 'GET')
    .map(({ method, path }) => `${method} ${path}`);
const up = (app: string, more = '--yes'): ReturnType<typeof run> =>
  run(
    `up -f app --app ${app} --kubeconfig kubeconfig --lock ${app}.lock.yaml --no-frozen ${more}`,
    {
      cwd,
    },
  );
const aConfigMap = (name: string, mode: string, facts: Facts = {}): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  ...facts,
  metadata: { name, namespace, ...facts.metadata },
  data: { MODE: mode },
});
/** The application: these, everywhere. */
const write = (...objects: readonly object[]): void => {
  const selector = { apiVersion: 'v1', kind: 'ConfigMap' };
  const policy = {
    apiVersion: 'policy.karmada.io/v1alpha1',
    kind: 'PropagationPolicy',
    metadata: { name: 'all', namespace },
    spec: { resourceSelectors: [selector], placement: {} },
  };
  put(cwd, 'app/app.yaml', printDocuments([...objects, policy]));
};
const stored = (name: string): Record<string, unknown> | undefined =>
  sandbox
    .cluster('eu-1')
    .objects()
    .find((object) => object.kind === 'ConfigMap' && object.metadata.name === name) as
    Record<string, unknown> | undefined;

describe('up', () => {
  test('APPLY_CONFLICT: a second application finds out whose object it is before anything is written', async () => {
    write(aConfigMap('env', 'a'));
    await up(`billing-${count}`);
    const before = writes().length;

    const second = await up(`web-${count}`);

    expect(second.code).toBe(1);
    expect(second.stderr).toContain(
      `ConfigMap ${namespace}/env on eu-1 belongs to application "billing-${count}", and application "web-${count}" plans it too`,
    );
    expect(writes()).toHaveLength(before);
    expect(existsSync(join(cwd, `web-${count}.lock.yaml`))).toBe(false);
    expect(stored(`fleetwright-web-${count}`)).toBeUndefined();
  });

  test('FIELD_IMMUTABLE: refused until it is named, then replaced', async () => {
    const app = `web-${count}`;
    write(aConfigMap('env', 'a', { immutable: true }));
    await up(app);
    write(aConfigMap('env', 'b', { immutable: true }));
    const before = writes().length;

    const refused = await up(app);
    const untouched = writes().length;
    const named = await up(app, `--yes --acknowledge FIELD_IMMUTABLE=ConfigMap/${namespace}/env`);

    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('(.data)') });
    expect(untouched).toBe(before);
    expect(named.code).toBe(0);
    expect(named.stdout).toContain('±1 replaced');
    expect(
      writes()
        .slice(before)
        .some((write) => write.startsWith('DELETE ')),
    ).toBe(true);
  });

  test('DELETION_PROTECTED: what left the templates stays, run after run', async () => {
    const app = `web-${count}`;
    const labels = { 'resourcetemplate.karmada.io/deletion-protected': 'Always' };
    write(aConfigMap('env', 'a', { metadata: { labels } }), aConfigMap('other', 'a'));
    await up(app);
    write(aConfigMap('other', 'a'));

    const first = await up(app);
    const second = await up(app);

    for (const ran of [first, second]) {
      expect(ran.stderr).toContain('DELETION_PROTECTED');
      expect(ran.code).toBe(0);
    }
    expect(stored('env')).toBeDefined();
  });
});
