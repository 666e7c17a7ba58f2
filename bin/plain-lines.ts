import { describeSeconds } from '../lib/engine/describe/index.js';
import { describeRef, refKey } from '../lib/engine/object.js';
import type { RolloutProgress } from '../lib/providers/rollout/index.js';
import { printable } from './printable.js';

type ObjectEvent = Extract<RolloutProgress, { kind: 'object' }>;

/** A rollout for logs: a line a change of phase, and why an object's pods are not ready, whenever that is something new. */
export class PlainLines {
  private readonly said = new Map<string, string>();

  of(event: RolloutProgress): readonly string[] {
    const at = `[${(event.atMs / 1000).toFixed(1).padStart(6)} s]`;
    const why = 'reason' in event && event.reason !== undefined ? ` · ${event.reason}` : '';
    return this.textOf(event, why).map((text) => `${at} ${text}`);
  }

  private textOf(event: RolloutProgress, why: string): readonly string[] {
    switch (event.kind) {
      case 'wave':
        return [printable(`wave ${event.wave}: ${event.phase}${why}`)];
      case 'cluster':
        return event.phase === 'waiting' ? [] : [about(event.cluster, `${event.phase}${why}`)];
      case 'settle':
        return [about(event.cluster, `${event.phase}${why}`)];
      case 'note':
        return [about(event.cluster, event.message)];
      case 'object':
        return this.ofObject(event);
      case 'rollback':
        return [
          `back to ${event.revision === undefined ? 'what was there before' : `revision ${event.revision}`}: ${event.waves.join(', ')}`,
        ];
      case 'outcome':
        return [`${event.outcome} after ${describeSeconds(event.atMs / 1000)}`];
    }
  }

  private ofObject({ cluster, progress }: ObjectEvent): readonly string[] {
    const name = describeRef(progress.resource);
    if (progress.kind === 'deleted') return [about(cluster, `${name} deleted`)];
    if (progress.kind !== 'waiting' || progress.pods === undefined) return [];
    const key = `${cluster} ${refKey(progress.resource)}`;
    const text = JSON.stringify([progress.pods, progress.log]);
    if (this.said.get(key) === text) return [];
    this.said.set(key, text);
    return [
      about(cluster, `${name}: ${progress.waitingFor}`),
      ...(progress.log ?? []).map((line) => about(cluster, `log: ${line}`)),
    ];
  }
}

/** One line below its wave; what is not ours in it is made harmless. */
function about(cluster: string, text: string): string {
  return `  ${cluster}: ${printable(text)}`;
}
