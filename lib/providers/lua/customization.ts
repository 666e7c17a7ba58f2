import type {
  CustomizationRules,
  ResourceInterpreterCustomization,
} from '../../api/resource-interpreter-customization.js';
import type { Operation, TaughtRule } from '../../engine/interpret/index.js';
import type { Interpreter } from '../../engine/interpret/index.js';
import {
  checkComponents,
  checkHealth,
  checkObject,
  checkReferences,
  checkReplicas,
  checkStatus,
  InterpretError,
  wrongAnswer,
} from '../../engine/interpret/index.js';
import type { KubeObject } from '../../engine/object.js';
import { refOf } from '../../engine/object.js';
import { EMPTY } from './bridge.js';
import { settleEmptyTables } from './empty-tables.js';
import type { Machine } from './machine.js';
import type { Script } from './script.js';
import { compileScript, ScriptError } from './script.js';

export type RuleName = keyof CustomizationRules;

interface RuleKind {
  readonly operation: Operation;
  /** The global function that the script defines. */
  readonly fn: string;
}

/** Fields of a customization, in the order of the document (lifecycle reference §2.3). */
export const RULES = {
  retention: { operation: 'Retain', fn: 'Retain' },
  replicaResource: { operation: 'InterpretReplica', fn: 'GetReplicas' },
  componentResource: { operation: 'InterpretComponent', fn: 'GetComponents' },
  replicaRevision: { operation: 'ReviseReplica', fn: 'ReviseReplica' },
  statusReflection: { operation: 'InterpretStatus', fn: 'ReflectStatus' },
  statusAggregation: { operation: 'AggregateStatus', fn: 'AggregateStatus' },
  healthInterpretation: { operation: 'InterpretHealth', fn: 'InterpretHealth' },
  dependencyInterpretation: { operation: 'InterpretDependency', fn: 'GetDependencies' },
} as const satisfies Record<RuleName, RuleKind>;

export const RULE_NAMES = Object.keys(RULES) as readonly RuleName[];

/** One script of a customization, ready to run or known to be broken. */
export interface CustomRule {
  readonly name: RuleName;
  readonly customization: ResourceInterpreterCustomization;
  /** For findings. */
  readonly rule: TaughtRule;
  /** What is wrong with the script, if anything. */
  readonly problem?: ScriptError;
  readonly run: (args: readonly unknown[], now: string, results?: number) => readonly unknown[];
}

/** Compile the scripts of a customization; empty ones do not count. */
export function compileRules(
  machine: Machine,
  customization: ResourceInterpreterCustomization,
  now: string,
): readonly CustomRule[] {
  const { customizations } = customization.spec;
  return RULE_NAMES.flatMap((name) => {
    const text = customizations[name]?.luaScript;
    return text === undefined || text === ''
      ? []
      : [compileRule(machine, customization, name, text, now)];
  });
}

function compileRule(
  machine: Machine,
  customization: ResourceInterpreterCustomization,
  name: RuleName,
  text: string,
  now: string,
): CustomRule {
  const { operation, fn } = RULES[name];
  const rule: TaughtRule = {
    operation,
    customization: refOf(customization as unknown as KubeObject),
    path: ['spec', 'customizations', name, 'luaScript'],
  };
  const fail = (error: ScriptError): never => {
    throw new InterpretError(error.message, {
      ...rule,
      ...(error.line !== undefined && { line: error.line }),
    });
  };
  let script: Script;
  try {
    script = compileScript(machine, text);
    script.check(fn, now);
  } catch (error) {
    if (!(error instanceof ScriptError)) throw error;
    return { name, customization, rule, problem: error, run: () => fail(error) };
  }
  return {
    name,
    customization,
    rule,
    run: (args, at, results = 1) => {
      try {
        return script.call({ fn, args, results, now: at });
      } catch (error) {
        if (error instanceof ScriptError) fail(error);
        throw error;
      }
    },
  };
}

type Operations = Omit<Interpreter, 'kinds'>;

/** The operation that a rule gives an interpreter; what scripts return is checked as Karmada does (lifecycle reference §4.2). */
export function operationOf({ name, rule, run }: CustomRule, now: string): Operations {
  /** Where the answer is of the wrong type, the rule is at fault too. */
  const checked = <T>(read: () => T): T => {
    try {
      return read();
    } catch (error) {
      if (InterpretError.is(error) && error.rule === undefined)
        throw new InterpretError(error.message, rule, error.what);
      throw error;
    }
  };
  return OPERATIONS[name]({ run, now, checked });
}

interface Making {
  readonly run: CustomRule['run'];
  readonly now: string;
  readonly checked: <T>(read: () => T) => T;
}

const OPERATIONS: Readonly<Record<RuleName, (making: Making) => Operations>> = {
  retention: ({ run, now, checked }) => ({
    retain: (desired, observed) =>
      checked(() => {
        const [answer] = run([desired, observed], now);
        return checkObject(dataOf(answer, [desired, observed]), desired);
      }),
  }),
  replicaResource: ({ run, now, checked }) => ({
    interpretReplica: (object) =>
      checked(() => {
        const [count, requirements] = run([object], now, 2);
        return checkReplicas(dataOf(count), dataOf(requirements));
      }),
  }),
  componentResource: ({ run, now, checked }) => ({
    interpretComponent: (object) =>
      checked(() => checkComponents(listIn(run([object], now)) ?? [])),
  }),
  replicaRevision: ({ run, now, checked }) => ({
    reviseReplica: (object, replicas) =>
      checked(() => {
        const [answer] = run([object, replicas], now);
        return checkObject(dataOf(answer, [object]), object);
      }),
  }),
  statusReflection: ({ run, now, checked }) => ({
    interpretStatus: (object) => checked(() => statusIn(run([object], now))),
  }),
  statusAggregation: ({ run, now, checked }) => ({
    aggregateStatus: (object, items, at = now) =>
      checked(() => {
        const [answer] = run([object, items], at);
        return checkObject(dataOf(answer), object);
      }),
  }),
  healthInterpretation: ({ run, now, checked }) => ({
    interpretHealth: (object) => checked(() => checkHealth(dataOf(run([object], now)[0]))),
  }),
  dependencyInterpretation: ({ run, now, checked }) => ({
    interpretDependency: (object) => checked(() => checkReferences(listIn(run([object], now)))),
  }),
};

/** Lua's nil and its empty table as the data that they stand for; empty tables below are as in the references. */
function dataOf(answer: unknown, references: readonly unknown[] = []): unknown {
  return answer === undefined ? undefined : settleEmptyTables(answer, references);
}

/** An empty table where only a list can be is an empty list. */
function listIn([answer]: readonly unknown[]): unknown {
  return answer === EMPTY ? [] : dataOf(answer);
}

function statusIn([answer]: readonly unknown[]): unknown {
  if (answer === undefined) throw wrongAnswer('a status must be an object, found nothing');
  return checkStatus(dataOf(answer));
}
