import { z } from 'zod';
import type { Immutable } from './immutable.js';
import { toleration } from './toleration.js';
import { fields, int32, optional, resourceList, stringMap } from './value.js';

/** Operators: `In`, `NotIn`, `Exists`, `DoesNotExist`, `Gt`, `Lt`. */
export const nodeSelectorRequirement = fields({
  key: z.string(),
  operator: z.string(),
  values: optional(z.array(z.string())),
});

/** Requirements are combined with AND. */
export const nodeSelectorTerm = fields({
  matchExpressions: optional(z.array(nodeSelectorRequirement)),
  matchFields: optional(z.array(nodeSelectorRequirement)),
});

/** Terms are combined with OR. */
export const nodeSelector = fields({ nodeSelectorTerms: z.array(nodeSelectorTerm) });

/** What a node must have to take one replica. */
export const nodeClaim = fields({
  hardNodeAffinity: optional(nodeSelector),
  nodeSelector: optional(stringMap),
  tolerations: optional(z.array(toleration)),
});

const requirementFields = {
  nodeClaim: optional(nodeClaim),
  priorityClassName: optional(z.string()),
  resourceRequest: optional(resourceList),
};

/** What one replica of a workload needs. */
export const replicaRequirements = fields({
  namespace: optional(z.string()),
  ...requirementFields,
});

/** What one replica of a component needs. */
export const componentReplicaRequirements = fields(requirementFields);

/** One pod template of a workload that has several. */
export const component = fields({
  /** Unique in the workload. */
  name: z.string().max(32),
  replicaRequirements: optional(componentReplicaRequirements),
  replicas: int32,
});

export type NodeSelectorRequirement = Immutable<z.infer<typeof nodeSelectorRequirement>>;
export type NodeSelectorTerm = Immutable<z.infer<typeof nodeSelectorTerm>>;
export type NodeSelector = Immutable<z.infer<typeof nodeSelector>>;
export type NodeClaim = Immutable<z.infer<typeof nodeClaim>>;
export type ReplicaRequirements = Immutable<z.infer<typeof replicaRequirements>>;
export type ComponentReplicaRequirements = Immutable<z.infer<typeof componentReplicaRequirements>>;
export type Component = Immutable<z.infer<typeof component>>;
