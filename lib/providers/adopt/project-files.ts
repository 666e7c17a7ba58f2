import type { Cluster } from '../../api/cluster.js';
import type { KubeObject } from '../../api/object.js';
import type { Proposal } from '../../engine/adopt/index.js';
import type { Plan } from '../../engine/plan.js';
import { printLock } from '../lock/index.js';
import { printDocuments, printYaml } from '../source/index.js';

/**
 * The proposal as a project that `fleetwright up` takes: path in the folder → text, sorted by path.
 *
 * `fleetwright.yaml`, `fleet.yaml`, `fleet.lock.yaml`, `policies/…` and one file a template below `templates/`.
 */
export function projectFiles(
  proposal: Proposal,
  application: string,
  clusters: readonly Cluster[],
  plan: Plan,
): ReadonlyMap<string, string> {
  const files = new Map<string, string>([
    ['fleetwright.yaml', printYaml({ app: application, sources: ['policies', 'templates'] })],
    ['fleet.yaml', printDocuments(clusters)],
    ['fleet.lock.yaml', printLock(plan.lock)],
    ['policies/propagation.yaml', printDocuments(proposal.policies)],
  ]);
  if (proposal.overrides.length > 0)
    files.set('policies/overrides.yaml', printDocuments(proposal.overrides));
  for (const template of proposal.templates)
    files.set(freePath(template, files), printYaml(template));
  return new Map([...files].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** `templates/shop/deployment-web.yaml`; names of RBAC objects may hold characters that files may not. */
function freePath({ kind, metadata }: KubeObject, taken: ReadonlyMap<string, string>): string {
  const { namespace, name = '' } = metadata;
  const folder = namespace === undefined ? 'templates' : `templates/${namespace}`;
  const base = `${folder}/${kind.toLowerCase()}-${name.replaceAll(/[^A-Za-z0-9.-]/g, '-')}`;
  let path = `${base}.yaml`;
  for (let count = 2; taken.has(path); count += 1) path = `${base}-${count}.yaml`;
  return path;
}
