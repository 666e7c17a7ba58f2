import type { KubeObject } from '../../api/object.js';
import { compareStrings, sorted } from '../compare.js';
import { describeSeconds } from '../describe/style.js';
import { describeRef, refOf } from '../object.js';
import type { Plan, PlannedWave } from '../plan.js';
import { isActing } from './acting.js';

/**
 * The waves as what is written to `spec.suspension.dispatchingOnClusters`, one line a step. What acts on a control plane by
 * itself (FederatedHPA, MultiClusterService, …) is named: nothing else in a plan shows it.
 */
export function describeKarmadaSteps(
  plan: Plan,
  documents: readonly KubeObject[],
): readonly string[] {
  const acting = sorted(
    new Set(documents.filter(isActing).map((one) => describeRef(refOf(one)))),
    compareStrings,
  );
  const asTheyAre =
    acting.length === 0
      ? []
      : [
          `write ${acting.join(', ')} as ${acting.length === 1 ? 'it is' : 'they are'}: Karmada acts on ${acting.length === 1 ? 'it' : 'them'} at once, in no wave`,
        ];
  const [hold, write, ...waves] = stepsOf(plan);
  const before = [hold, write].filter((line) => line !== undefined);
  return numbered([...before, ...asTheyAre, ...waves]);
}

function numbered(lines: readonly string[]): readonly string[] {
  return lines.map((line, i) => `${i === 0 ? 'Steps ' : '      '}  ${i + 1} ${line}`);
}

function stepsOf(plan: Plan): readonly string[] {
  const clusters = new Set(
    plan.bindings
      .filter(({ policy }) => policy !== null)
      .flatMap((binding) => [
        ...binding.assignments.map(({ cluster }) => cluster),
        ...binding.left.map(({ cluster }) => cluster),
      ]),
  );
  if (clusters.size === 0) return [];
  const held = new Set(clusters);
  const lines = [
    `suspend ${list(held)}, until every Work says so`,
    'write templates, policies and overrides; stop if Karmada decides otherwise',
  ];
  for (const wave of plan.waves) {
    const freed = wave.clusters.filter((cluster) => clusters.has(cluster));
    if (freed.length === 0) continue;
    for (const cluster of freed) held.delete(cluster);
    const rest =
      held.size === 0 ? 'nothing is suspended any more' : `still suspended: ${list(held)}`;
    lines.push(`wave ${wave.name}: ${gateOf(wave)}release ${list(new Set(freed))}; ${rest}`);
  }
  const leaving = new Set(
    plan.bindings
      .filter(({ policy }) => policy !== null)
      .flatMap((binding) => binding.left.map(({ cluster }) => cluster)),
  );
  if (leaving.size > 0)
    lines.push(`settle: shrink, ${list(leaving)} leave${leaving.size === 1 ? 's' : ''}`);
  return lines;
}

function gateOf({ gate, maxConcurrent, clusters }: PlannedWave): string {
  const approval = gate.approval ? 'after approval, ' : '';
  const window = gate.windows === undefined ? '' : 'inside its time window, ';
  const few = maxConcurrent < clusters.length ? `${maxConcurrent} at a time, ` : '';
  const soak = gate.soakSeconds > 0 ? `soak ${describeSeconds(gate.soakSeconds)}, ` : '';
  return `${approval}${window}${few}${soak}`;
}

function list(names: ReadonlySet<string>): string {
  const all = sorted(names, compareStrings);
  return all.length <= 5
    ? all.join(', ')
    : `${all.slice(0, 4).join(', ')} and ${all.length - 4} more`;
}
