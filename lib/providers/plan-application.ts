import { compareDiagnostics } from '../engine/diagnostic.js';
import type { PlanInput } from '../engine/input.js';
import type { Interpreter } from '../engine/interpret/index.js';
import { plan } from '../engine/pipeline.js';
import type { Plan } from '../engine/plan.js';
import { interpretersFrom } from './lua/index.js';
import { standardTools } from './tools.js';

/**
 * A plan with the standard tools and with every kind that is taught: by `interpreters`, made with `defineInterpreter`, and by
 * the ResourceInterpreterCustomizations among the documents. For one operation the first of them that has it answers.
 *
 * What is wrong with a script is a finding of the plan like any other.
 */
export function planApplication(input: PlanInput, interpreters: readonly Interpreter[] = []): Plan {
  const taught = interpretersFrom(input.documents, input.now);
  const result = plan(input, standardTools([...interpreters, ...taught.interpreters]));
  if (taught.diagnostics.length === 0) return result;
  return {
    ...result,
    applicable: result.applicable && taught.diagnostics.every((d) => d.severity !== 'error'),
    diagnostics: [...result.diagnostics, ...taught.diagnostics].sort(compareDiagnostics),
  };
}
