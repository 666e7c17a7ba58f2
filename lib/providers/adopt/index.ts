/**
 * The clusters' side of taking over what runs: reading what is selected, asking the servers what an apply would change,
 * and reading how far clusters have drifted. It writes nothing and decides nothing.
 *
 * @module
 */
export { previewPlan } from './preview.js';
export type { Preview } from './preview.js';
export { projectFiles } from './project-files.js';
export { readDrift } from './read-drift.js';
export { DEFAULT_KINDS, readClusters } from './read-clusters.js';
export type { Reading, Selection } from './read-clusters.js';
