/**
 * Kinds that users taught Karmada by Lua scripts (ResourceInterpreterCustomization), as interpreters for the engine. Pure:
 * a script sees its arguments and the time it is given, nothing else, and is stopped when it goes beyond its limits.
 *
 * @module
 */
export { interpretersFrom, isCustomization } from './interpreters-from.js';
export type { TaughtKinds } from './interpreters-from.js';
