import type { Cluster } from '../api/cluster.js';
import type { PlacedBinding } from './binding.js';
import { compareBy, compareStrings, sorted } from './compare.js';
import type { Diagnostic } from './diagnostic.js';
import { describeRef, refOf } from './object.js';
import type { CheckResult } from './plan.js';
import type { Snapshot } from './snapshot.js';
import { about } from './validate.js';

export interface Checks {
  readonly results: readonly CheckResult[];
  readonly diagnostics: readonly Diagnostic[];
}

type Domain = 'region' | 'zone' | 'cluster' | 'provider';

interface CheckSpec {
  readonly survivesLossOf: Domain;
  readonly minAvailablePercent: number;
  readonly resources?: readonly {
    readonly apiVersion: string;
    readonly kind: string;
    readonly namespace?: string;
    readonly name?: string;
  }[];
}

/**
 * Test the properties the plan must have. A check looks at every placed binding with replicas that its selectors name
 * (all when it has none); it fails with the worst case as the counter-example.
 */
export function check(snapshot: Snapshot, placed: readonly PlacedBinding[]): Checks {
  const domains = new Map(snapshot.clusters.map((c) => [c.metadata.name as string, c]));
  const results: CheckResult[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const document of snapshot.checks) {
    const spec = document.object['spec'] as CheckSpec;
    const worst = worstLoss(spec, placed, domains);
    const promise = `survives the loss of any one ${spec.survivesLossOf} with ≥ ${spec.minAvailablePercent} % of replicas`;
    const { name } = refOf(document.object);
    if (worst === undefined || worst.left * 100 >= spec.minAvailablePercent * worst.total) {
      results.push({ name, passed: true, message: promise });
      continue;
    }
    const seen = `${worst.what} keeps ${worst.left} of ${worst.total} replicas without ${spec.survivesLossOf} ${worst.domain}`;
    results.push({ name, passed: false, message: `${promise}: ${seen}` });
    diagnostics.push(
      about(document, {
        severity: 'error',
        code: 'CHECK_FAILED',
        summary: `Check "${name}" does not hold: ${seen}; it asks for ${spec.minAvailablePercent} %.`,
        hint: 'Spread the workload wider (spreadConstraints), raise its replicas, or lower the check.',
      }),
    );
  }
  return {
    results: sorted(
      results,
      compareBy((r) => r.name),
    ),
    diagnostics,
  };
}

interface Loss {
  readonly what: string;
  readonly domain: string;
  readonly left: number;
  readonly total: number;
}

function worstLoss(
  spec: CheckSpec,
  placed: readonly PlacedBinding[],
  clusters: ReadonlyMap<string, Cluster>,
): Loss | undefined {
  let worst: Loss | undefined;
  for (const binding of placed.filter((b) => isMeant(spec, b))) {
    const total = binding.clusters.reduce((sum, c) => sum + (c.replicas ?? 0), 0);
    const lost = new Map<string, number>();
    for (const { name, replicas = 0 } of binding.clusters) {
      for (const domain of domainsOf(clusters.get(name), spec.survivesLossOf)) {
        lost.set(domain, (lost.get(domain) ?? 0) + replicas);
      }
    }
    for (const [domain, replicas] of sorted(lost, (a, b) => compareStrings(a[0], b[0]))) {
      const loss = { what: describeRef(binding.resource), domain, left: total - replicas, total };
      if (worst === undefined || loss.left * worst.total < worst.left * loss.total) worst = loss;
    }
  }
  return worst;
}

function isMeant(spec: CheckSpec, { resource, clusters }: PlacedBinding): boolean {
  if (clusters.every((c) => (c.replicas ?? 0) === 0)) return false;
  return (
    spec.resources === undefined ||
    spec.resources.some(
      (s) =>
        s.apiVersion === resource.apiVersion &&
        s.kind === resource.kind &&
        (s.namespace === undefined || s.namespace === resource.namespace) &&
        (s.name === undefined || s.name === resource.name),
    )
  );
}

function domainsOf(cluster: Cluster | undefined, domain: Domain): readonly string[] {
  if (cluster === undefined) return [];
  const { region, provider, zones } = cluster.spec ?? {};
  switch (domain) {
    case 'cluster':
      return [cluster.metadata.name as string];
    case 'region':
      return region === undefined ? [] : [region];
    case 'provider':
      return provider === undefined ? [] : [provider];
    case 'zone':
      return zones ?? [];
  }
}
