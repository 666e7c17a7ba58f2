import type { ResourceInterpreterCustomization } from '../../api/resource-interpreter-customization.js';
import { resourceInterpreterCustomization } from '../../api/resource-interpreter-customization.js';
import { compareBy, sorted } from '../../engine/compare.js';
import type { Diagnostic } from '../../engine/diagnostic.js';
import type { SourcedObject } from '../../engine/input.js';
import type { Interpreter } from '../../engine/interpret/index.js';
import type { KubeObject } from '../../engine/object.js';
import { describeRef, refOf } from '../../engine/object.js';
import type { CustomRule } from './customization.js';
import { compileRules, operationOf, RULES } from './customization.js';
import type { Machine } from './machine.js';
import { newMachine } from './machine.js';

/** What customizations among the documents of a plan teach. */
export interface TaughtKinds {
  /** For `Tools.interpreters`; sorted by the customization's name, which decides which of two wins. */
  readonly interpreters: readonly Interpreter[];
  /** `INTERPRETER_SCRIPT_INVALID` and `INTERPRETER_CONFLICT`, with the place that the document came from. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Whether a document teaches a kind. */
export function isCustomization({ apiVersion, kind }: KubeObject): boolean {
  return apiVersion === 'config.karmada.io/v1alpha1' && kind === 'ResourceInterpreterCustomization';
}

/**
 * The interpreters that the ResourceInterpreterCustomizations among the documents describe; other documents are ignored, and
 * so are customizations that their schema refuses, which the plan reports.
 *
 * Every script is compiled here, once, and every call has an environment of its own. Customizations of one kind are merged
 * by name: for each operation the first that has it, dependencies of all (lifecycle reference §2.3). A script that cannot
 * run is a finding, and so is each object that would have needed it.
 *
 * @param now RFC 3339; the time that scripts see, so that an answer does not depend on when it is given
 */
export function interpretersFrom(
  documents: readonly SourcedObject[],
  now = '1970-01-01T00:00:00Z',
): TaughtKinds {
  const found = sorted(
    documents.filter(({ object }) => isCustomization(object)),
    compareBy(({ object }) => object.metadata.name ?? ''),
  );
  const interpreters: Interpreter[] = [];
  const diagnostics: Diagnostic[] = [];
  const owners = new Map<string, CustomRule>();
  let machine: Machine | undefined;
  for (const document of found) {
    const parsed = resourceInterpreterCustomization.safeParse(document.object);
    if (!parsed.success) continue;
    machine ??= newMachine();
    const customization = document.object as unknown as ResourceInterpreterCustomization;
    const { target } = customization.spec;
    const operations: Partial<Interpreter> = {};
    for (const rule of compileRules(machine, customization, now)) {
      Object.assign(operations, operationOf(rule, now));
      if (rule.problem !== undefined) diagnostics.push(invalidScript(document, rule));
      const key = JSON.stringify([target.apiVersion, target.kind, rule.name]);
      const owner = owners.get(key);
      if (owner === undefined) owners.set(key, rule);
      else if (rule.name !== 'dependencyInterpretation')
        diagnostics.push(conflict(document, rule, owner));
    }
    const { apiVersion, kind } = target;
    interpreters.push({ ...operations, kinds: [{ apiVersion, kind }] });
  }
  return { interpreters, diagnostics };
}

function invalidScript(document: SourcedObject, { name, rule, problem }: CustomRule): Diagnostic {
  const line = problem?.line === undefined ? '' : ` (line ${problem.line})`;
  return {
    ...aboutScript(document, rule.path),
    code: 'INTERPRETER_SCRIPT_INVALID',
    severity: 'error',
    summary: `${describeRef(refOf(document.object))}: the script for ${name} cannot run${line}: ${problem?.message ?? ''}.`,
    hint: `It must be Lua 5.1 and define the function ${RULES[name].fn}.`,
  };
}

function conflict(document: SourcedObject, rule: CustomRule, owner: CustomRule): Diagnostic {
  const { apiVersion, kind } = rule.customization.spec.target;
  const winner = owner.customization.metadata.name ?? '';
  return {
    ...aboutScript(document, rule.rule.path),
    code: 'INTERPRETER_CONFLICT',
    severity: 'error',
    summary: `${describeRef(refOf(document.object))} teaches ${rule.rule.operation} of ${apiVersion} ${kind}, which ${winner} does already; a Karmada API server refuses the second.`,
    hint: 'Keep one script per operation and kind.',
  };
}

function aboutScript(
  { object, source = {} }: SourcedObject,
  path: readonly string[] | undefined,
): Pick<Diagnostic, 'resource' | 'path' | 'file' | 'line' | 'column' | 'construct'> {
  const { file, line, column, construct } = source;
  return {
    resource: refOf(object),
    ...(path !== undefined && { path }),
    ...(file !== undefined && { file }),
    ...(line !== undefined && { line }),
    ...(column !== undefined && { column }),
    ...(construct !== undefined && { construct }),
  };
}
