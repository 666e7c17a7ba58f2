/**
 * Plans as files for GitOps tools: layouts, ownership, writing as a set; and files as a commit had them.
 *
 * @module
 */
export { commitOfLock } from './commit-of-lock.js';
export { readCommitted } from './committed.js';
export { writeFiles, type WrittenFiles } from './files.js';
export { type Layout, type LayoutOptions, ownerName } from './layout.js';
export { renderFiles, type RenderedFiles, type RenderOptions } from './render.js';
export { isReadableSecret } from './secret.js';
