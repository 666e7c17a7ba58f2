/**
 * Plans as files for GitOps tools: layouts, ownership, writing as a set. Knows nothing of git itself.
 *
 * @module
 */
export { writeFiles, type WrittenFiles } from './files.js';
export { type Layout, type LayoutOptions, ownerName } from './layout.js';
export { renderFiles, type RenderedFiles, type RenderOptions } from './render.js';
export { isReadableSecret } from './secret.js';
