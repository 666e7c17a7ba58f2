import { resolve } from 'node:path';
import { expect, test } from '@jest/globals';
import { planApplication, readFleet, readSources } from '../../../lib/index.js';

const cwd = resolve(__dirname, '../../../examples/07-third-party');

test('definitions precede every object of their kinds on each cluster', () => {
  const { documents } = readSources(['.'], { cwd });
  const { fleet } = readFleet('fleet.yaml', { cwd });
  if (fleet === undefined) throw new Error('the fleet cannot be read');

  const { releases, applicable } = planApplication({
    documents,
    fleet,
    now: '2026-01-15T12:00:00Z',
    options: { application: 'shop', profile: 'default', target: 'members' },
  });

  expect(applicable).toBe(true);
  expect(releases.map(({ cluster }) => cluster)).toEqual(['eu-1', 'us-1']);
  for (const { manifests } of releases) {
    const kinds = manifests.map(({ resource }) => resource.kind);
    const isDefinition = kinds.map((kind) => kind === 'CustomResourceDefinition');
    expect(isDefinition.lastIndexOf(true)).toBe(3);
    expect(kinds.slice(4)).toEqual(
      expect.arrayContaining(['CloneSet', 'ConfigMap', 'HelmRelease', 'Rollout', 'Secret']),
    );
    const ranks = manifests.map(({ rank }) => rank);
    expect(Math.max(...ranks.slice(0, 4))).toBeLessThan(Math.min(...ranks.slice(4)));
  }
});
