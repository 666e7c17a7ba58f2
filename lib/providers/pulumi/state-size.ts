import type { Diagnostic } from '../../engine/diagnostic.js';
import type { Plan } from '../../engine/plan.js';
import { pack, toWire } from './release-wire.js';

/**
 * Pulumi writes the whole state at every step, twice. Measured with a file backend: 1,000 resources of 2 kB take one minute to
 * create and two to update; beyond this an `up` is mostly writing.
 */
const MOST_RESOURCES = 1000;
const MOST_MEGABYTES = 64;

/** How much of a Pulumi state the plan fills. */
export interface StateSize {
  readonly resources: number;
  readonly bytes: number;
}

export function stateSizeOf({ releases, waves }: Plan): StateSize {
  let bytes = 0;
  for (const release of releases) {
    const { cluster } = release;
    const wire = toWire(release, { cluster, kubeconfigPath: '', context: cluster, kubeconfig: '' });
    const inputs = JSON.stringify(wire).length;
    // Inputs; what was applied, in the outputs; once more for the gate and for settling.
    bytes += inputs + 3 * pack(wire).length;
  }
  // Lock guard and settle step.
  return { resources: releases.length + waves.length + 2, bytes };
}

/** PLAN_TOO_LARGE: refused with the figures, unless acknowledged. */
export function judgeSize(plan: Plan, acknowledge: readonly string[]): Diagnostic[] {
  const { resources, bytes } = stateSizeOf(plan);
  const megabytes = Math.ceil(bytes / 1_000_000);
  if (resources <= MOST_RESOURCES && megabytes <= MOST_MEGABYTES) return [];
  const clusters = plan.releases.length;
  return [
    {
      code: 'PLAN_TOO_LARGE',
      severity: acknowledge.includes('PLAN_TOO_LARGE') ? 'warning' : 'error',
      summary: `The plan needs ${resources} resources and about ${megabytes} MB of Pulumi state (${clusters} releases, one a cluster); a stack holds ${MOST_RESOURCES} and ${MOST_MEGABYTES} MB.`,
      hint: `Split it into ${Math.max(2, Math.ceil(Math.max(resources / MOST_RESOURCES, megabytes / MOST_MEGABYTES)))} stacks or more: by application, or by clusters (a \`fleet\` with a part of them and an \`environment\` of its own each). To go on all the same: \`acknowledge: ['PLAN_TOO_LARGE']\`.`,
    },
  ];
}
