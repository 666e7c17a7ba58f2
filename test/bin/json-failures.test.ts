import { beforeEach, describe, expect, test } from '@jest/globals';
import { copyOf, put, run } from './run.js';

/** Programs that asked for JSON get one document with `diagnostics`, also when a command refuses; people read stderr. */
let cwd = '';
beforeEach(() => {
  cwd = copyOf('04-karmada-nginx');
  put(cwd, 'broken.yaml', 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x, name: y}\n');
});

const SOURCES = '-f deployment.yaml --fleet fleet.yaml';

describe('a command that fails prints one JSON document all the same', () => {
  test.each([
    ['plan -f broken.yaml --fleet fleet.yaml --json', 'DOCUMENT_UNPARSABLE'],
    ['plan -f broken.yaml --fleet gone.yaml --json', 'FLEET_MISSING'],
    [`plan ${SOURCES} --json --no-such-flag`, 'COMMAND_FAILED'],
    ['diff -f broken.yaml --fleet fleet.yaml --base HEAD --format json', 'DOCUMENT_UNPARSABLE'],
    [
      'explain Deployment/default/none -f broken.yaml --fleet fleet.yaml --json',
      'DOCUMENT_UNPARSABLE',
    ],
    ['interpret -f gone.yaml --operation InterpretReplica --json', 'SOURCE_MISSING'],
    ['status -f broken.yaml --fleet fleet.yaml --json', 'DOCUMENT_UNPARSABLE'],
    ['synth -f broken.yaml --fleet fleet.yaml --json', 'DOCUMENT_UNPARSABLE'],
    ['lock -f broken.yaml --fleet fleet.yaml --json', 'DOCUMENT_UNPARSABLE'],
    ['up -f broken.yaml --fleet fleet.yaml --events-json', 'DOCUMENT_UNPARSABLE'],
    ['lock -f propagationpolicy.yaml --fleet fleet.yaml --json', 'POLICY_MATCHES_NOTHING'],
    ['synth -f propagationpolicy.yaml --app x --fleet fleet.yaml --json', 'POLICY_MATCHES_NOTHING'],
    [`rollback ${SOURCES} --target karmada --json`, 'COMMAND_FAILED'],
    [`rollback ${SOURCES} --kubeconfig broken.yaml --json`, 'COMMAND_FAILED'],
  ])('%s', async (args, code) => {
    const { code: exit, stdout, stderr } = await run(args, { cwd });

    expect(exit).toBe(1);
    const { diagnostics } = JSON.parse(stdout) as { diagnostics: { code: string }[] };
    expect(diagnostics.map((d) => d.code)).toContain(code);
    expect(stderr).not.toBe('');
  });

  test('text stays on stderr where nobody asked for JSON', async () => {
    const { stdout, stderr } = await run('plan -f broken.yaml --fleet fleet.yaml', { cwd });

    expect(stdout).toBe('');
    expect(stderr).toContain('DOCUMENT_UNPARSABLE');
  });

  test('a plan that is refused is one document, with its findings in it', async () => {
    const { code, stdout } = await run('plan -f propagationpolicy.yaml --fleet fleet.yaml --json', {
      cwd,
    });

    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      bindings: [],
      diagnostics: [{ code: 'POLICY_MATCHES_NOTHING', severity: 'error' }],
    });
  });
});
