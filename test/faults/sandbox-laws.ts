import type { KubeObject } from '../../lib/api/object.js';
import { MARKS } from '../../lib/engine/plan.js';
import { readiness } from '../../lib/engine/rollout/index.js';
import type { Sandbox } from '../../lib/providers/sandbox/index.js';
import { WAVES } from './project.js';

/** What a cluster has of the application: revision and replicas by `Kind name`. */
export type Holding = Readonly<Record<string, string>>;
export type Holdings = Readonly<Record<string, Holding>>;

const NAMESPACE = 'shop';

export function holdingsOf(sandbox: Sandbox): Holdings {
  return Object.fromEntries(WAVES.map((cluster) => [cluster, holdingOf(sandbox, cluster)]));
}

function holdingOf(sandbox: Sandbox, cluster: string): Holding {
  const own = sandbox
    .cluster(cluster)
    .objects()
    .filter(
      ({ metadata }) =>
        metadata.namespace === NAMESPACE && metadata.annotations?.[MARKS.revision] !== undefined,
    )
    .map((object) => [`${object.kind} ${object.metadata.name ?? ''}`, describe(object)] as const);
  return Object.fromEntries(own.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function describe(object: KubeObject): string {
  const revision = object.metadata.annotations?.[MARKS.revision] ?? 'none';
  const replicas = (object['spec'] as { replicas?: number } | undefined)?.replicas;
  return replicas === undefined ? revision : `${revision} x${replicas}`;
}

export interface Laws {
  /** Clusters in the order in which they may change. */
  readonly order: readonly string[];
  readonly from: Holdings;
  readonly to: Holdings;
  /** Ready pods that there must be at any time, over all clusters. */
  readonly floor: number;
}

/**
 * The laws, asked in the clusters before each request is answered:
 *
 * 1. Nothing is written to a cluster before all clusters before it in the order are rolled out at the revision to come.
 * 2. Nothing is deleted before all clusters were (some shrink again while others remove).
 * 3. The ready pods of all clusters together never fall below the floor.
 * 4. No object has a revision that neither was there nor is to come, or goes back to what was there.
 * 5. An object that is as it is to be is not written again.
 *
 * @returns the check for one cluster and its request; sentences of what it finds go to `complaints`
 */
export function watchLaws(
  sandbox: Sandbox,
  { order, from, to, floor }: Laws,
  complaints: string[],
): (cluster: string, request: { readonly method: string; readonly path: string }) => void {
  const arrived = new Set<string>();
  const proven = new Set<string>();
  const isRolledOut = (cluster: string): boolean => {
    const web = sandbox.cluster(cluster).objects().find(isWeb);
    const revision = web?.metadata.annotations?.[MARKS.revision];
    const planned = to[cluster]?.['Deployment web']?.split(' ')[0];
    return web !== undefined && revision === planned && readiness(web).ready;
  };
  const readyPods = (): number =>
    WAVES.reduce((sum, cluster) => {
      const web = sandbox.cluster(cluster).objects().find(isWeb);
      const status = web?.['status'] as { readyReplicas?: number } | undefined;
      return sum + (status?.readyReplicas ?? 0);
    }, 0);

  return (cluster, { method, path }) => {
    const complain = (what: string): void =>
      void complaints.push(`${method} ${path} on ${cluster}: ${what}`);
    const now = holdingOf(sandbox, cluster);
    for (const [name, held] of Object.entries(now)) {
      const revision = held.split(' ')[0];
      const key = `${cluster} ${name}`;
      const isNew = revision === to[cluster]?.[name]?.split(' ')[0];
      const isOld = revision === from[cluster]?.[name]?.split(' ')[0];
      if (isNew) arrived.add(key);
      if (!isNew && !isOld) complain(`${name} has the unknown revision ${revision ?? ''}`);
      if (!isNew && arrived.has(key)) complain(`${name} went back to ${revision ?? ''}`);
    }
    if (readyPods() < floor) complain(`only ${readyPods()} pods are ready`);
    for (const one of order) if (isRolledOut(one)) proven.add(one);
    const target = /^\/.*\/namespaces\/shop\/(configmaps|deployments)\/([^/]+)$/.exec(path);
    if (method === 'GET' || target === null) return;
    const late =
      method === 'DELETE'
        ? order.filter((one) => !proven.has(one))
        : order.slice(0, order.indexOf(cluster)).filter((one) => !isRolledOut(one));
    if (late.length > 0) complain(`${late.join(', ')} not rolled out`);
    const name = `${target[1] === 'deployments' ? 'Deployment' : 'ConfigMap'} ${target[2] ?? ''}`;
    if (method === 'PATCH' && now[name] !== undefined && now[name] === to[cluster]?.[name])
      complain(`${name} is as it is to be`);
  };
}

const isWeb = ({ kind, metadata }: KubeObject): boolean =>
  kind === 'Deployment' && metadata.namespace === NAMESPACE && metadata.name === 'web';
