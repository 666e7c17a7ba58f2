import type { ObjectRef } from '../../api/object.js';
import type { Rollout, RolloutWave } from '../../api/rollout.js';
import type { Diagnostic } from '../diagnostic.js';

export function duplicateNames(rollout: Rollout): readonly Diagnostic[] {
  const names = rollout.spec.waves.map((wave) => wave.name);
  return names.flatMap((name, index): Diagnostic[] =>
    names.indexOf(name) === index
      ? []
      : [
          {
            code: 'FIELD_INVALID',
            severity: 'error',
            summary: `Two waves are named "${name}".`,
            hint: 'Give each wave its own name: approvals and reports refer to it.',
            resource: refOfRollout(rollout),
            path: ['spec', 'waves', index, 'name'],
          },
        ],
  );
}

export function excessivePercentages(
  rollout: Rollout,
  at: number,
  run: number,
): readonly Diagnostic[] {
  const total = rollout.spec.waves
    .slice(at, at + run)
    .reduce((sum, wave) => sum + (wave.percentage ?? 0), 0);
  if (total <= 100) return [];
  return [
    {
      code: 'FIELD_INVALID',
      severity: 'error',
      summary: `The percentages of ${run} consecutive waves add up to ${total}, more than 100.`,
      hint: 'Percentages of consecutive waves share the clusters that are left at the first of them.',
      resource: refOfRollout(rollout),
      path: ['spec', 'waves', at, 'percentage'],
    },
  ];
}

export function emptyWave(rollout: Rollout, spec: RolloutWave, index: number): Diagnostic {
  return {
    code: 'WAVE_EMPTY',
    severity: 'warning',
    summary: `Wave "${spec.name}" has no cluster: none that is left matches it, or its percentage rounds to zero.`,
    hint: 'Its gate is skipped. Correct the wave, or remove it.',
    resource: refOfRollout(rollout),
    path: ['spec', 'waves', index],
  };
}

export function unassigned(rollout: Rollout, names: readonly string[]): Diagnostic {
  const shown =
    names.slice(0, 20).join(', ') + (names.length > 20 ? `, … (${names.length} in all)` : '');
  return {
    code: 'WAVE_CLUSTER_UNASSIGNED',
    severity: 'warning',
    summary: `${names.length === 1 ? 'Cluster' : 'Clusters'} ${shown} ${names.length === 1 ? 'belongs' : 'belong'} to no wave and will change last.`,
    hint: 'Add a last wave without clusterAffinity and percentage: it takes all that are left.',
    resource: refOfRollout(rollout),
    path: ['spec', 'waves'],
  };
}

function refOfRollout({ apiVersion, kind, metadata: { name, namespace } }: Rollout): ObjectRef {
  return { apiVersion, kind, ...(namespace !== undefined && { namespace }), name };
}
