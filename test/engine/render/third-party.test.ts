import { resolve } from 'node:path';
import { expect, test } from '@jest/globals';
import { plan, readFleet, readSources, standardTools } from '../../../lib/index.js';

const cwd = resolve(__dirname, '../../../examples/07-third-party');

test('definitions precede every object of their kinds on each cluster', () => {
  const { documents } = readSources(['.'], { cwd });
  const { fleet } = readFleet('fleet.yaml', { cwd });
  if (fleet === undefined) throw new Error('the fleet cannot be read');

  const { releases, applicable } = plan(
    {
      documents,
      fleet,
      now: '2026-01-15T12:00:00Z',
      options: { application: 'shop', profile: 'default', target: 'members' },
    },
    standardTools(),
  );

  expect(applicable).toBe(true);
  expect(releases.map(({ cluster }) => cluster)).toEqual(['eu-1', 'us-1']);
  for (const { manifests } of releases) {
    const kinds = manifests.map(({ resource }) => resource.kind);
    const isDefinition = kinds.map((kind) => kind === 'CustomResourceDefinition');
    expect(isDefinition.lastIndexOf(true)).toBe(2);
    expect(kinds.slice(3)).toEqual(
      expect.arrayContaining(['CloneSet', 'ConfigMap', 'HelmRelease', 'Secret']),
    );
    const ranks = manifests.map(({ rank }) => rank);
    expect(Math.max(...ranks.slice(0, 3))).toBeLessThan(Math.min(...ranks.slice(3)));
  }
});
