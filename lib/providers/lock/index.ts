/**
 * `fleet.lock.yaml`: the committed decisions, read fast and written atomically. Decides nothing itself.
 *
 * @module
 */
export { writeFileAtomic } from './atomic.js';
export { makeFolder } from './folder.js';
export { readLock, writeLock } from './file.js';
export { parseLock } from './parse.js';
export { printLock } from './print.js';
export { asWriteFailed, WriteFailed } from './write-failed.js';
export { fromResourceBindings, toResourceBindings } from './resource-binding.js';
