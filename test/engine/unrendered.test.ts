import { describe, expect, test } from '@jest/globals';
import { plan } from '../../lib/engine/index.js';
import type { PlanInput } from '../../lib/engine/input.js';
import type { KubeObject } from '../../lib/engine/object.js';
import type { Plan } from '../../lib/engine/plan.js';
import { MARKS } from '../../lib/engine/plan.js';
import { refuseUnrendered } from '../../lib/engine/unrendered.js';
import { standardTools } from '../../lib/providers/tools.js';
import { aCluster, aDeployment, anInput, aPolicy } from '../builders.js';

/** An override that fails on one cluster, in the profile that goes on all the same. */
const tools = standardTools();
const fleet = [aCluster('ap-1'), aCluster('eu-1')];

/** Removes an annotation that only some templates have: fails where it is missing. */
const override: KubeObject = {
  apiVersion: 'policy.karmada.io/v1alpha1',
  kind: 'OverridePolicy',
  metadata: { name: 'ap', namespace: 'shop' },
  spec: {
    resourceSelectors: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }],
    overrideRules: [
      {
        targetCluster: { clusterNames: ['ap-1'] },
        overriders: { plaintext: [{ path: '/spec/paused', operator: 'remove' }] },
      },
    ],
  },
};

function documents(isGood: boolean, image = 'nginx:1'): KubeObject[] {
  const web = aDeployment('web', 3);
  const spec = web['spec'] as { template: { spec: object } };
  const template = {
    ...spec.template,
    spec: { ...spec.template.spec, containers: [{ name: 'web', image }] },
  };
  return [
    { ...web, spec: { ...spec, template, ...(isGood && { paused: false }) } },
    aPolicy('web', {}),
    override,
  ];
}

function planned(docs: readonly KubeObject[], before?: Plan, live?: PlanInput['live']): Plan {
  const input = anInput(docs, fleet);
  const options = { ...input.options, profile: 'karmada' as const };
  return plan(
    { ...input, options, ...(before && { lock: before.lock }), ...(live && { live }) },
    tools,
  );
}

const before = planned(documents(true));
const running: PlanInput['live'] = {
  members: Object.fromEntries(
    before.releases.map(({ cluster, manifests }) => [
      cluster,
      manifests.map(({ object }) => object),
    ]),
  ),
};
const changesOf = ({ changes }: Plan): string[] =>
  changes
    .filter(({ resource }) => resource.kind === 'Deployment')
    .map((change) => `${change.cluster} ${change.action} ${change.class}`);

describe('an object that cannot be rendered for a cluster', () => {
  test('is there to be lost', () => {
    const [web] = running.members?.['ap-1']?.filter(({ kind }) => kind === 'Deployment') ?? [];

    expect(web?.metadata.annotations?.[MARKS.application]).toBe('shop');
  });

  test.each([
    ['from the lock', undefined],
    ['with the clusters read', running],
  ])('stays there as it is: %s', (_what, live) => {
    const failing = planned(documents(false), before, live);

    expect(failing.applicable).toBe(true);
    expect(failing.diagnostics.map(({ code }) => code)).toContain('OVERRIDE_PATH_MISSING');
    expect(changesOf(failing)).toEqual(['ap-1 none unrendered', 'eu-1 update template']);
    expect(failing.releases.flatMap(({ deletions }) => deletions)).toEqual([]);
  });

  test('is refused by those who hand over whole trees', () => {
    expect(refuseUnrendered(before)).toEqual([]);
    expect(refuseUnrendered(planned(documents(false), before))).toMatchObject([
      {
        code: 'MANIFEST_NOT_RENDERED',
        summary:
          'Deployment shop/web could not be rendered for ap-1, and what is written without it would remove it there.',
      },
    ]);
  });

  test('keeps its entry in the lock, so that it changes once it can be rendered', () => {
    const failing = planned(documents(false), before);
    const again = planned(documents(false), failing);
    const mended = planned(documents(true, 'nginx:2'), failing);

    expect(again.lockChanges).toEqual([]);
    expect(changesOf(again)).toEqual(['ap-1 none unrendered', 'eu-1 none unchanged']);
    expect(changesOf(mended)).toEqual(['ap-1 update template', 'eu-1 update template']);
    // The same template, and only the override mended: eu-1 has it, ap-1 has never seen it.
    const overridden = documents(false).slice(0, -1);
    expect(changesOf(planned(overridden, failing))).toEqual([
      'ap-1 update override',
      'eu-1 none unchanged',
    ]);
  });

  test('that was never there is a change once it can be rendered', () => {
    const first = planned(documents(false));
    const mended = planned(documents(false).slice(0, -1), first);

    expect(changesOf(first)).toEqual(['ap-1 none unrendered', 'eu-1 create new']);
    expect(changesOf(mended)).toEqual(['ap-1 update override', 'eu-1 none unchanged']);
  });
});
