import { z } from 'zod';
import type { Immutable } from './immutable.js';
import { fields, objectMeta, optional } from './value.js';

/** A Lua 5.1 script that defines one whole function. */
export const luaRule = fields({ luaScript: z.string() });

/** Lua functions by purpose; each replaces the built-in rule of the same purpose. */
export const customizationRules = fields({
  /** `GetComponents(desiredObj)` */
  componentResource: optional(luaRule),
  /** `GetDependencies(desiredObj)` */
  dependencyInterpretation: optional(luaRule),
  /** `InterpretHealth(observedObj)` */
  healthInterpretation: optional(luaRule),
  /** `GetReplicas(desiredObj)` */
  replicaResource: optional(luaRule),
  /** `ReviseReplica(desiredObj, desiredReplica)` */
  replicaRevision: optional(luaRule),
  /** `Retain(desiredObj, observedObj)` */
  retention: optional(luaRule),
  /** `AggregateStatus(desiredObj, statusItems)` */
  statusAggregation: optional(luaRule),
  /** `ReflectStatus(observedObj)` */
  statusReflection: optional(luaRule),
});

export const resourceInterpreterCustomizationSpec = fields({
  customizations: customizationRules,
  target: fields({ apiVersion: z.string(), kind: z.string() }),
});

/** Teaches a resource type through Lua scripts (config.karmada.io/v1alpha1). */
export const resourceInterpreterCustomization = fields({
  apiVersion: z.literal('config.karmada.io/v1alpha1'),
  kind: z.literal('ResourceInterpreterCustomization'),
  metadata: objectMeta,
  spec: resourceInterpreterCustomizationSpec,
});

export type CustomizationRules = Immutable<z.infer<typeof customizationRules>>;
export type ResourceInterpreterCustomizationSpec = Immutable<
  z.infer<typeof resourceInterpreterCustomizationSpec>
>;
export type ResourceInterpreterCustomization = Immutable<
  z.infer<typeof resourceInterpreterCustomization>
>;
