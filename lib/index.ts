/**
 * Fleetwright: plans, reviews and rolls out Kubernetes applications over many clusters.
 *
 * The parts have entry points of their own: `fleetwright/constructs`, `fleetwright/engine`, `fleetwright/pulumi`. Here is
 * what a script needs to plan: the engine's function with the standard tools, and readers for files.
 *
 * @module
 */
export { defineInterpreter, plan } from './engine/index.js';
export type {
  Diagnostic,
  Fleet,
  Interpreter,
  InterpreterDefinition,
  Plan,
  PlanInput,
  PlanOptions,
  SourcedObject,
  Tools,
} from './engine/index.js';
export { planApplication } from './providers/plan-application.js';
export { standardTools } from './providers/tools.js';
export { interpretersFrom } from './providers/lua/index.js';
export type { TaughtKinds } from './providers/lua/index.js';
export { readFleet, readSources } from './providers/source/index.js';
export { readLock, writeLock } from './providers/lock/index.js';
