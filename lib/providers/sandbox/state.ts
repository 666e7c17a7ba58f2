import type { Certificate } from './certificate.js';
import type { JsonObject } from './merge/json.js';

/** A sandbox at rest: plain JSON, for a file. Holds the clusters' tokens and key. */
export interface SavedSandbox {
  readonly schemaVersion: 1;
  readonly certificate: Certificate;
  readonly clusters: readonly SavedCluster[];
}

export interface SavedCluster {
  readonly name: string;
  readonly token: string;
  readonly port: number;
  readonly revision: number;
  /** By storage, such as `apps/deployments`. */
  readonly objects: Readonly<Record<string, readonly JsonObject[]>>;
}
