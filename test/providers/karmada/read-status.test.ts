import { afterEach, describe, expect, jest, test } from '@jest/globals';
import type { KarmadaStatus } from '../../../lib/engine/karmada/index.js';
import { ProviderError, type ClusterClient } from '../../../lib/providers/cluster/index.js';
import { readKarmadaStatus } from '../../../lib/providers/karmada/index.js';
import {
  aConfigMap,
  aDeployment,
  aKarmadaPlan,
  aPolicy,
  followingConfigMap,
  withEnvironment,
} from './documents.js';
import { ONE, Site, TWO } from './site.js';

jest.setTimeout(60_000);

let site: Site;
afterEach(() => site.plane.close());

const documents = [aPolicy(), aDeployment(ONE)];
const statusOf = (client: ClusterClient = site.plane.client): Promise<KarmadaStatus> =>
  readKarmadaStatus(aKarmadaPlan(documents), documents, client);

/** A client of somebody who may read and not write, or whom the server fails. */
const whoseApply = (failure: 'forbidden' | 'server'): ClusterClient => ({
  ...bound(site.plane.client),
  apply: () =>
    Promise.reject(new ProviderError(failure, 'patch is refused', { cluster: 'karmada' })),
});

describe('the status of a control plane', () => {
  test('who may not ask for a dry run learns the rest, and that this could not be compared', async () => {
    site = await Site.running();

    const status = await statusOf(whoseApply('forbidden'));

    expect(status.ready).toBe(false);
    expect(status.documents).toEqual([
      expect.objectContaining({ state: 'unknown', reason: 'patch is refused' }),
      expect.objectContaining({ state: 'unknown', reason: 'patch is refused' }),
    ]);
    expect(status.templates[0]).toMatchObject({
      state: 'unknown',
      findings: ['could not be compared with the plan'],
      behind: [],
    });
    expect(status.templates[0]?.clusters.map(({ ready }) => ready)).toEqual([true, true, true]);
  });

  test('a control plane that fails in the middle is a failure, not a status', async () => {
    site = await Site.running();

    await expect(statusOf(whoseApply('server'))).rejects.toThrow('patch is refused');
  });

  test('what follows a workload is there by its Works, with no policy of its own', async () => {
    const policy = aPolicy(undefined, { spec: { propagateDeps: true } });
    const needing = [policy, withEnvironment(aDeployment(ONE), 'settings'), aConfigMap('1')];
    site = await Site.empty();
    expect((await site.up(needing, {}, {}, followingConfigMap)).outcome).toBe('done');
    const plan = followingConfigMap(aKarmadaPlan(needing));

    const { templates, ready } = await readKarmadaStatus(plan, needing, site.plane.client);

    expect(templates.find(({ resource }) => resource.kind === 'ConfigMap')).toMatchObject({
      policy: null,
      plannedPolicy: null,
      ready: true,
      behind: [],
      clusters: [{ cluster: 'member1' }, { cluster: 'member2' }, { cluster: 'member3' }],
    });
    expect(ready).toBe(true);
  });

  test('a killed run leaves a picture of where it was', async () => {
    site = await Site.running();
    site.plane.fake.options.neverReadyOn = new Set(['member2']);
    const changed = [aPolicy(), aDeployment(TWO)];
    const stop = new AbortController();
    const report = await site.up(changed, undefined, {
      signal: stop.signal,
      onEvent: (event) => {
        const isAtWork = event.kind === 'object' && event.cluster === 'member2';
        if (
          isAtWork &&
          event.progress.kind === 'waiting' &&
          /updated/.test(event.progress.waitingFor)
        )
          stop.abort();
      },
    });

    const status = await readKarmadaStatus(aKarmadaPlan(changed), changed, site.plane.client);

    expect(report.outcome).toBe('aborted');
    expect(status.rollout).toMatchObject({
      step: 'waves',
      waves: [
        { name: 'member3', phase: 'done', released: ['member3'] },
        { name: 'member2', phase: 'released', released: ['member2'] },
        { name: 'member1', phase: 'held', held: ['member1'] },
      ],
    });
    expect(status.templates[0]?.clusters.map(({ waitingFor }) => waitingFor)).toEqual([
      'the Work is suspended',
      '0 of 2 updated',
      '',
    ]);
    expect(status.templates[0]?.behind).toEqual(['member1']);
  });
});

/** The client's verbs as values: a spread copies none of a class. */
function bound(client: ClusterClient): ClusterClient {
  return {
    cluster: client.cluster,
    discover: (options) => client.discover(options),
    get: (ref) => client.get(ref),
    list: (kind, options) => client.list(kind, options),
    watch: (kind, options, signal) => client.watch(kind, options, signal),
    apply: (object, options) => client.apply(object, options),
    delete: (ref, options) => client.delete(ref, options),
    raw: (path) => client.raw(path),
    close: () => client.close(),
  };
}
