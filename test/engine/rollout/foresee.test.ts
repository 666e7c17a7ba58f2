import { describe, expect, test } from '@jest/globals';
import { plan } from '../../../lib/engine/index.js';
import type { PlanOptions } from '../../../lib/engine/input.js';
import type { KubeObject } from '../../../lib/engine/object.js';
import type { Plan } from '../../../lib/engine/plan.js';
import { standardTools } from '../../../lib/providers/tools.js';
import { aCluster, aDeployment, anInput, aPolicy } from '../../builders.js';

const tools = standardTools();
const eu = aCluster('eu-1');
const PROTECTED = 'resourcetemplate.karmada.io/deletion-protected';

const everywhere = (facts: Record<string, unknown> = {}): KubeObject => aPolicy('web', {}, facts);
const withSelector = (object: KubeObject, labels: Record<string, string>): KubeObject => ({
  ...object,
  spec: { ...(object['spec'] as object), selector: { matchLabels: labels } },
});
const annotated = (object: KubeObject, annotations: Record<string, string>): KubeObject => ({
  ...object,
  metadata: { ...object.metadata, annotations },
});
const labelled = (object: KubeObject, labels: Record<string, string>): KubeObject => ({
  ...object,
  metadata: { ...object.metadata, labels: { ...object.metadata.labels, ...labels } },
});
const web = withSelector(aDeployment('web', 2), { app: 'web' });

/** What a run of this application left on the cluster. */
function stored(documents: readonly KubeObject[], application = 'shop'): readonly KubeObject[] {
  const before = plan(anInput(documents, [eu], { application }), tools);
  return before.releases.flatMap(({ manifests }) => manifests.map(({ object }) => object));
}

function planOver(
  members: readonly KubeObject[],
  documents: readonly KubeObject[],
  { acknowledge = [], ...options }: Partial<PlanOptions> = {},
): Plan {
  return plan(
    anInput(
      documents,
      [eu],
      // What is seen is compared with the clusters alone.
      { application: 'shop', acknowledge: ['LOCK_LOST', ...acknowledge], ...options },
      { live: { members: { 'eu-1': members } } },
    ),
    tools,
  );
}

const found = (result: Plan): readonly string[] =>
  result.diagnostics
    .filter(({ code }) => code !== 'LOCK_LOST')
    .map(({ severity, code, summary }) => `${severity} ${code} ${summary}`);
const actions = (result: Plan): readonly string[] =>
  result.changes.map(({ action, class: kind, resource }) => `${action} ${kind} ${resource.kind}`);

describe('a field that cannot change in place', () => {
  const before = stored([web, everywhere()]);
  const other = withSelector(web, { app: 'shop' });

  test('FIELD_IMMUTABLE: replace is planned, and refused until somebody allows it', () => {
    const result = planOver(before, [other, everywhere()]);

    expect(result.applicable).toBe(false);
    expect(actions(result)).toContain('replace immutable Deployment');
    expect(found(result)).toEqual([
      'error FIELD_IMMUTABLE Deployment shop/web on eu-1 cannot change in place (.spec.selector): it would be deleted and made anew; nothing of it runs in between, and no surge is possible.',
    ]);
  });

  test.each([
    ['by code', ['FIELD_IMMUTABLE']],
    ['by name', ['FIELD_IMMUTABLE=Deployment/shop/web']],
  ])('is allowed once %s', (_name, acknowledge) => {
    const result = planOver(before, [other, everywhere()], { acknowledge });

    expect(result.applicable).toBe(true);
    expect(found(result)).toEqual([expect.stringContaining('warning FIELD_IMMUTABLE')]);
    expect(result.releases[0]?.manifests.map(({ action }) => action)).toContain('replace');
  });

  test('is allowed for good by an annotation on the template', () => {
    const allowed = annotated(other, { 'fleetwright.dev/replace': 'immutable' });

    expect(planOver(before, [allowed, everywhere()]).applicable).toBe(true);
  });

  test('other changes are made in place', () => {
    const more = withSelector(aDeployment('web', 3), { app: 'web' });

    expect(actions(planOver(before, [more, everywhere()]))).toContain('update drift Deployment');
  });

  test('what holds data is replaced only by name', () => {
    const claim = (storageClassName: string): KubeObject => ({
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name: 'web', namespace: 'shop' },
      spec: { storageClassName, resources: { requests: { storage: '1Gi' } } },
    });
    const policy = aPolicy(
      'web',
      {},
      {
        resourceSelectors: [{ apiVersion: 'v1', kind: 'PersistentVolumeClaim', name: 'web' }],
      },
    );
    const there = stored([claim('slow'), policy]);
    const next = annotated(claim('fast'), { 'fleetwright.dev/replace': 'immutable' });
    const isApplicable = (acknowledge: readonly string[]): boolean =>
      planOver(there, [next, policy], { acknowledge }).applicable;

    expect(isApplicable([])).toBe(false);
    expect(isApplicable(['FIELD_IMMUTABLE'])).toBe(false);
    expect(isApplicable(['FIELD_IMMUTABLE=PersistentVolumeClaim/shop/web'])).toBe(true);
  });
});

