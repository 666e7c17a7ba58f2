import type { Diagnostic } from '../lib/engine/diagnostic.js';
import { describeRef, type ObjectRef } from '../lib/engine/object.js';
import { PROTECTION_LABEL } from '../lib/engine/rollout/index.js';
import type {
  DestroyLook,
  DestroyReport,
  DestroyWave,
  ReleaseProgress,
  UnfinishedDestroy,
} from '../lib/providers/rollout/index.js';
import { printable } from './printable.js';
import { own } from '../lib/engine/own.js';

/** What will go and what stays, cluster by cluster: shown before anybody is asked. */
export function describeLooks(looks: readonly DestroyLook[]): string {
  return looks
    .map(({ cluster, removes, keeps }) => {
      const head = `${cluster}: ${removes.length} objects will be removed`;
      const names = removes.map((resource) => `\n  - ${describeRef(resource)}`);
      const kept = keeps.map(
        ({ resource, reason }) => `\n  keeps ${describeRef(resource)} · ${reason}`,
      );
      return `${head}${[...names, ...kept].join('')}\n`;
    })
    .join('');
}

/** What keeps it from beginning, with the way out of each. `contexts`: kubeconfig contexts of clusters with other names. */
export function obstaclesTo(
  looks: readonly DestroyLook[],
  contexts: Readonly<Record<string, string>>,
): readonly Diagnostic[] {
  return looks.flatMap(({ cluster, obstacles }) =>
    obstacles.map(({ code, resource, message }): Diagnostic => ({
      code,
      severity: 'error',
      summary: message.includes(cluster) ? message : `${cluster}: ${message}`,
      hint: `Nothing was removed anywhere. ${
        resource === undefined
          ? `Check the cluster and its kubeconfig context, or leave it out: --skip ${cluster} (the lock remembers it).`
          : `If it may go, run \`${unprotect(resource, message, own(contexts, cluster) ?? cluster)}\`; else leave the cluster out: --skip ${cluster}.`
      }`,
      ...(resource !== undefined && { resource }),
    })),
  );
}

/** The label stands on the object, or on its namespace: the message says which. */
function unprotect(resource: ObjectRef, message: string, context: string): string {
  const { kind, namespace, name } = resource;
  const onNamespace = namespace !== undefined && message.includes(`: Namespace ${namespace} is`);
  const object = onNamespace
    ? `namespace ${namespace}`
    : `${kind.toLowerCase()}${namespace === undefined ? '' : ` -n ${namespace}`} ${name}`;
  return `kubectl --context ${context} label ${object} ${PROTECTION_LABEL}-`;
}

/** In which order; empty where there is none to speak of. */
export function describeWaves(waves: readonly DestroyWave[]): string {
  if (waves.length < 2) return '';
  const lines = waves.map(({ name, clusters }, i) => `  ${i + 1} ${name}: ${clusters.join(', ')}`);
  return `In this order, the last wave of its rollout first:\n${lines.join('\n')}\n`;
}

const OUTCOMES = { failed: 'failed', aborted: 'interrupted' } as const;

/** What became of it, cluster by cluster, and how to go on. */
export function describeDestroyed({ clusters, untouched }: DestroyReport): string {
  const lines = clusters.flatMap(({ cluster, outcome, deleted, kept, failures }) => [
    `${cluster}: ${outcome === 'done' ? `${deleted.length} objects removed` : OUTCOMES[outcome]}`,
    ...kept.map(({ resource, reason }) => `  kept ${describeRef(resource)} · ${reason}`),
    ...failures.map(({ message }) => `  ${message}`),
  ]);
  const others = untouched.map(({ cluster, why }) => `${cluster}: untouched, ${why}`);
  const after =
    clusters.some(({ outcome }) => outcome !== 'done') || untouched.length > 0
      ? [
          'Run it again to continue; `--skip CLUSTER` leaves out one that cannot be cleared, and the lock remembers it.',
        ]
      : [];
  return `${[...lines, ...others, ...after].join('\n')}\n`;
}

/** While an object does not go: which, and what it waits for. Empty for all other news. */
export function describeWaiting(cluster: string, progress: ReleaseProgress): string {
  return progress.kind === 'waiting'
    ? `${cluster}: ${describeRef(progress.resource)} is ${printable(progress.waitingFor)}\n`
    : '';
}

/** For `status`: a removal that was begun and is not finished, and both ways on. Empty: none. */
export function describeUnfinished(found: readonly UnfinishedDestroy[]): string {
  if (found.length === 0) return '';
  const lines = found.flatMap(({ cluster, since, left, held }) => [
    `  ${cluster}  since ${since}: ${left.length} objects are left`,
    ...held.map(
      ({ resource, waitingFor }) =>
        `    ${describeRef(resource)} is being deleted, waits for ${printable(waitingFor)}`,
    ),
  ]);
  return `A destroy was begun and is not finished; \`fleetwright destroy\` continues it, \`fleetwright up\` brings all back:\n${lines.join('\n')}\n`;
}
