import type { Release } from '../../engine/plan.js';

export type Layout = 'plain' | 'argocd' | 'flux' | 'fleet' | 'configsync';

export interface LayoutOptions {
  /** Address of the repository, for layouts whose objects name it. */
  readonly repo?: string;
  /** Branch the tool follows; default `main`. */
  readonly revision?: string;
}

/** A file by its path from the root, with `/`. */
export interface LayoutFile {
  readonly path: string;
  readonly documents: readonly object[];
}

/** Folder of a release: `clusters/<cluster>/<app>`. */
export function releaseFolder({ cluster, application }: Release): string {
  return `clusters/${cluster}/${application}`;
}

/** Name of the tool's object: `shop`, with environment `shop-prod`. */
export function ownerName({
  application,
  environment,
}: Pick<Release, 'application' | 'environment'>): string {
  return environment === undefined ? application : `${application}-${environment}`;
}
