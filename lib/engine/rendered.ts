import type { PlacedBinding } from './binding.js';
import type { Diagnostic } from './diagnostic.js';
import type { KubeObject, ObjectRef } from './object.js';
import type { Manifest } from './plan.js';

/** One object as it is on every cluster that gets the same of it; made once and shared. */
export interface RenderedContent extends Omit<Manifest, 'action' | 'growing'> {
  /** Resource key. */
  readonly key: string;
  /** Absent for what comes along without a template: namespaces. */
  readonly binding?: PlacedBinding;
  /** Of what it was rendered from, see render-key.ts; empty without a template. */
  readonly renderKey: string;
}

/** One object as one cluster shall hold it. */
export interface RenderedManifest {
  readonly cluster: string;
  readonly content: RenderedContent;
  /** See {@link Manifest.growing} in plan.ts. */
  readonly growing: KubeObject | undefined;
  /** 0 for kinds without. */
  readonly replicas: number;
  /** Replicas or completions that are written into it are others than those of the lock. */
  readonly isRecounted: boolean;
}

/** Binding key to its render keys, each with the clusters that have it. */
export type RenderKeys = ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>;

export interface Rendered {
  /** Sorted by resource key and cluster; namespaces come last. */
  readonly manifests: readonly RenderedManifest[];
  /** What could not be rendered: it stays on its cluster as it is. */
  readonly unrendered: readonly { readonly cluster: string; readonly resource: ObjectRef }[];
  readonly keys: RenderKeys;
  readonly diagnostics: readonly Diagnostic[];
}
