import { describe, expect, test } from '@jest/globals';
import { diagnoseDependencies } from '../../../lib/engine/karmada/index.js';
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
