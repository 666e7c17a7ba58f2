import { expect, test } from '@jest/globals';
import { plan } from '../../../lib/engine/index.js';
import type { InterpreterDefinition } from '../../../lib/engine/interpret/index.js';
import { defineInterpreter } from '../../../lib/engine/interpret/index.js';
import type { Plan } from '../../../lib/engine/plan.js';
import { standardTools } from '../../../lib/providers/tools.js';
import { aCluster, aDeployment, anInput, aPolicy } from '../../builders.js';

function planned(rules: Omit<InterpreterDefinition, 'kinds'>): Plan {
  const kinds = [{ apiVersion: 'apps/v1', kind: 'Deployment' }] as const;
  const input = anInput(
    [aDeployment('web', 4), aPolicy('web', {})],
    [aCluster('eu-1', {}), aCluster('us-1', {})],
  );
  return plan(input, standardTools([defineInterpreter({ kinds, ...rules })]));
}

test('a ReviseReplica that returns another object is found in the plan, and nothing is written', () => {
  const result = planned({ reviseReplica: () => ({}) as never });

  expect(result.applicable).toBe(false);
  expect(result.diagnostics).toMatchObject([
    {
      code: 'INTERPRETER_FAILED',
      severity: 'error',
      summary:
        'ReviseReplica of a TypeScript interpreter fails for Deployment shop/web: it returns another object: apiVersion is missing where it was "apps/v1", kind is missing where it was "Deployment", metadata.name is missing where it was "web", metadata.namespace is missing where it was "shop".',
    },
  ]);
  expect(result.releases.flatMap(({ manifests }) => manifests)).not.toContainEqual(
    expect.objectContaining({ resource: expect.objectContaining({ kind: 'Deployment' }) }),
  );
});

test('so is a Retain that does, although nobody asks it before objects are applied', () => {
  const result = planned({ retain: (desired) => ({ ...desired, kind: 'Other' }) });

  expect(result.applicable).toBe(false);
  expect(result.diagnostics).toMatchObject([
    {
      code: 'INTERPRETER_FAILED',
      summary: expect.stringContaining('kind is "Other" where it was "Deployment"'),
    },
  ]);
});

test('a Retain that needs what only members have is not judged before one is there', () => {
  const result = planned({
    retain: (desired, observed) => {
      const { status } = observed as unknown as { status: { phase: string } };
      return { ...desired, spec: { ...(desired['spec'] as object), phase: status.phase } };
    },
  });

  expect(result.diagnostics).toEqual([]);
  expect(result.applicable).toBe(true);
});
