import { Option } from 'commander';
import { compareDiagnostics, type Diagnostic } from '../lib/engine/diagnostic.js';
import type { PlanInput } from '../lib/engine/input.js';
import { refKey } from '../lib/engine/object.js';
import type { Plan } from '../lib/engine/plan.js';
import { interpretersFrom } from '../lib/providers/lua/index.js';
import type { DryRunFinding } from '../lib/providers/rollout/index.js';
import type { Access } from './access.js';
import { own } from '../lib/engine/own.js';

export interface DryRunFlags {
  readonly dryRun?: 'server';
}

export function dryRunOption(): Option {
  return new Option(
    '--dry-run <how>',
    'have the API servers check what would be applied, without storing it',
  ).choices(['server']);
}

/**
 * The plan with what the clusters' API servers say to it, one finding for all clusters that say the same. A plan with errors
 * asks nobody, and neither is a cluster asked that could not be read before.
 */
export async function askServers(plan: Plan, input: PlanInput, access: Access): Promise<Plan> {
  if (!plan.applicable) return plan;
  if (input.options.target !== 'members')
    throw new Error(`--dry-run=server asks member clusters, not target ${input.options.target}.`);
  const { dryRunReleases } = await import('../lib/providers/rollout/index.js');
  const { interpreters } = interpretersFrom(input.documents, input.now);
  const isUnread = ({ cluster }: { cluster: string }): boolean =>
    input.live !== undefined && own(input.live.members, cluster) === undefined;
  const asked = plan.releases.filter((release) => !isUnread(release));
  const { acknowledge = [] } = input.options;
  const found = toDiagnostics(
    await dryRunReleases(asked, access.connect, { interpreters, acknowledge }),
  );
  return {
    ...plan,
    applicable: found.every(({ severity }) => severity !== 'error'),
    diagnostics: [...plan.diagnostics, ...found].sort(compareDiagnostics),
  };
}

function toDiagnostics(findings: readonly DryRunFinding[]): readonly Diagnostic[] {
  const groups = new Map<string, { finding: DryRunFinding; text: string; clusters: string[] }>();
  for (const finding of findings) {
    const { code, cluster, resource, message } = finding;
    const head = `${cluster}: `;
    const text = message.startsWith(head) ? message.slice(head.length) : message;
    const key = JSON.stringify([code, resource === undefined ? '' : refKey(resource), text]);
    const group = groups.get(key) ?? { finding, text, clusters: [] };
    group.clusters.push(cluster);
    groups.set(key, group);
  }
  return [...groups.values()].map(({ finding, text, clusters }) => ({
    severity: finding.severity,
    code: finding.code,
    summary: `${clusters.join(', ')}: ${text}`,
    ...(finding.hint !== undefined && { hint: finding.hint }),
    ...(finding.resource !== undefined && { resource: finding.resource }),
  }));
}
