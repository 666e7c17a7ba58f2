import { describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { type Finding, describePath, validateDocument } from '../../lib/api/index.js';

const ANNOUNCEMENTS = join(__dirname, '../fixtures/announcements');

function announced(file: string): readonly (readonly Finding[])[] {
  const documents = parseAllDocuments(readFileSync(join(ANNOUNCEMENTS, file), 'utf8'));
  return documents.map((document) => validateDocument(document.toJS()));
}

/** Code, path and hint: what a user must be able to rely on. */
function brief(findings: readonly Finding[]): readonly string[] {
  return findings.map(({ code, path, hint = '' }) => `${code} ${describePath(path)} | ${hint}`);
}

function policy(spec: object, metadata: object = { name: 'web', namespace: 'shop' }): object {
  const resourceSelectors = [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }];
  return {
    apiVersion: 'policy.karmada.io/v1alpha1',
    kind: 'PropagationPolicy',
    metadata,
    spec: { resourceSelectors, ...spec },
  };
}

describe('the policies of the announcements', () => {
  test.each(['cron-federatedhpa', 'cron-workload', 'preemption', 'rolling-upgrade'])(
    '%s is taken as it is',
    (file) => {
      expect(announced(`${file}.yaml`)).toEqual([[]]);
    },
  );

  test('batch-migration, its indentation lost: each field is told where it belongs', () => {
    const [findings = []] = announced('batch-migration.yaml');

    expect(brief(findings)).toEqual(
      ['priority', 'resourceSelectors', 'schedulerName'].map(
        (field) =>
          `DOCUMENT_MISPLACED_FIELD ${field} | Move it to \`spec.${field}\`; the indentation may be off.`,
      ),
    );
    expect(findings[1]?.summary).toBe(
      '`resourceSelectors` belongs under `spec`, not at the root of the document.',
    );
  });

  test('multiclusterservice: `range` is a former spelling', () => {
    const [first = [], second] = announced('multiclusterservice.yaml');

    expect(first).toMatchObject([
      { code: 'FIELD_REMOVED', path: ['spec', 'range'], ignored: true },
    ]);
    expect(first[0]?.hint).toContain('`spec.providerClusters`');
    expect(second).toEqual([]);
  });
});

describe('fields', () => {
  test.each([
    {
      name: 'a misspelt field is named with the one that was meant',
      spec: { placement: { clusterAfinity: {} } },
      found: ['FIELD_UNKNOWN spec.placement.clusterAfinity | Did you mean `clusterAffinity`?'],
    },
    {
      name: 'letter case counts as a misspelling',
      spec: { propagatedeps: true },
      found: ['FIELD_UNKNOWN spec.propagatedeps | Did you mean `propagateDeps`?'],
    },
    {
      name: 'a field one level too high is told the level below',
      spec: { placement: { clusterNames: ['eu-1'] } },
      found: [
        'DOCUMENT_MISPLACED_FIELD spec.placement.clusterNames | Move it to `spec.placement.clusterAffinity.clusterNames`; the indentation may be off.',
      ],
    },
    {
      name: 'a field of another level beats a far misspelling, a near misspelling beats the level',
      spec: { placement: { weightPreference: {}, clusterAffinitys: [] } },
      found: [
        'FIELD_UNKNOWN spec.placement.clusterAffinitys | Did you mean `clusterAffinity`?',
        'DOCUMENT_MISPLACED_FIELD spec.placement.weightPreference | Move it to `spec.placement.replicaScheduling.weightPreference`; the indentation may be off.',
      ],
    },
    {
      name: 'a former value is told its new name',
      spec: { failover: { cluster: { purgeMode: 'Immediately' } } },
      found: ['FIELD_REMOVED spec.failover.cluster.purgeMode | Use `Directly`.'],
    },
    {
      name: 'a number written as text',
      spec: { priority: '7' },
      found: ['FIELD_INVALID spec.priority | Leave out the quotes: 7.'],
    },
    {
      name: 'text written as a number',
      spec: { schedulerName: 7 },
      found: ['FIELD_INVALID spec.schedulerName | Quote it: "7".'],
    },
    {
      name: 'an unknown value near a known one',
      spec: { conflictResolution: 'overwrite' },
      found: ['FIELD_INVALID spec.conflictResolution | Did you mean Overwrite?'],
    },
    {
      name: 'a field without value is a field that is not there',
      spec: { placement: null, priority: null },
      found: [],
    },
    {
      name: 'a missing field, at every level',
      spec: { resourceSelectors: [{ kind: 'Deployment' }], failover: { application: {} } },
      found: [
        'FIELD_REQUIRED spec.failover.application.decisionConditions | ',
        'FIELD_REQUIRED spec.resourceSelectors[0].apiVersion | ',
      ],
    },
  ])('$name', ({ spec, found }) => {
    expect(brief(validateDocument(policy(spec)))).toEqual(found);
  });

  test('a kind in the wrong version and a kind that does not exist', () => {
    const metadata = { name: 'web' };
    const version = { apiVersion: 'policy.karmada.io/v1', kind: 'OverridePolicy', metadata };
    const name = { apiVersion: 'policy.karmada.io/v1alpha1', kind: 'OveridePolicy', metadata };

    expect(brief(validateDocument(version))).toEqual([
      'FIELD_INVALID apiVersion | Use apiVersion: policy.karmada.io/v1alpha1.',
    ]);
    expect(brief(validateDocument(name))).toEqual([
      'FIELD_INVALID kind | Did you mean OverridePolicy?',
    ]);
  });

  test('findings come sorted by path, list items by number', () => {
    const selectors = Array.from({ length: 11 }, () => ({ apiVersion: 'v1' }));
    const findings = validateDocument(policy({ resourceSelectors: selectors }));

    expect(findings.map(({ path }) => path[2])).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });
});

