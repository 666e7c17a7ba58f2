import { describe, expect, test } from '@jest/globals';
import { diagnoseDependencies, diagnoseGrowth } from '../../../lib/engine/karmada/index.js';
import type { Action, Plan } from '../../../lib/engine/plan.js';
import { aPlan, aWave } from '../../providers/rollout/releases.js';

const CONFIG = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'shop', name: 'env' };
const WEB = { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'web' };

function planWith(action: Action, policy: Plan['bindings'][number]['policy'] = null): Plan {
  return {
    ...aPlan([aWave('all', ['a'])], []),
    bindings: [
      {
        resource: CONFIG,
        policy,
        shadowed: [],
        claim: '',
        follows: [{ resource: WEB, reason: 'volume "env"' }],
        strategy: '',
        generation: 1,
        revision: '',
        decision: { kind: 'follows', reason: '' },
        assignments: [{ cluster: 'a', wave: 'all' }],
        left: [],
        verdicts: [],
      },
    ],
    changes: [{ cluster: 'a', resource: CONFIG, action, class: 'template', wave: 'all' }],
  };
}

describe('policies that cannot grow first', () => {
  const policy = {
    apiVersion: 'policy.karmada.io/v1alpha1',
    kind: 'PropagationPolicy',
    metadata: { name: 'all', namespace: 'shop' },
    spec: { placement: { replicaScheduling: { replicaSchedulingType: 'Divided' } } },
  };
  const template = (name: string) => ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace: 'shop' },
    spec: { replicas: 4 },
  });
  /** On `a` as before, what was on `b` goes to `c`. */
  const moving = (name: string, onA: number, moved: number): Plan['bindings'][number] => {
    const [base] = planWith('none').bindings;
    if (base === undefined) throw new Error('no binding');
    return {
      ...base,
      resource: { ...WEB, name },
      policy: { kind: 'PropagationPolicy', namespace: 'shop', name: 'all' },
      follows: [],
      assignments: [
        { cluster: 'a', wave: 'all', replicas: onA, previous: onA },
        { cluster: 'c', wave: 'all', replicas: moved },
      ],
      left: [{ cluster: 'b', replicas: moved }],
    };
  };
  const documents = [policy, template('web'), template('api')];

  test('the plan says so before anything is written, with the two workloads that disagree', () => {
    const plan = { ...planWith('none'), bindings: [moving('web', 2, 2), moving('api', 1, 3)] };

    expect(diagnoseGrowth(plan, documents)).toMatchObject([
      {
        code: 'KARMADA_STOPPED',
        severity: 'error',
        summary:
          'PropagationPolicy shop/all: a cluster would lose replicas before the others have grown, and one list of static weights would have to keep the replicas of Deployment shop/web (a 2, b 2, c 2) and of Deployment shop/api (a 1, b 3, c 3).',
      },
    ]);
  });

  test('in one proportion there is nothing to say', () => {
    const plan = { ...planWith('none'), bindings: [moving('web', 2, 2), moving('api', 4, 4)] };

    expect(diagnoseGrowth(plan, documents)).toEqual([]);
  });
});

describe('dependencies that are not held', () => {
  test('a changed one is named, with its workload and a way out', () => {
    const [finding, ...others] = diagnoseDependencies(planWith('update'), []);

    expect(others).toEqual([]);
    expect(finding).toMatchObject({
      code: 'KARMADA_DEPENDENCY_NOT_HELD',
      severity: 'warning',
      resource: CONFIG,
    });
    expect(finding?.summary).toBe(
      'ConfigMap shop/env changes on all clusters at once: Karmada does not suspend it together with Deployment shop/web.',
    );
    expect(finding?.hint).toContain('env-2');
  });

  test.each(['create', 'none'] as const)('%s is nothing to say', (action) => {
    expect(diagnoseDependencies(planWith(action), [])).toEqual([]);
  });

  test('one with a policy of its own is stepped like the others', () => {
    const policy = { kind: 'PropagationPolicy', namespace: 'shop', name: 'env' } as const;
    expect(diagnoseDependencies(planWith('update', policy), [])).toEqual([]);
  });
});
