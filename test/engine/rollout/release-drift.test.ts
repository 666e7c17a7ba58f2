import { describe, expect, test } from '@jest/globals';
import type { KubeObject } from '../../../lib/api/object.js';
import type { Plan } from '../../../lib/engine/plan.js';
import { MARKS } from '../../../lib/engine/plan.js';
import { driftOfRelease, keepDrift } from '../../../lib/engine/rollout/index.js';
import {
  aConfigMap,
  aDeployment,
  aManifest,
  aPlan,
  aRelease,
  aWave,
} from '../../providers/rollout/releases.js';

const web = aManifest(aDeployment('web'));
const env = aManifest(aConfigMap('env'));
const release = aRelease('eu-1', [web, env]);
const setId = web.object.metadata.labels?.[MARKS.partOf] ?? '';
const context = { setId, isAutoscaled: () => false };

/** The Deployment as the cluster has it, after somebody edited it. */
function edited(spec: object, managedFields: readonly object[] = []): KubeObject {
  const { object } = web;
  return {
    ...object,
    metadata: { ...object.metadata, managedFields },
    spec: { ...(object['spec'] as object), ...spec },
  };
}

describe('drift of a release', () => {
  test('none where the cluster has what was applied, and more that others own', () => {
    const live = edited({ paused: false });
    expect(driftOfRelease(release, [live, env.object], context)).toEqual([]);
  });

  test('a field with both values and who owns it now', () => {
    const live = edited({ replicas: 7 }, [
      { manager: 'fleetwright', operation: 'Apply', fieldsV1: { 'f:spec': { 'f:template': {} } } },
      { manager: 'kubectl', operation: 'Update', fieldsV1: { 'f:spec': { 'f:replicas': {} } } },
    ]);

    expect(driftOfRelease(release, [live, env.object], context)).toEqual([
      {
        cluster: 'eu-1',
        resource: web.resource,
        state: 'differs',
        fields: [
          {
            path: '.spec.replicas',
            planned: 2,
            live: 7,
            managers: ['kubectl'],
            holders: ['kubectl'],
          },
        ],
      },
    ]);
  });

  test('the owner of an item of a list is found by its key, of a list as a whole by the list', () => {
    const template = {
      metadata: { labels: { app: 'web' } },
      spec: { containers: [{ name: 'main', image: 'evil', args: ['a'] }] },
    };
    const withArgs = aManifest({
      ...web.object,
      spec: {
        template: {
          ...template,
          spec: { containers: [{ name: 'main', image: 'good', args: ['b'] }] },
        },
      },
    });
    const live = edited({ template }, [
      {
        manager: 'ci',
        fieldsV1: {
          'f:spec': {
            'f:template': {
              'f:spec': {
                'f:containers': { 'k:{"name":"main"}': { 'f:image': {}, 'f:args': {} } },
              },
            },
          },
        },
      },
      { manager: 'other', fieldsV1: { 'f:spec': { 'f:template': { 'f:metadata': {} } } } },
    ]);

    const [drift] = driftOfRelease(aRelease('eu-1', [withArgs]), [live], context);

    expect(drift?.fields.map(({ path, managers }) => [path, managers])).toEqual([
      ['.spec.template.spec.containers[main].args[0]', ['ci']],
      ['.spec.template.spec.containers[main].image', ['ci']],
    ]);
  });

  test('what is missing, and members of the set that the plan lacks', () => {
    const old = aManifest(aConfigMap('old')).object;
    const foreign = aConfigMap('foreign');
    const found = driftOfRelease(release, [env.object, old, foreign], context);

    expect(found.map(({ state, resource }) => [state, resource.name])).toEqual([
      ['missing', 'web'],
      ['unwanted', 'old'],
    ]);
  });

  test('replicas under an autoscaler are none', () => {
    const live = edited({ replicas: 7 });
    expect(
      driftOfRelease(release, [live, env.object], { setId, isAutoscaled: () => true }),
    ).toEqual([]);
  });

  test('values of Secrets are never told', () => {
    const secret = (data: object): KubeObject => ({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'key', namespace: 'shop' },
      data,
    });
    const planned = aManifest(secret({ password: 'aHVudGVyMg==' }));
    const live = { ...planned.object, data: { password: 'c3RvbGVu' } };

    const found = driftOfRelease(aRelease('eu-1', [planned]), [live], context);

    expect(found[0]?.fields).toEqual([{ path: '.data.password', managers: [] }]);
  });
});

describe('keeping drift', () => {
  const plan: Plan = aPlan([aWave('all', ['eu-1'])], [release]);
  const live = { members: { 'eu-1': [edited({ replicas: 7 }), env.object] } };
  const specOf = (kept: Plan): unknown =>
    kept.releases[0]?.manifests.find(({ resource }) => resource.name === 'web')?.object['spec'];

  test.each([
    ['.spec.replicas'],
    ['spec.replicas'],
    ['.spec'],
    ['Deployment/shop/web:.spec.replicas'],
    ['Deployment/shop/web:spec.replicas'],
  ])('%s: the live value stands in the plan', (field) => {
    const { plan: after, kept, unmatched } = keepDrift(plan, live, [field]);

    expect(specOf(after)).toMatchObject({ replicas: 7 });
    expect(kept).toEqual([{ cluster: 'eu-1', resource: web.resource, path: '.spec.replicas' }]);
    expect(unmatched).toEqual([]);
    // Nothing is left to apply: the next run still sees the plan's revision.
    expect(driftOfRelease(after.releases[0] ?? release, live.members['eu-1'], context)).toEqual([]);
  });

  test.each([['.spec.replica'], ['Deployment/shop/other:.spec.replicas']])(
    '%s: fits nothing, and is said to',
    (field) => {
      const kept = keepDrift(plan, live, [field]);
      expect(kept.unmatched).toEqual([field]);
      expect(specOf(kept.plan)).toMatchObject({ replicas: 2 });
    },
  );

  test('a field that somebody removed, in a named item', () => {
    const { object } = web;
    const bare = {
      ...object,
      spec: {
        ...(object['spec'] as object),
        template: { spec: { containers: [{ name: 'other' }, { name: 'main' }] } },
      },
    };
    const field = '.spec.template.spec.containers[main].image';

    const { plan: after } = keepDrift(plan, { members: { 'eu-1': [bare] } }, [field]);

    expect(specOf(after)).toMatchObject({ template: { spec: { containers: [{ name: 'main' }] } } });
    expect(JSON.stringify(specOf(after))).not.toContain('nginx');
  });
});
