import { describe, expect, test } from '@jest/globals';
import type { EngineLink } from '../../../lib/providers/pulumi/engine-link.js';
import * as provider from '../../../lib/providers/pulumi/provider.js';
import { toWire } from '../../../lib/providers/pulumi/release-wire.js';
import type { Session } from '../../../lib/providers/pulumi/session.js';
import type { LockInputs, ReleaseInputs } from '../../../lib/providers/pulumi/wire.js';
import { PROVIDER } from '../../../lib/providers/pulumi/wire.js';
import { ProviderError, type ClusterClient } from '../../../lib/providers/cluster/client.js';
import { aNamespace, aRelease } from '../rollout/releases.js';

/** Dry runs in Pulumi come in the order of the waves; the clusters are asked together all the same. */
const COMMON = { application: 'shop', environment: '', __urn: 'urn', __provider: PROVIDER };
const UNKNOWN = '04da6b54-80e4-46f7-96ec-b56ff0331ba9';

function accessTo(cluster: string) {
  return { cluster, kubeconfigPath: '', context: cluster, kubeconfig: '' };
}

function lockOf(clusters: Readonly<Record<string, string>>): LockInputs {
  return { ...COMMON, kind: 'lock', serial: 1, content: 'c', __clusters: clusters };
}

function releaseOf(cluster: string): ReleaseInputs {
  return {
    ...COMMON,
    ...toWire(aRelease(cluster, [aNamespace()]), accessTo(cluster)),
    kind: 'release',
    hash: 'h',
    held: false,
    orphaned: false,
    deadlineSeconds: 5,
    __maxFailures: 0,
    __dryRun: true,
  };
}

/** A provider process whose clusters answer as told; every connection is counted. */
function process(connect: (cluster: string) => Promise<ClusterClient>) {
  const opened: string[] = [];
  const said: string[] = [];
  const link: EngineLink = {
    signal: new AbortController().signal,
    status: (_urn, text) => void said.push(text),
  };
  const session: Session = {
    link,
    failures: new Map(),
    answers: new Map(),
    open: ({ cluster }) => {
      opened.push(cluster);
      return connect(cluster);
    },
  };
  provider.useSession(session);
  return { opened, said };
}

const silent = (cluster: string): Promise<never> =>
  Promise.reject(new ProviderError('timeout', `${cluster}: no answer within 8 s`, { cluster }));

describe('clusters that do not answer', () => {
  test('are asked at once, before the first release, and never again', async () => {
    const { opened, said } = process(silent);
    const clusters = Object.fromEntries(
      ['a', 'b', 'c'].map((name) => [name, JSON.stringify(accessTo(name))]),
    );

    await provider.check({}, lockOf(clusters));
    expect(opened).toEqual(['a', 'b', 'c']);
    const checks = await Promise.all(
      ['a', 'b', 'c'].map((name) => provider.check({}, releaseOf(name))),
    );

    expect(opened).toEqual(['a', 'b', 'c']);
    expect(checks.flatMap(({ failures }) => failures)).toEqual([]);
    expect(said).toEqual([
      'a: no answer within 8 s; its objects were not checked',
      'b: no answer within 8 s; its objects were not checked',
      'c: no answer within 8 s; its objects were not checked',
    ]);
  });

  test('are asked in their turn where nothing was known of them before', async () => {
    const { opened } = process(silent);

    await provider.check({}, lockOf({ a: UNKNOWN }));
    await provider.check({}, releaseOf('a'));

    expect(opened).toEqual(['a']);
  });

  test('that refuse are asked again, for the whole story', async () => {
    const { opened } = process((cluster) =>
      Promise.reject(new ProviderError('unauthorized', `${cluster}: token expired`, { cluster })),
    );

    await provider.check({}, lockOf({ a: JSON.stringify(accessTo('a')) }));
    const { failures } = await provider.check({}, releaseOf('a'));

    expect(opened).toEqual(['a', 'a']);
    expect(failures).toMatchObject([{ reason: expect.stringContaining('token expired') }]);
  });

  test('leave nothing of how they are reached in what is kept', async () => {
    process(silent);
    const secret = JSON.stringify({ ...accessTo('a'), kubeconfig: 'token: hunter2' });

    const { inputs } = await provider.check({}, lockOf({ a: secret }));

    expect(inputs).toEqual({ ...COMMON, kind: 'lock', serial: 1, content: 'c' });
  });
});
