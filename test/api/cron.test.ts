import { describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { judgeCron } from '../../lib/api/cron.js';
import { describePath, validateDocument } from '../../lib/api/index.js';

const WORKLOAD = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' };

function cronOf(spec: object): object {
  return {
    apiVersion: 'autoscaling.karmada.io/v1alpha1',
    kind: 'CronFederatedHPA',
    metadata: { name: 'web' },
    spec,
  };
}

function recorded<T>(file: string): readonly T[] {
  const path = join(__dirname, '../fixtures/cronhpa', file);
  const lines = gunzipSync(readFileSync(path)).toString('utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as T);
}

describe('recorded verdicts of Karmada', () => {
  test('rules of targets and replicas: the same fields are refused', () => {
    interface Recorded {
      readonly id: string;
      readonly spec: object;
      readonly want: { readonly admissionErrors?: readonly string[] };
    }

    const differences = recorded<Recorded>('admission.jsonl.gz').flatMap(({ id, spec, want }) => {
      const ours = validateDocument(cronOf(spec)).map(({ path }) => describePath(path));
      const theirs = (want.admissionErrors ?? []).map((error) => error.split(': ')[0] ?? '');
      return ours.sort().join() === theirs.sort().join() ? [] : [{ id, ours, theirs }];
    });

    expect(differences).toEqual([]);
  });

  test('schedules: refused by the webhook, refused by the controller only, or run', () => {
    interface Recorded {
      readonly id: string;
      readonly rule: { readonly schedule: string; readonly timeZone?: string };
      readonly want: { readonly admitted: boolean; readonly executorError?: string };
    }

    const cases = recorded<Recorded>('rules.jsonl.gz')
      // What follows the first item that matches now is not looked at by the webhook.
      .filter(({ rule }) => !/,(\s|$)/.test(rule.schedule));
    const differences = cases.flatMap(({ id, rule, want }) => {
      const findings = validateDocument(cronOf({ rules: [rule], scaleTargetRef: WORKLOAD }));
      const ours = {
        admitted: findings.every(({ admission }) => admission !== true),
        runs: findings.length === 0,
      };
      const theirs = {
        admitted: want.admitted,
        runs: want.admitted && want.executorError === undefined,
      };
      const same = ours.admitted === theirs.admitted && ours.runs === theirs.runs;
      return same ? [] : [{ id, rule, ours, theirs }];
    });

    expect(cases.length).toBeGreaterThan(1000);
    expect(differences).toEqual([]);
  });
});

test.each([
  ['0 9 * * *', 'runs'],
  ['*/70 22 1,15 jan-mar ?', 'runs'],
  ['5/10 0-6/2 * * SUN', 'runs'],
  ['@daily', 'runs'],
  ['@DAILY', 'never runs'],
  ['@5minutes', 'never runs'],
  ['0 9 * * 7', 'never runs'],
  ['0 9 L * 5#2', 'never runs'],
  ['0 9 15W * *', 'never runs'],
  ['0 30 9 * * ?', 'never runs'],
  ['30 9 * * ? 2030', 'never runs'],
  ['0 30 9 * * ? 2030', 'never runs'],
  ['@every 5m', 'refused'],
  ['0 22-2 * * *', 'refused'],
  ['60 8 * * *', 'refused'],
  ['0 8 * January *', 'refused'],
  ['*/0 * * * *', 'refused'],
  ['1, 8 * * *', 'refused'],
  ['0 9 * *', 'refused'],
] as const)('%s: %s', (schedule, verdict) => {
  expect(judgeCron(schedule)).toBe(verdict);
});
