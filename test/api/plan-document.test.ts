import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type PlanDocument, planDocument, planJsonSchema } from '../../lib/api/plan-document.js';
import type { PlanDocument as Printed } from '../../lib/engine/describe/json.js';

const EXAMPLE = {
  schemaVersion: 1,
  application: 'shop',
  now: '2026-01-31T10:00:00Z',
  applicable: false,
  fleet: { clusters: 2, hash: 'a1' },
  bindings: [
    {
      resource: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'web' },
      policy: { kind: 'PropagationPolicy', namespace: 'shop', name: 'web' },
      shadowed: [],
      claim: 'the only policy that matches',
      follows: [],
      replicas: 3,
      strategy: 'Duplicated',
      generation: 1,
      revision: 'b2',
      decision: { kind: 'scheduled', reason: 'not in the lock' },
      assignments: [{ cluster: 'eu-1', replicas: 3, wave: 'all' }],
      left: [],
      verdicts: [{ cluster: 'eu-1', chosen: true, message: 'chosen' }],
    },
  ],
  changes: [
    {
      cluster: 'eu-1',
      resource: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'web' },
      action: 'create',
      class: 'new',
      wave: 'all',
    },
  ],
  waves: [
    {
      name: 'all',
      clusters: ['eu-1'],
      maxConcurrent: 1,
      gate: { soakSeconds: 0, deadlineSeconds: 600, maxFailures: 0, approval: false },
    },
  ],
  checks: [{ name: 'c', passed: true, message: 'm' }],
  diagnostics: [
    { code: 'FLEET_STALE', severity: 'warning', summary: 's', path: ['spec', 0], file: 'a.yaml' },
  ],
  lockChanges: ['+ Deployment shop/web'],
} as const satisfies Printed;

/** A field that the plan has and the contract has not is a compile error here. */
type Undocumented<Ours, Theirs> = Exclude<keyof Theirs, keyof Ours>;
const everyFieldIsDocumented: readonly [
  Undocumented<PlanDocument, Printed>,
  Undocumented<PlanDocument['fleet'], Printed['fleet']>,
  Undocumented<PlanDocument['bindings'][number], Printed['bindings'][number]>,
  Undocumented<PlanDocument['changes'][number], Printed['changes'][number]>,
  Undocumented<PlanDocument['waves'][number], Printed['waves'][number]>,
  Undocumented<PlanDocument['waves'][number]['gate'], Printed['waves'][number]['gate']>,
  Undocumented<PlanDocument['checks'][number], Printed['checks'][number]>,
  Undocumented<PlanDocument['diagnostics'][number], Printed['diagnostics'][number]>,
] extends readonly never[]
  ? true
  : never = true;

test('what the engine prints is what the contract says', () => {
  const document: PlanDocument = EXAMPLE satisfies Printed;

  expect(planDocument.parse(document)).toEqual(EXAMPLE);
  expect(everyFieldIsDocumented).toBe(true);
});

test('docs/plan.schema.json is current (npx tsx test/api/write-plan-schema.ts)', () => {
  const file = readFileSync(join(__dirname, '../../docs/plan.schema.json'), 'utf8');

  expect(JSON.parse(file)).toEqual(planJsonSchema());
});

test('the schema leaves room for fields of later releases', () => {
  expect(JSON.stringify(planJsonSchema())).not.toContain('additionalProperties');
});
