import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { KubeObject } from '../../../lib/api/object.js';
import { defineInterpreter, type Interpreter } from '../../../lib/engine/interpret/index.js';
import { gateReadiness } from '../../../lib/engine/rollout/index.js';
import { interpretersFrom } from '../../../lib/providers/lua/index.js';
import {
  applyRelease,
  verifyRelease,
  type ReleaseProgress,
} from '../../../lib/providers/rollout/index.js';
import { aConfigMap, aFleet, aNamespace, aRelease, type TestFleet } from './releases.js';

/** Gates and the health rules that users teach: ConfigMaps, which are ready once stored where nobody says more. */
const inTypeScript = defineInterpreter({
  kinds: [{ apiVersion: 'v1', kind: 'ConfigMap' }],
  interpretHealth: (object: KubeObject & { readonly data?: Record<string, string> }) =>
    object.data?.['PHASE'] === 'done',
});

function inLua(script: string): readonly Interpreter[] {
  const object = {
    apiVersion: 'config.karmada.io/v1alpha1',
    kind: 'ResourceInterpreterCustomization',
    metadata: { name: 'phases' },
    spec: {
      target: { apiVersion: 'v1', kind: 'ConfigMap' },
      customizations: { healthInterpretation: { luaScript: script } },
    },
  };
  return interpretersFrom([{ object }]).interpreters;
}

const RULES: readonly (readonly [string, readonly Interpreter[]])[] = [
  ['TypeScript', [inTypeScript]],
  ['Lua', inLua("function InterpretHealth(o) return o.data.PHASE == 'done' end")],
];

describe('a gate that asks a taught health rule', () => {
  const stored = aConfigMap('phases', { MODE: 'a' });

  test.each(RULES)('waits while it says no: %s', (_language, interpreters) => {
    expect(gateReadiness(stored, stored, interpreters)).toEqual({
      ready: false,
      waitingFor: 'its InterpretHealth rule to call it healthy',
    });
    const done = aConfigMap('phases', { PHASE: 'done' });

    expect(gateReadiness(stored, done, interpreters).ready).toBe(true);
  });

  test('opens for no rule of another kind, and not before the own rule of the kind', () => {
    const always = defineInterpreter({
      kinds: [{ apiVersion: 'apps/v1', kind: 'Deployment' }],
      interpretHealth: () => true,
    });
    const deployment = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' } };

    expect(gateReadiness(stored, stored, [always]).ready).toBe(true);
    expect(gateReadiness(deployment, deployment, [always]).ready).toBe(false);
  });

  test('is held by one that fails, and quotes it', () => {
    const failing = inLua("function InterpretHealth(o) error('no idea') end");

    const { ready, waitingFor } = gateReadiness(stored, stored, failing);

    expect(ready).toBe(false);
    expect(waitingFor).toMatch(/^its InterpretHealth rule, which fails: .*no idea/);
  });

  test('lets an object through that its plan waives', () => {
    const metadata = { ...stored.metadata, annotations: { 'fleetwright.dev/readiness': 'ignore' } };

    expect(gateReadiness({ ...stored, metadata }, stored, [inTypeScript]).ready).toBe(true);
  });
});

describe('a release with such an object', () => {
  let fleet: TestFleet;
  beforeEach(async () => {
    fleet = await aFleet('a');
  });
  afterEach(() => fleet.close());

  test.each(RULES)('is ready once the cluster made it healthy: %s', async (_language, rules) => {
    const client = await fleet.connect('a');
    const release = aRelease('a', [aNamespace(), aConfigMap('phases')]);
    const waited: string[] = [];
    let finishing: Promise<unknown> | undefined;
    const onProgress = (progress: ReleaseProgress): void => {
      if (progress.kind !== 'waiting' || !progress.waitingFor.includes('InterpretHealth')) return;
      waited.push(progress.waitingFor);
      finishing ??= client.apply(aConfigMap('phases', { PHASE: 'done' }), {
        fieldManager: 'controller',
      });
    };

    const { outcome } = await applyRelease(release, client, { interpreters: rules, onProgress });
    await finishing;

    expect(outcome).toBe('ready');
    expect(waited).toHaveLength(1);
    const without = await verifyRelease(release, client, {
      interpreters: inLua('function InterpretHealth(o) return false end'),
    });
    expect(without.outcome).toBe('failed');
  });
});
