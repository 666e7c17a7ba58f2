import { describe, expect, test } from '@jest/globals';
import { plan } from '../../../lib/engine/index.js';
import type { KubeObject } from '../../../lib/engine/object.js';
import type { Plan } from '../../../lib/engine/plan.js';
import {
  applySetId,
  countDrift,
  driftOfRelease,
  toApply,
} from '../../../lib/engine/rollout/index.js';
import { standardTools } from '../../../lib/providers/tools.js';
import { aCluster, aDeployment, anInput, aPolicy } from '../../builders.js';

const tools = standardTools();
const eu = aCluster('eu-1');
const setId = applySetId('shop', tools.hash);
const web: KubeObject = {
  ...aDeployment('web', 3),
  metadata: { name: 'web', namespace: 'shop', annotations: { team: 'a' } },
};

type Policy = Record<string, unknown>;

/** Planned over what a run of the same plan left, changed by `edit`, with its drift counted. */
function planOver(edit: (stored: KubeObject) => KubeObject, policy: Policy = {}): Plan {
  const documents = [web, aPolicy('web', {}, policy)];
  const options = { application: 'shop' };
  const before = plan(anInput(documents, [eu], options), tools);
  const members = before.releases.flatMap(({ manifests }) =>
    manifests.map((manifest) => {
      const context = { mode: 'settle' as const, setId, isAutoscaled: false };
      const { object } = toApply(manifest, undefined, context);
      return object.kind === 'Deployment' ? edit(object) : object;
    }),
  );
  const input = anInput(documents, [eu], options, { live: { members: { 'eu-1': members } } });
  const after = plan({ ...input, lock: before.lock }, tools);
  const found = after.releases.flatMap((release) =>
    driftOfRelease(release, members, { setId, isAutoscaled: () => false }),
  );
  return countDrift(after, found);
}

function scaled(manager: string, replicas: number, more: object = {}) {
  return (object: KubeObject): KubeObject => ({
    ...object,
    metadata: {
      ...object.metadata,
      managedFields: [{ manager, fieldsV1: { 'f:spec': { 'f:replicas': {} } }, ...more }],
    },
    spec: { ...(object['spec'] as object), replicas },
  });
}

const changesOf = (result: Plan): readonly string[] =>
  result.changes.flatMap(({ action, class: kind, reason }) =>
    action === 'none' ? [] : [`${action} ${kind} ${reason ?? ''}`],
  );

describe('what somebody changed on a cluster', () => {
  test('is a change, with who and which field; the manifest is one too', () => {
    const result = planOver(scaled('kubectl', 5, { subresource: 'scale' }), {
      conflictResolution: 'Overwrite',
    });

    expect(changesOf(result)).toEqual([
      'update drift changed on the cluster by "kubectl": .spec.replicas',
    ]);
    expect(result.releases[0]?.manifests.map(({ action }) => action)).toContain('update');
    expect(result.applicable).toBe(true);
  });

  test('APPLY_CONFLICT: with Abort it is refused in the plan, with the ways out', () => {
    const result = planOver(scaled('kubectl-edit', 5));

    expect(result.applicable).toBe(false);
    expect(result.diagnostics).toEqual([
      expect.objectContaining({
        code: 'APPLY_CONFLICT',
        severity: 'error',
        summary: expect.stringContaining(
          'web on eu-1: .spec.replicas was changed there by "kubectl-edit"',
        ),
        hint: expect.stringMatching(/by hand.*--keep-drift.*Overwrite/),
      }),
    ]);
  });

  test('a field that was taken away conflicts with nobody', () => {
    const result = planOver(({ metadata: { annotations = {}, ...metadata }, ...object }) => {
      const { team: _, ...rest } = annotations;
      return { ...object, metadata: { ...metadata, annotations: rest } };
    });

    expect(changesOf(result)).toEqual([
      'update drift changed on the cluster: .metadata.annotations.team',
    ]);
    expect(result.applicable).toBe(true);
  });

  test('who owns only items of a list does not hold the list', () => {
    const result = planOver((object) => ({
      ...object,
      metadata: {
        ...object.metadata,
        managedFields: [
          {
            manager: 'istio',
            fieldsV1: {
              'f:spec': {
                'f:template': {
                  'f:spec': { 'f:containers': { 'k:{"name":"mesh"}': { '.': {}, 'f:name': {} } } },
                },
              },
            },
          },
        ],
      },
    }));

    expect(changesOf(result)).toEqual([]);
    expect(result.applicable).toBe(true);
  });

  test("what only we own is nobody's change: the cluster writes it in its own way", () => {
    expect(changesOf(planOver(scaled('fleetwright', 5)))).toEqual([]);
  });

  test('nothing changed, nothing counted', () => {
    const result = planOver((object) => object);

    expect(changesOf(result)).toEqual([]);
    expect(result.diagnostics).toEqual([]);
  });
});
