import type { PlacedBinding } from './binding.js';
import type { Diagnostic } from './diagnostic.js';
import { describeRef } from './object.js';
import { about } from './validate.js';

/** A binding that could not be placed, said once, with the most frequent reasons and a way out. */
export function placementDiagnostics(placed: readonly PlacedBinding[]): readonly Diagnostic[] {
  return placed
    .filter((binding) => binding.decision.kind === 'failed')
    .map((binding) => {
      const noRoom =
        binding.verdicts.some((v) => v.code === undefined || v.chosen) ||
        /not enough|no enough/.test(binding.decision.reason);
      const kept =
        binding.clusters.length === 0
          ? ''
          : ` It stays on ${binding.clusters.map((c) => c.name).join(', ')}.`;
      return about(binding.template, {
        severity: 'error',
        code: noRoom ? 'PLACEMENT_NOT_ENOUGH_CAPACITY' : 'PLACEMENT_NO_CLUSTER_FITS',
        summary: `${describeRef(binding.resource)} cannot be placed: ${binding.decision.reason}${binding.decision.reason.endsWith('.') ? '' : '.'}${kept}`,
        hint: hintFor(binding),
      });
    });
}

const HINTS: Readonly<Record<string, string>> = {
  TaintToleration: 'Add a toleration to `placement.clusterTolerations`, or choose other clusters.',
  APIEnablement:
    'Install the CRD on the clusters (or add it to the templates), and refresh the fleet.',
  ClusterAffinity:
    'Check names, labels and fields in `placement.clusterAffinity` against the fleet.',
  SpreadConstraint: 'Give the clusters the field that the spread constraint groups by.',
};

function hintFor(binding: PlacedBinding): string {
  const counts = new Map<string, number>();
  for (const { code } of binding.verdicts)
    if (code !== undefined) counts.set(code, (counts.get(code) ?? 0) + 1);
  const [most] = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  return (
    (most === undefined ? undefined : HINTS[most[0]]) ??
    'Lower the requests or replicas, widen the placement, or refresh the fleet if it is old.'
  );
}
