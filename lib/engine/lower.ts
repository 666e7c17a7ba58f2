import type { Diagnostic } from './diagnostic.js';
import { describeRef, refOf } from './object.js';
import { findExportFaults } from './service-exports.js';
import type { Snapshot } from './snapshot.js';
import { about } from './validate.js';

/**
 * Turn Karmada's federated kinds (FederatedHPA, CronFederatedHPA, MultiClusterService, …) into objects per cluster.
 * Nothing is lowered yet for targets `members` and `git`: each such document is named, so that nobody believes it acts.
 */
export function lower(snapshot: Snapshot): readonly Diagnostic[] {
  const faults = findExportFaults(snapshot);
  if (snapshot.options.target === 'karmada') return faults;
  const untouched = snapshot.federated.map((document) =>
    about(document, {
      severity: 'warning',
      code: 'KIND_NOT_ACTED_ON',
      summary: `${describeRef(refOf(document.object))} is valid, but target "${snapshot.options.target}" does not act on ${document.object.kind} yet.`,
      hint: 'Use target "karmada" for it, or leave it out.',
    }),
  );
  return [...faults, ...untouched];
}
