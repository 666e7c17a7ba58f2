import { describe, expect, test } from '@jest/globals';
import type { Interpreter, KubeObject } from './builders.js';
import { anObject } from './builders.js';
import { InterpretError, interpreterFor } from '../../../lib/engine/interpret/index.js';

const DEPLOYMENT = { apiVersion: 'apps/v1', kind: 'Deployment' };

describe('interpreterFor', () => {
  test('answers for a native kind', () => {
    const { interpretReplica } = interpreterFor(DEPLOYMENT);

    expect(interpretReplica?.(anObject('Deployment', { replicas: 3 }))).toEqual({ replicas: 3 });
  });

  test('matches the version exactly', () => {
    const interpreter = interpreterFor({ apiVersion: 'apps/v1beta1', kind: 'Deployment' });

    expect(Object.keys(interpreter).sort()).toEqual(['interpretStatus', 'kinds']);
  });

  test('reports the whole status of kinds that nobody knows', () => {
    const { interpretStatus } = interpreterFor({ apiVersion: 'x.io/v1', kind: 'Thing' });
    const thing = { ...anObject('Thing', {}), status: { phase: 'Odd' } };

    expect(interpretStatus?.(thing)).toEqual({ phase: 'Odd' });
  });

  test("prefers the user's operation and keeps the native others", () => {
    const custom: Interpreter = { kinds: [DEPLOYMENT], interpretHealth: () => true };

    const interpreter = interpreterFor(DEPLOYMENT, [custom]);

    expect(interpreter.interpretHealth?.(anObject('Deployment', {}))).toBe(true);
    expect(interpreter.interpretReplica?.(anObject('Deployment', { replicas: 2 })).replicas).toBe(
      2,
    );
  });

  test('takes the first of several users’ operations', () => {
    const first: Interpreter = { kinds: [DEPLOYMENT], interpretReplica: () => ({ replicas: 1 }) };
    const second: Interpreter = { kinds: [DEPLOYMENT], interpretReplica: () => ({ replicas: 2 }) };

    const interpreter = interpreterFor(DEPLOYMENT, [first, second]);

    expect(interpreter.interpretReplica?.(anObject('Deployment', {})).replicas).toBe(1);
  });

  test('does not try the native operation after an error of the user’s', () => {
    const custom: Interpreter = {
      kinds: [DEPLOYMENT],
      interpretReplica: () => {
        throw new InterpretError('script failed');
      },
    };

    const interpreter = interpreterFor(DEPLOYMENT, [custom]);

    expect(() => interpreter.interpretReplica?.(anObject('Deployment', { replicas: 2 }))).toThrow(
      'script failed',
    );
  });

  test('unites the dependencies of several users’ interpreters, sorted', () => {
    const naming = (name: string): Interpreter => ({
      kinds: [DEPLOYMENT],
      interpretDependency: () => [{ apiVersion: 'v1', kind: 'ConfigMap', name }],
    });

    const interpreter = interpreterFor(DEPLOYMENT, [naming('b'), naming('a'), naming('b')]);

    const names = interpreter
      .interpretDependency?.(anObject('Deployment', {}))
      .map(({ name }) => name);
    expect(names).toEqual(['a', 'b']);
  });

  test('ignores interpreters of other kinds', () => {
    const custom: Interpreter = {
      kinds: [{ apiVersion: 'batch/v1', kind: 'Job' }],
      interpretHealth: () => false,
    };

    expect(interpreterFor(DEPLOYMENT, [custom])).toBe(interpreterFor(DEPLOYMENT));
  });
});

test('an object without any of the usual fields breaks no native interpreter', () => {
  for (const kind of [
    'Deployment',
    'StatefulSet',
    'Job',
    'Pod',
    'Service',
    'Ingress',
    'DaemonSet',
    'CronJob',
  ]) {
    const bare: KubeObject = { ...anObject(kind, {}), spec: null };
    const { interpretReplica, interpretDependency, interpretHealth } = interpreterFor(bare);

    expect(() => [
      interpretReplica?.(bare),
      interpretDependency?.(bare),
      interpretHealth?.(bare),
    ]).not.toThrow();
  }
});