describe('metadata', () => {
  const deployment = (metadata: object, template: object = {}): object => ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata,
    spec: { replicas: 'not looked at', template },
  });

  test('numbers and booleans as labels get the quoted remedy, in the pod template too', () => {
    const object = deployment(
      { name: 'web', labels: { version: 1.2, 'example.com/canary': true } },
      { metadata: { annotations: { port: 8080 } } },
    );

    expect(brief(validateDocument(object))).toEqual([
      'FIELD_INVALID metadata.labels["example.com/canary"] | Quote it: example.com/canary: "true".',
      'FIELD_INVALID metadata.labels.version | Quote it: version: "1.2".',
      'FIELD_INVALID spec.template.metadata.annotations.port | Quote it: port: "8080".',
    ]);
  });

  test.each([
    { name: 'no metadata', object: { apiVersion: 'v1', kind: 'Secret' }, path: ['metadata'] },
    { name: 'no name', object: deployment({ labels: {} }), path: ['metadata', 'name'] },
    { name: 'no kind', object: { apiVersion: 'v1', metadata: { name: 'a' } }, path: ['kind'] },
  ])('$name is required', ({ object, path }) => {
    expect(validateDocument(object)).toMatchObject([{ code: 'FIELD_REQUIRED', path }]);
  });

  test('a label that cannot be one, a name that cannot be one, a field that is none', () => {
    const object = policy({}, { name: 'Web_1', namespace: 'shop', label: {}, labels: { a: 'ä' } });

    expect(validateDocument(object).map(({ code, path }) => [code, path.join('.')])).toEqual([
      ['FIELD_UNKNOWN', 'metadata.label'],
      ['FIELD_INVALID', 'metadata.labels.a'],
      ['FIELD_INVALID', 'metadata.name'],
    ]);
  });

  test('former spellings: a label of Work, certificates in the open', () => {
    const work = {
      apiVersion: 'work.karmada.io/v1alpha1',
      kind: 'Work',
      metadata: { name: 'a', labels: { 'propagation.karmada.io/instruction': 'suppressed' } },
      spec: {},
    };
    const karmada = {
      apiVersion: 'operator.karmada.io/v1alpha1',
      kind: 'Karmada',
      metadata: { name: 'a' },
      spec: { components: { etcd: { external: { endpoints: [], secretRef: {}, caData: '' } } } },
    };

    expect(validateDocument(work)).toMatchObject([{ code: 'FIELD_REMOVED', ignored: true }]);
    expect(validateDocument(karmada)).toMatchObject([
      { code: 'FIELD_REMOVED', hint: 'Use `spec.components.etcd.external.secretRef`.' },
    ]);
  });

  test('names of other kinds have their own rules', () => {
    const role = {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name: 'system:node' },
    };

    expect(validateDocument(role)).toEqual([]);
  });
});
