/**
 * Fleetwright in a Pulumi program: plan first, then one release per cluster, one gate per wave, and a settle step.
 *
 * The program side; the provider side is `fleetwright/pulumi/provider`, which Pulumi loads by itself.
 *
 * @module
 */
export { FleetRelease } from './fleet-release.js';
export { outputText } from './late-values.js';
export type { FleetReleaseArgs } from './args.js';
export type { HasDocuments } from './documents.js';
export type { TemplateStatuses } from './status.js';
