import { describe, expect, test } from '@jest/globals';
import type { Diagnostic } from '../../../lib/engine/diagnostic.js';
import { defineInterpreter } from '../../../lib/engine/index.js';
import type { Interpreter } from '../../../lib/engine/interpret/index.js';
import type { KubeObject } from '../../../lib/engine/object.js';
import { planApplication } from '../../../lib/index.js';
import { aCluster, aDeployment, anInput, aPolicy } from '../../builders.js';

const ENV = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace: 'shop', name: 'env' } };
const POD = { containers: [{ name: 'web', envFrom: [{ configMapRef: { name: 'env' } }] }] };
const EVERYWHERE = {};
const NOWHERE = { clusterAffinity: { clusterNames: ['nope'] } };
const DEPLOYMENTS = [{ apiVersion: 'apps/v1', kind: 'Deployment' }] as const;

const broken = {
  dependencies: defineInterpreter({
    kinds: DEPLOYMENTS,
    interpretDependency: () => {
      throw new Error('no such field');
    },
  }),
  replicas: defineInterpreter({
    kinds: DEPLOYMENTS,
    interpretReplica: () => {
      throw new Error('no such field');
    },
  }),
};

function unclaimed(
  objects: readonly KubeObject[],
  interpreters: readonly Interpreter[] = [],
  profile: 'default' | 'karmada' = 'default',
): readonly Diagnostic[] {
  const input = anInput(objects, [aCluster('a')], { profile });
  return planApplication(input, interpreters).diagnostics.filter(
    ({ code }) => code === 'TEMPLATE_UNCLAIMED',
  );
}

describe('what would follow an object with an error', () => {
  const because = (text: string): object => ({
    severity: 'info',
    summary: `ConfigMap shop/env goes to no cluster: no policy selects it, and ${text}.`,
    hint: 'Correct the error about Deployment shop/web first.',
  });

  test.each([
    {
      name: 'that no cluster takes',
      placement: NOWHERE,
      interpreters: [],
      text: 'Deployment shop/web, which it goes along with, has no place itself',
    },
    {
      name: 'whose replicas cannot be read',
      placement: EVERYWHERE,
      interpreters: [broken.replicas],
      text: 'Deployment shop/web, which it goes along with, has no place itself',
    },
    {
      name: 'whose dependencies cannot be told',
      placement: EVERYWHERE,
      interpreters: [broken.dependencies],
      text: 'what Deployment shop/web needs is not known, since its rule for dependencies fails',
    },
  ])('$name says whose error to correct', ({ placement, interpreters, text }) => {
    const found = unclaimed(
      [aDeployment('web', 2, POD), aPolicy('web', placement), ENV],
      interpreters,
    );

    expect(found).toMatchObject([because(text)]);
  });

  test('is found by way of others, and circles end', () => {
    const chained = defineInterpreter({
      kinds: [{ apiVersion: 'v1', kind: 'ConfigMap' }],
      interpretDependency: ({ metadata }) => [
        {
          apiVersion: 'v1',
          kind: 'ConfigMap',
          namespace: 'shop',
          name: metadata.name === 'env' ? 'more' : 'env',
        },
      ],
    });
    const more = { ...ENV, metadata: { ...ENV.metadata, name: 'more' } };

    const found = unclaimed(
      [aDeployment('web', 2, POD), aPolicy('web', NOWHERE), ENV, more],
      [chained],
    );

    expect(found.map(({ severity }) => severity)).toEqual(['info', 'info']);
  });

  test('is not said where nobody needs it, where another namespace fails, or where nothing follows', () => {
    const alone = unclaimed([aDeployment('web'), aPolicy('web', NOWHERE), ENV]);
    const elsewhere = unclaimed(
      [
        aDeployment('web', 2, POD),
        aPolicy('web', EVERYWHERE),
        { ...ENV, metadata: { name: 'env', namespace: 'other' } },
      ],
      [broken.dependencies],
    );
    const karmada = unclaimed(
      [aDeployment('web', 2, POD), aPolicy('web', NOWHERE), ENV],
      [],
      'karmada',
    );

    for (const found of [alone, elsewhere, karmada])
      expect(found).toMatchObject([{ severity: 'warning' }]);
  });
});