describe('an object of somebody else', () => {
  const theirs = stored([web, everywhere()], 'billing');

  test('APPLY_CONFLICT names both owners', () => {
    const result = planOver(theirs, [web, everywhere()]);

    expect(result.applicable).toBe(false);
    expect(found(result)).toEqual([
      'error APPLY_CONFLICT Deployment shop/web on eu-1 belongs to application "billing", and application "shop" plans it too.',
    ]);
  });

  test('cannot be acknowledged away: it would only fail later', () => {
    const result = planOver(theirs, [web, everywhere()], { acknowledge: ['APPLY_CONFLICT'] });

    expect(result.applicable).toBe(false);
  });

  test('is taken over with Overwrite, with a warning when it is another application', () => {
    const result = planOver(theirs, [web, everywhere({ conflictResolution: 'Overwrite' })]);

    expect(result.applicable).toBe(true);
    expect(found(result)).toEqual([expect.stringMatching(/^warning APPLY_CONFLICT .*"billing"/)]);
  });

  test('of a person or tool: named, and taken over without a word with Overwrite', () => {
    const plain: KubeObject = {
      ...web,
      metadata: { ...web.metadata, managedFields: [{ manager: 'kubectl', operation: 'Apply' }] },
    };

    expect(found(planOver([plain], [web, everywhere()]))).toEqual([
      expect.stringContaining('belongs to "kubectl"'),
    ]);
    expect(
      found(planOver([plain], [web, everywhere({ conflictResolution: 'Overwrite' })])),
    ).toEqual([]);
  });

  test.each([
    ['shop', []],
    ['billing', [expect.stringContaining('application "billing", which left it')]],
  ])('that %s left behind goes back to it without a word', (leftBy, findings) => {
    const managedFields = [{ manager: 'fleetwright', operation: 'Apply' }];
    const annotations = { 'fleetwright.dev/left-by': leftBy };
    const left: KubeObject = { ...web, metadata: { ...web.metadata, annotations, managedFields } };

    expect(found(planOver([left], [web, everywhere()]))).toEqual(findings);
  });

  test('a shared namespace is nobody else’s', () => {
    expect(theirs.map(({ kind }) => kind)).toContain('Namespace');
    const namespace = theirs.filter(({ kind }) => kind === 'Namespace');

    expect(found(planOver(namespace, [web, everywhere()]))).toEqual([]);
  });
});

describe('deletion protection', () => {
  const extra = aDeployment('old', 1);
  const extraPolicy = aPolicy('old', {});
  const all = stored([web, everywhere(), extra, extraPolicy]);
  const protect = (name: string): readonly KubeObject[] =>
    all.map((object) =>
      object.metadata.name === name ? labelled(object, { [PROTECTED]: 'Always' }) : object,
    );

  test('DELETION_PROTECTED: what would go stays, and the plan says so', () => {
    const result = planOver(protect('old'), [web, everywhere()]);

    expect(result.applicable).toBe(true);
    expect(result.releases.flatMap(({ deletions }) => deletions)).toEqual([]);
    expect(actions(result)).toContain('none protected Deployment');
    expect(found(result)).toEqual([
      `warning DELETION_PROTECTED Deployment shop/old on eu-1 stays, although it is no longer planned there: it is protected (label ${PROTECTED}: Always).`,
    ]);
  });

  test('a protected namespace protects what is in it', () => {
    const result = planOver(protect('shop'), [web, everywhere()]);

    expect(result.releases.flatMap(({ deletions }) => deletions)).toEqual([]);
    expect(found(result)).toEqual([expect.stringContaining('Namespace shop is protected')]);
  });

  test('any other value protects nothing, as in Karmada', () => {
    const never = all.map((object) =>
      object.metadata.name === 'old' ? labelled(object, { [PROTECTED]: 'Never' }) : object,
    );

    expect(actions(planOver(never, [web, everywhere()]))).toContain('delete removed Deployment');
  });

  test('what is protected cannot be replaced either', () => {
    const result = planOver(
      protect('web'),
      [withSelector(web, { app: 'x' }), everywhere(), extra, extraPolicy],
      { acknowledge: ['FIELD_IMMUTABLE', 'DELETION_PROTECTED'] },
    );

    expect(result.applicable).toBe(false);
    expect(found(result)).toEqual([expect.stringContaining('error DELETION_PROTECTED')]);
  });
});

describe('hints on templates', () => {
  test('GATE_WAIVED is said in every plan, once for all clusters', () => {
    const object = annotated(web, { 'fleetwright.dev/readiness': 'ignore' });
    const result = plan(anInput([object, everywhere()], [eu, aCluster('us-1')]), tools);

    expect(found(result)).toEqual([
      'info GATE_WAIVED Deployment shop/web is not waited for: its annotation fleetwright.dev/readiness is "ignore".',
    ]);
  });

  test('HINT_INVALID for a value that means nothing', () => {
    const object = annotated(web, { 'fleetwright.dev/replace': 'always' });

    expect(found(plan(anInput([object, everywhere()], [eu]), tools))).toEqual([
      'error HINT_INVALID Annotation fleetwright.dev/replace of Deployment shop/web is "always", but must be "immutable".',
    ]);
  });
});
