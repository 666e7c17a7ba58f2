import type { Diagnostic } from '../diagnostic.js';
import { describeRef, refKey, refOf } from '../object.js';
import type { Plan } from '../plan.js';
import type { PreviewedObject } from './preview.js';
import type { Proposal, Skipped } from './propose.js';

export interface FindingOptions {
  /** Restarts were named and are wanted. */
  readonly allowRestart: boolean;
}

/**
 * What speaks against applying: ADOPT_WOULD_RESTART for every object whose pods would be made anew (an error, unless
 * restarts are allowed).
 */
export function adoptionFindings(
  objects: readonly PreviewedObject[],
  { allowRestart }: FindingOptions,
): readonly Diagnostic[] {
  return objects.flatMap((one): readonly Diagnostic[] => {
    if (!one.exists || !one.restartsPods) return [];
    const fields = one.fields
      .map(({ path }) => path)
      .filter((path) => path.startsWith('.spec.template'));
    const shown = fields.slice(0, 3).join(', ');
    const more = fields.length > 3 ? ` and ${fields.length - 3} more` : '';
    return [
      {
        code: 'ADOPT_WOULD_RESTART',
        severity: allowRestart ? 'warning' : 'error',
        summary: `${one.cluster}: the pods of ${describeRef(one.resource)} would restart, since ${shown}${more} would change.`,
        ...(!allowRestart && {
          hint: 'Give that cluster its value back with an override, or allow it with --allow-restart.',
        }),
        resource: one.resource,
      },
    ];
  });
}

/**
 * ADOPT_INCOMPLETE for every object that runs on a cluster and that the plan made from its proposal does not place there,
 * because a scheduler rule refuses the cluster.
 */
export function placementFindings(proposal: Proposal, plan: Plan): readonly Diagnostic[] {
  const placed = new Set(
    plan.releases.flatMap(({ cluster, manifests }) =>
      manifests.map(({ resource }) => `${cluster} ${refKey(resource)}`),
    ),
  );
  return proposal.templates.flatMap((template, index): readonly Diagnostic[] => {
    const resource = refOf(template);
    const missing = (proposal.clusters[index] ?? []).filter(
      (cluster) => !placed.has(`${cluster} ${refKey(resource)}`),
    );
    if (missing.length === 0) return [];
    return [
      {
        code: 'ADOPT_INCOMPLETE',
        severity: 'error',
        summary: `The plan does not place ${describeRef(resource)} on ${missing.join(', ')}, where it runs.`,
        hint: 'See what the plan says of that cluster: it may be not ready, tainted, or not serve the kind.',
        resource,
      },
    ];
  });
}

/** One SECRET_IN_CLEAR for each Secret that is left out of the files, with the clusters that have it. */
export function skippedFindings(skipped: readonly Skipped[]): readonly Diagnostic[] {
  const secrets = new Map<string, { readonly first: Skipped; readonly clusters: string[] }>();
  for (const one of skipped) {
    if (one.kind !== 'secret') continue;
    const key = describeRef(one.resource);
    const known = secrets.get(key);
    if (known === undefined) secrets.set(key, { first: one, clusters: [one.cluster] });
    else known.clusters.push(one.cluster);
  }
  return [...secrets].map(([name, { first, clusters }]) => ({
    code: 'SECRET_IN_CLEAR',
    severity: 'warning',
    summary: `${name} is not adopted: ${first.reason} (${clusters.join(', ')}).`,
    hint: 'To manage it as well, add a SealedSecret, an ExternalSecret or a Secret encrypted with SOPS.',
    resource: first.resource,
  }));
}
