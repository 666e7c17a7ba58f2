import type { Plan } from '../lib/engine/plan.js';
import type { Connect } from '../lib/providers/cluster/index.js';
import type { TemplateObservation } from '../lib/providers/rollout/index.js';
import { namesOf } from './difference.js';
import { commandOf } from './other-command.js';

/** A wave that goes no further before a person says so. */
export interface WaitingWave {
  readonly wave: string;
  readonly waitsFor: 'approval';
  /** Those that do not have the plan. */
  readonly clusters: readonly string[];
  /** An earlier wave that is not through: this one's turn comes after it. */
  readonly after?: string;
  /** Approvals that are recorded there and do not count, one sentence each. */
  readonly notes: readonly string[];
  /** What lets it pass. */
  readonly command: string;
}

/**
 * Waves of a plan that wait for approval, judged by what was observed; in the order of the waves. The clusters are
 * asked for their marks only where such a wave has something to do. `args` are those of this `status`.
 */
export async function waitingWaves(
  plan: Plan,
  observations: readonly TemplateObservation[],
  connect: Connect,
  args: readonly string[],
): Promise<readonly WaitingWave[]> {
  const all = observations.flatMap(({ clusters }) => clusters);
  const behind = new Set(
    all.flatMap((c) => (c.isCurrent || c.error !== undefined ? [] : c.cluster)),
  );
  const open = new Set(all.flatMap((c) => (c.ready ? [] : c.cluster)));
  const waves = plan.waves.filter(
    ({ gate, clusters }) => gate.approval && clusters.some((cluster) => behind.has(cluster)),
  );
  if (waves.length === 0) return [];
  const { describeOtherApproval, lookAtGates, STEADY_CLOCK } =
    await import('../lib/providers/rollout/index.js');
  const look = await lookAtGates({ waves, releases: plan.releases }, connect, STEADY_CLOCK);
  return waves
    .filter(({ name }) => !look.approved.includes(name))
    .map(({ name, clusters }) => {
      const earlier = plan.waves.slice(
        0,
        plan.waves.findIndex((one) => one.name === name),
      );
      const after = earlier.find((one) => one.clusters.some((cluster) => open.has(cluster)))?.name;
      return {
        wave: name,
        waitsFor: 'approval',
        clusters: clusters.filter((cluster) => behind.has(cluster)),
        ...(after !== undefined && { after }),
        notes: look.approvedOther
          .filter(({ cluster }) => clusters.includes(cluster))
          .map((other) => `${other.cluster}: ${describeOtherApproval(other)}`),
        command: approveWith(name, args),
      };
    });
}

/** `approve` with the flags of a `status`; what only says how to print is left out. */
function approveWith(wave: string, args: readonly string[]): string {
  const words = args.filter((word) => word !== '--json' && word !== '--no-color');
  const at = words.indexOf('status');
  return commandOf([...words.slice(0, at), 'approve', wave, ...words.slice(at + 1)]);
}

/** For people: what waits, and the command that lets it pass. */
export function describeWaiting(waiting: readonly WaitingWave[]): string {
  return waiting
    .map(({ wave, clusters, after, notes, command }) => {
      const head = `Wave ${wave} (${namesOf(clusters)})`;
      const what =
        after === undefined
          ? 'waits for approval'
          : `waits for approval, once wave ${after} is through`;
      return `\n${head} ${what}: ${command}\n${notes.map((note) => `  ${note}\n`).join('')}`;
    })
    .join('');
}
