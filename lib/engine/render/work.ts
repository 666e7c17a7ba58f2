import type { Cluster } from '../../api/cluster.js';
import type { KubeObject } from '../../api/object.js';
import type { ResourceBindingSpec } from '../../api/resource-binding.js';
import type { Interpreter } from '../interpret/interpreter.js';
import type { CompiledOverrides } from '../override/index.js';
import type { DocumentTools } from '../override/overriders/field.js';

/** Karmada's per-cluster envelope, without what admission adds. */
export interface Work {
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly labels: Readonly<Record<string, string>>;
    readonly annotations: Readonly<Record<string, string>>;
    readonly finalizers: readonly string[];
  };
  readonly spec: {
    readonly manifest: KubeObject;
    readonly suspendDispatching: boolean;
    readonly preserveResourcesOnDeletion: boolean;
  };
}

export interface WorksRequest {
  /** ResourceBinding or ClusterResourceBinding. */
  readonly binding: {
    readonly metadata: {
      readonly name?: string;
      readonly namespace?: string;
      readonly labels?: Readonly<Record<string, string>>;
    };
    readonly spec: ResourceBindingSpec;
  };
  readonly template: KubeObject;
  /** By name. A target that is missing here is matched by name alone. */
  readonly clusters: ReadonlyMap<string, Cluster>;
  readonly overrides: CompiledOverrides;
  /** Feature gate of that name: labels kept over a failover are injected. */
  readonly statefulFailoverInjection: boolean;
  readonly interpreter: Interpreter;
  readonly tools: DocumentTools;
}
