import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import type { PlanOptions } from '../lib/engine/index.js';
import { describeDiagnostics, describePlan } from '../lib/engine/index.js';
import { plan, readFleet, readLock, readSources, standardTools } from '../lib/index.js';
import { locate } from '../lib/providers/source/index.js';

/**
 * One folder per situation, named after what happens: `input/` (documents), `fleet.yaml`, `options.json` (application,
 * profile, …), optionally `fleet.lock.yaml`, and what a person would see in `plan.golden.txt`.
 * `npm run golden` rewrites the goldens; a changed one is a reviewed change.
 */
const ROOT = resolve(__dirname, 'scenarios');
const isUpdate = process.argv.includes('--updateSnapshot') || process.argv.includes('-u');

describe.each(readdirSync(ROOT).sort())('%s', (name) => {
  const folder = join(ROOT, name);

  test('shows the expected plan', () => {
    const sources = readSources(['input'], { cwd: folder });
    const { fleet, places } = readFleet('fleet.yaml', { cwd: folder });
    const lock = readLock(join(folder, 'fleet.lock.yaml'), 'fleet.lock.yaml');
    const options = JSON.parse(
      readFileSync(join(folder, 'options.json'), 'utf8'),
    ) as PlanOptions & { now?: string };
    if (fleet === undefined || !lock.ok) throw new Error(`${name}: fleet or lock cannot be read`);

    const result = plan(
      {
        documents: sources.documents,
        fleet,
        ...(lock.value !== undefined && { lock: lock.value }),
        now: options.now ?? '2026-01-02T00:00:00Z',
        options: {
          ...options,
          application: options.application ?? 'shop',
          profile: options.profile ?? 'default',
          target: options.target ?? 'members',
        },
      },
      standardTools(),
    );
    const diagnostics = locate(
      [...sources.diagnostics, ...result.diagnostics],
      [...sources.places, ...places],
    );
    const text = `profile ${options.profile ?? 'default'}\n\n${describePlan(result, { width: 140 })}\n${describeDiagnostics(diagnostics)}`;

    const golden = join(folder, 'plan.golden.txt');
    if (isUpdate || !existsSync(golden)) {
      if (process.env['CI'] === 'true') throw new Error(`${name} has no golden`);
      writeFileSync(golden, text);
    }
    expect(text).toBe(readFileSync(golden, 'utf8'));
  });

  test('says what it is about', () => {
    expect(readFileSync(join(folder, 'README.md'), 'utf8').length).toBeGreaterThan(80);
  });
});
