/**
 * The planner: one pure, synchronous function from documents, fleet and lock to a plan. It knows neither files nor
 * clusters nor clocks; what it needs from libraries comes in as tools.
 *
 * @module
 */
// The one function, its input and its result.
export { plan } from './pipeline.js';
export type {
  Fleet,
  LiveState,
  PlanInput,
  PlanOptions,
  Profile,
  SchemaFinding,
  Source,
  SourcedObject,
  Tools,
} from './input.js';
export type {
  Action,
  Assignment,
  Change,
  CheckResult,
  Deletion,
  FleetSummary,
  Gate,
  Manifest,
  Plan,
  PlannedBinding,
  PlannedWave,
  PolicyRef,
  Release,
  Verdict,
} from './plan.js';
export { MARKS } from './plan.js';
// Findings.
export { CODES } from './diagnostic.js';
export type { Diagnostic, DiagnosticCode, Severity } from './diagnostic.js';
export { InvariantError } from './result.js';
// Text for people.
export { describeDiagnostics, describePlan } from './describe/index.js';
export type { DescribeOptions } from './describe/index.js';
// Kinds that users teach.
export { defineInterpreter } from './interpret/index.js';
export type {
  AggregatedStatusItem,
  DependentReference,
  Health,
  InterpretedKind,
  Interpreter,
  InterpreterDefinition,
} from './interpret/index.js';
export type { KubeObject, ObjectMeta, ObjectRef } from './object.js';
