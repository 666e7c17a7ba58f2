import type {
  AggregatedStatusItem,
  Interpreter,
  Operation,
} from '../lib/engine/interpret/index.js';
import type { KubeObject } from '../lib/engine/object.js';

/** What an operation may need. */
export interface Subject {
  /** As a person wrote it. */
  readonly desired?: KubeObject;
  /** As a cluster has it. */
  readonly observed?: KubeObject;
  readonly replicas?: number;
  readonly items?: readonly AggregatedStatusItem[];
  /** RFC 3339. */
  readonly now: string;
}

interface Question {
  readonly method: Exclude<keyof Interpreter, 'kinds'>;
  /** What cannot be left out. */
  readonly needs: readonly ('desired' | 'observed' | 'replicas')[];
  /** Plain data to print; the interpreter has the method, and everything that is needed is there. */
  readonly ask: (interpreter: Interpreter, subject: Required<Subject>) => unknown;
}

/** Every operation: its function, what it needs, and how its answer is printed. */
export const QUESTIONS = {
  InterpretReplica: {
    method: 'interpretReplica',
    needs: ['desired'],
    ask: (interpreter, { desired }) => interpreter.interpretReplica?.(desired),
  },
  InterpretComponent: {
    method: 'interpretComponent',
    needs: ['desired'],
    ask: (interpreter, { desired }) => ({ components: interpreter.interpretComponent?.(desired) }),
  },
  InterpretDependency: {
    method: 'interpretDependency',
    needs: ['desired'],
    ask: (interpreter, { desired }) => ({
      dependencies: interpreter.interpretDependency?.(desired),
    }),
  },
  InterpretHealth: {
    method: 'interpretHealth',
    needs: ['observed'],
    ask: (interpreter, { observed }) => ({ healthy: interpreter.interpretHealth?.(observed) }),
  },
  InterpretStatus: {
    method: 'interpretStatus',
    needs: ['observed'],
    ask: (interpreter, { observed }) => ({ status: interpreter.interpretStatus?.(observed) }),
  },
  ReviseReplica: {
    method: 'reviseReplica',
    needs: ['desired', 'replicas'],
    ask: (interpreter, { desired, replicas }) => interpreter.reviseReplica?.(desired, replicas),
  },
  Retain: {
    method: 'retain',
    needs: ['desired', 'observed'],
    ask: (interpreter, { desired, observed }) => interpreter.retain?.(desired, observed),
  },
  AggregateStatus: {
    method: 'aggregateStatus',
    needs: ['desired'],
    ask: (interpreter, { desired, items, now }) =>
      interpreter.aggregateStatus?.(desired, items, now),
  },
} as const satisfies Record<Operation, Question>;

export const OPERATIONS = Object.keys(QUESTIONS) as readonly Operation[];

/** Those that ask about one object alone. */
const SIMPLE: readonly Operation[] = [
  'InterpretReplica',
  'InterpretComponent',
  'InterpretDependency',
  'InterpretHealth',
  'InterpretStatus',
];

/**
 * The answer to one operation, as plain data.
 *
 * @throws Error when the kind does not have the operation or something that it needs is missing; `InterpretError` when
 * the rule fails
 */
export function answer(operation: Operation, interpreter: Interpreter, subject: Subject): unknown {
  const { method, needs, ask }: Question = QUESTIONS[operation];
  const missing = needs.filter((need) => subject[need] === undefined);
  if (missing.length > 0)
    throw new Error(`${operation} needs ${missing.map((need) => FLAGS[need]).join(' and ')}.`);
  if (interpreter[method] === undefined) {
    const { apiVersion = '', kind = '' } = interpreter.kinds[0] ?? {};
    const known = OPERATIONS.filter((other) => interpreter[QUESTIONS[other].method] !== undefined);
    throw new Error(`${apiVersion} ${kind} has no ${operation}; it has ${known.join(', ')}.`);
  }
  // What is needed is there: looked at above.
  return ask(interpreter, subject as Required<Subject>);
}

/** The answers to everything that can be asked about one object, by operation. */
export function answerAll(interpreter: Interpreter, subject: Subject): Record<string, unknown> {
  const possible = SIMPLE.filter((operation) => {
    const { method, needs }: Question = QUESTIONS[operation];
    return interpreter[method] !== undefined && needs.every((need) => subject[need] !== undefined);
  });
  return Object.fromEntries(
    possible.map((operation) => [operation, answer(operation, interpreter, subject)]),
  );
}

const FLAGS = {
  desired: 'an object: -f FILE or --desired FILE',
  observed: 'an object as a cluster has it: -f FILE or --observed FILE',
  replicas: 'a number: --replicas N',
} as const;
