import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { describeOverrideTrace } from '../lib/engine/describe/index.js';
import type { Plan, PlanInput, PlanOptions } from '../lib/engine/index.js';
import { describeDiagnostics, describePlan } from '../lib/engine/index.js';
import { describeRef } from '../lib/engine/object.js';
import { traceBinding } from '../lib/engine/render/index.js';
import { plan, readFleet, readLock, readSources, standardTools } from '../lib/index.js';
import { locate } from '../lib/providers/source/index.js';

/**
 * One folder per situation, named after what happens: `input/` (documents), `fleet.yaml`, `options.json` (application,
 * profile, …), optionally `fleet.lock.yaml`, and what a person would see in `plan.golden.txt`. With `show` in the options
 * also the values before and after each override (`overrides`), the bounds of autoscalers (`autoscalers`), the order of applying (`order`), or each object that changes
 * (`changes`).
 * `npm run golden` rewrites the goldens; a changed one is a reviewed change.
 */
const ROOT = resolve(__dirname, 'scenarios');
interface ScenarioOptions extends PlanOptions {
  readonly now?: string;
  readonly show?: readonly ('autoscalers' | 'changes' | 'order' | 'overrides')[];
}
const isUpdate = process.argv.includes('--updateSnapshot') || process.argv.includes('-u');

const FOLDERS = readdirSync(ROOT, { withFileTypes: true }).filter((entry) => entry.isDirectory());

describe.each(FOLDERS.map(({ name }) => name).sort())('%s', (name) => {
  const folder = join(ROOT, name);

  test('shows the expected plan', () => {
    const sources = readSources(['input'], { cwd: folder });
    const { fleet, places } = readFleet('fleet.yaml', { cwd: folder });
    const lock = readLock(join(folder, 'fleet.lock.yaml'), 'fleet.lock.yaml');
    const { show = [], ...options } = JSON.parse(
      readFileSync(join(folder, 'options.json'), 'utf8'),
    ) as ScenarioOptions;
    if (fleet === undefined || !lock.ok) throw new Error(`${name}: fleet or lock cannot be read`);

    const input: PlanInput = {
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
    };
    const result = plan(input, standardTools());
    const diagnostics = locate(
      [...sources.diagnostics, ...result.diagnostics],
      [...sources.places, ...places],
    );
    const more = show.map((what) => `${SHOW[what](result, input)}\n`);
    const text = `profile ${options.profile ?? 'default'}\n\n${describePlan(result, { width: 140 })}\n${more.join('')}${describeDiagnostics(diagnostics)}`;

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

const SHOW = {
  autoscalers: ({ releases }: Plan) =>
    `Autoscalers\n${releases
      .flatMap(({ cluster, manifests }) =>
        manifests
          .filter(({ resource }) => resource.kind === 'HorizontalPodAutoscaler')
          .map(({ object }) => {
            const bounds = object['spec'] as Readonly<Record<string, unknown>>;
            return `  ${cluster}  ${bounds['minReplicas']} to ${bounds['maxReplicas']} replicas\n`;
          }),
      )
      .join('')}`,
  changes: ({ changes }: Plan) =>
    `Changes\n${changes
      .filter(({ action }) => action !== 'none')
      .map((c) => `  ${c.cluster}  ${c.action} ${describeRef(c.resource)} · ${c.class}\n`)
      .join('')}`,
  overrides: (result: Plan, input: PlanInput) =>
    result.bindings
      .map((binding) => {
        const trace = traceBinding(input, binding, standardTools());
        return `${describeRef(binding.resource)}: ${describeOverrideTrace(trace)}`;
      })
      .join(''),
  order: ({ releases }: Plan) =>
    releases
      .map(({ cluster, manifests }) => {
        const lines = manifests.map(({ rank, resource }) => `  ${rank} ${describeRef(resource)}`);
        return `Order on ${cluster}\n${lines.join('\n')}\n`;
      })
      .join(''),
};
