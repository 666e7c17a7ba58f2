import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from '@jest/globals';
import { inPulumi, sayInPulumi } from '../../../lib/providers/pulumi/hints.js';

const ENGINE = resolve(__dirname, '../../../lib/engine');
/** Of ways that a Pulumi program does not go: another command, another target. */
const ELSEWHERE = /[/\\](adopt|karmada)[/\\]/;

/** Every line of the engine that names a flag for people; comments are not among them. */
function linesWithFlags(): readonly string[] {
  return readdirSync(ENGINE, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !ELSEWHERE.test(`/${file}`))
    .flatMap((file) => readFileSync(join(ENGINE, file), 'utf8').split('\n'))
    .filter((line) => !line.includes('kubectl'))
    .filter((line) => /(hint|summary|message)\b.*[`\s]--[a-z]/.test(line));
}

test('every flag that the engine names has an argument in its place', () => {
  const lines = linesWithFlags();
  const left = lines.map(sayInPulumi).filter((line) => /[`\s]--[a-z]/.test(line));

  expect(lines.length).toBeGreaterThan(2);
  expect(left).toEqual([]);
});

test('an acknowledgement is an argument', () => {
  const said = inPulumi({
    code: 'FLEET_SHRANK',
    severity: 'error',
    summary: 'x',
    hint: 'plan with `--acknowledge FLEET_SHRANK`.',
  });

  expect(said.hint).toBe("plan with `acknowledge: ['FLEET_SHRANK']`.");
});
