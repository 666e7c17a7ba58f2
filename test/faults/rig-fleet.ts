import { parse, stringify } from 'yaml';
import { readFileSync } from 'node:fs';
import type { KubeObject } from '../../lib/api/object.js';
import { refOf } from '../../lib/engine/object.js';
import type { Plan } from '../../lib/engine/plan.js';
import type { Rig } from '../rig/rig.js';
import {
  aConfigMap,
  aDeployment,
  aNamespace,
  aPlan,
  aRelease,
  aWave,
} from '../providers/rollout/releases.js';
import type { Trial } from './judge.js';
import type { TcpProxy } from './tcp-proxy.js';

export const [CANARY, MIDDLE, LAST] = ['member1', 'member2', 'member3'] as const;
export const MEMBERS = [CANARY, MIDDLE, LAST] as const;

/** The rig's kubeconfig, with some clusters reached through proxies; `user` says how to sign in there. */
export function kubeconfigThrough(
  rig: Rig,
  proxies: Readonly<Record<string, TcpProxy>>,
  user: object = { token: rig.adminToken },
): string {
  const config = parse(readFileSync(rig.kubeconfig, 'utf8')) as {
    clusters: { name: string; cluster: object }[];
    users: { name: string; user: object }[];
    contexts: { name: string; context: object }[];
  };
  const through = Object.entries(proxies).map(([name, { server, authority }]) => ({
    name: `${name}-proxy`,
    cluster: {
      server,
      'certificate-authority-data': Buffer.from(authority).toString('base64'),
    },
  }));
  return stringify({
    ...config,
    clusters: [...config.clusters, ...through],
    users: [...config.users, { name: 'through-proxy', user }],
    contexts: config.contexts.map((one) =>
      proxies[one.name] === undefined
        ? one
        : { name: one.name, context: { cluster: `${one.name}-proxy`, user: 'through-proxy' } },
    ),
  });
}

/** Replicas of `web` by cluster: two move from the first to the last cluster. */
const BEFORE = { [CANARY]: 3, [MIDDLE]: 1, [LAST]: 1 } as const;
const AFTER = { [CANARY]: 1, [MIDDLE]: 1, [LAST]: 3 } as const;

export interface Story {
  readonly old: Plan;
  readonly next: Plan;
  readonly trial: Trial;
}

/**
 * An application on three clusters in three waves, and its next version: another image, another ConfigMap, replicas that move
 * from the first to the last wave, a ConfigMap that goes.
 */
export function aStory(namespace: string): Story {
  const gate = { deadlineSeconds: 60 };
  const waves = MEMBERS.map((name) => aWave(name, [name], gate));
  const objects = (replicas: number, version: number): readonly KubeObject[] => [
    aNamespace(namespace),
    aConfigMap('env', { VERSION: String(version) }, namespace),
    aDeployment('web', { namespace, replicas, image: `nginx:${version}` }),
  ];
  const goes = aConfigMap('old', {}, namespace);
  const old = aPlan(
    [aWave('all', MEMBERS, gate)],
    MEMBERS.map((cluster) =>
      aRelease(cluster, [...objects(BEFORE[cluster], 1), goes], { application: namespace }),
    ),
  );
  const deletions = [{ resource: refOf(goes), reason: 'the template is gone' }];
  const next = aPlan(
    waves,
    MEMBERS.map((cluster) =>
      aRelease(cluster, objects(AFTER[cluster], 2), { application: namespace, deletions }),
    ),
  );
  const revisions = Object.fromEntries(
    next.releases.map(({ cluster, manifests }) => [
      cluster,
      manifests.find(({ resource }) => resource.kind === 'Deployment')?.revision ?? '',
    ]),
  );
  const trial = {
    namespace,
    waves: MEMBERS.map((name) => [name]),
    revisions,
    floor: 5,
    before: BEFORE,
  };
  return { old, next, trial };
}

/** Ready pods by cluster once all is done. */
export const REPLICAS_AFTER = AFTER;
