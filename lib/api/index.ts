/**
 * Schemas and types of every document that Fleetwright reads or writes.
 * The schema and type of a single kind come from the file of its name, e.g. `propagation-policy.js`.
 * @module
 */

// Kinds and their rules.
export { KINDS } from './kinds.js';
export type { KindEntry } from './kinds.js';

// Judging and completing documents.
export { validateDocument } from './validate.js';
export { withDefaults } from './with-defaults.js';
export { compareFindings, describePath } from './finding.js';
export type { FieldPath, Finding, FindingCode } from './finding.js';
export type { DefaultOptions } from './defaults/cluster.js';

// The shape all objects share.
export type { KubeObject, ObjectMeta, ObjectRef } from './object.js';
export type { Immutable } from './immutable.js';
