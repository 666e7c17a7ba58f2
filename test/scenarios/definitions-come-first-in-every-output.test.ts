import { resolve } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import type { KubeObject } from '../../lib/engine/object.js';
import { planApplication, readFleet, readSources } from '../../lib/index.js';
import { renderFiles } from '../../lib/providers/git/index.js';
import { LAYOUT_RULES } from '../../lib/providers/git/layouts.js';
import { fromWire, toWire } from '../../lib/providers/pulumi/release-wire.js';
import { parseDocuments } from '../../lib/providers/source/yaml.js';

/*
 * fleet#377, kubernetes#64203, crane#266, cdk8s#2168, cdk8s-cli#740: Deployment.yaml is before Namespace.yaml by alphabet, and
 * so it was applied. Whatever a plan is written as, definitions and namespaces come before what needs them.
 */
const cwd = resolve(__dirname, '../../examples/07-third-party');
const documents = readSources(['.'], { cwd })
  .documents.map(({ object }) => ({ object }))
  // Readable Secrets are not written to repositories.
  .filter(({ object }) => object.kind !== 'Secret');
const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } };

const plan = planApplication({
  documents: [...documents, { object: namespace }].reverse(),
  fleet: readFleet('fleet.yaml', { cwd }).fleet ?? { clusters: [] },
  now: '2026-01-15T12:00:00Z',
  options: { application: 'shop', profile: 'default', target: 'git' },
});

function isOrdered(objects: readonly KubeObject[]): void {
  const kinds = objects.map(({ kind }) => kind);
  const last = (kind: string): number => kinds.lastIndexOf(kind);
  const first = kinds.findIndex((kind) =>
    ['CloneSet', 'Rollout', 'HelmRelease', 'ConfigMap'].includes(kind),
  );

  expect(first).toBeGreaterThan(0);
  expect(last('CustomResourceDefinition')).toBeLessThan(first);
  expect(last('Namespace')).toBeLessThan(first);
  expect(kinds.indexOf('ConfigMap')).toBeLessThan(kinds.indexOf('CloneSet'));
}

describe('files', () => {
  test.each(Object.keys(LAYOUT_RULES) as (keyof typeof LAYOUT_RULES)[])('%s', (layout) => {
    const repo = 'https://git.example/shop';
    const rendered = renderFiles(plan, { layout, repo, existing: () => undefined });
    if (!rendered.ok) throw new Error(JSON.stringify(rendered.diagnostics));
    const manifests = [...rendered.value.files].filter(([path]) => path.endsWith('manifest.yaml'));

    expect(manifests).toHaveLength(2);
    for (const [, text] of manifests)
      isOrdered(parseDocuments(text).map(({ value }) => value as KubeObject));
  });
});

test('releases, and what Pulumi sends', () => {
  const access = { cluster: 'eu-1', kubeconfigPath: '', context: '', kubeconfig: '' };
  for (const release of plan.releases) {
    isOrdered(release.manifests.map(({ object }) => object));
    const sent = fromWire({ application: 'shop', environment: '' }, toWire(release, access));
    isOrdered(sent.manifests.map(({ object }) => object));
  }
});
