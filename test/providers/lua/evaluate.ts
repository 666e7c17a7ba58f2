import type { CustomizationRules } from '../../../lib/api/resource-interpreter-customization.js';
import type { SourcedObject } from '../../../lib/engine/input.js';
import type { Interpreter } from '../../../lib/engine/interpret/index.js';
import type { KubeObject } from '../../../lib/engine/object.js';
import { interpretersFrom } from '../../../lib/providers/lua/index.js';

export const NOW = '2026-01-02T03:04:05Z';
export const TARGET = { apiVersion: 'shop.example.com/v1', kind: 'Widget' };

export type Scripts = Readonly<Partial<Record<keyof CustomizationRules, string>>>;

export function customization(name: string, scripts: Scripts, target = TARGET): SourcedObject {
  const customizations = Object.fromEntries(
    Object.entries(scripts).map(([rule, luaScript]) => [rule, { luaScript }]),
  );
  return {
    object: {
      apiVersion: 'config.karmada.io/v1alpha1',
      kind: 'ResourceInterpreterCustomization',
      metadata: { name },
      spec: { target, customizations },
    },
  };
}

export function taught(scripts: Scripts): Interpreter {
  const [interpreter] = interpretersFrom([customization('widgets', scripts)], NOW).interpreters;
  if (interpreter === undefined) throw new Error('nothing was taught');
  return interpreter;
}

export function widget(spec: object, rest: object = {}): KubeObject {
  return { ...TARGET, metadata: { namespace: 'shop', name: 'w' }, spec, ...rest };
}

/** The status that a function with this body returns. */
export function evaluate(body: string, object: KubeObject = widget({})): unknown {
  return taught({ statusReflection: `function ReflectStatus(obj) ${body} end` }).interpretStatus?.(
    object,
  );
}
