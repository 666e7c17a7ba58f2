import type { Diagnostic } from './diagnostic.js';
import type { Manifest } from './plan.js';

/** One object as one cluster shall hold it. */
export interface RenderedManifest extends Omit<Manifest, 'action'> {
  /** Empty for what comes along without a template: namespaces. */
  readonly bindingKey: string;
  readonly cluster: string;
}

/** Binding key, then cluster, to the hash of (template, overrides that apply there). */
export type RenderKeys = ReadonlyMap<string, ReadonlyMap<string, string>>;

export interface Rendered {
  readonly manifests: readonly RenderedManifest[];
  readonly keys: RenderKeys;
  readonly diagnostics: readonly Diagnostic[];
}
