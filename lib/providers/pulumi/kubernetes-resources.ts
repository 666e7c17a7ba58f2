import * as pulumi from '@pulumi/pulumi';
import type { KubeObject } from '../../engine/object.js';
import { refOf } from '../../engine/object.js';
import type { Release } from '../../engine/plan.js';
import { withOutputs } from './late-values.js';
import type { Observed } from './observe-release.js';
import type { PlannedRelease } from './plan-release.js';
import { wireKey } from './release-wire.js';
import { LockGuard } from './resources.js';
import { own } from '../../engine/own.js';

/** `@pulumi/kubernetes` as far as we use it; loaded only when asked for. */
interface KubernetesSdk {
  readonly apiextensions: {
    readonly CustomResource: new (
      name: string,
      args: object,
      options: pulumi.CustomResourceOptions,
    ) => pulumi.CustomResource & { readonly metadata: pulumi.Output<object> };
  };
}

/**
 * Register every manifest as a resource of `@pulumi/kubernetes` under the provider of its cluster, all of them behind the
 * lock guard; the resources of a wave depend on all of the wave before. Readiness is that provider's; soak, failure budgets
 * and the settle step are not available.
 *
 * Every cluster has a provider here: `planRelease` has refused anything else.
 */
export function registerKubernetesResources(
  parent: pulumi.Resource,
  name: string,
  { plan, application, environment, lock }: PlannedRelease,
  providers: Readonly<Record<string, pulumi.ProviderResource>>,
): pulumi.Output<Record<string, string>> {
  const guard = new LockGuard(
    `${name}-lock`,
    { application, environment, kind: 'lock', ...lock },
    { parent },
  );
  const byCluster = new Map(plan.releases.map((release) => [release.cluster, release]));
  const observed: Record<string, pulumi.Output<string>> = {};
  let before: readonly pulumi.Resource[] = [guard];
  for (const wave of plan.waves) {
    const registered = wave.clusters.flatMap((cluster) => {
      const release = byCluster.get(cluster);
      const provider = own(providers, cluster);
      if (release === undefined || provider === undefined) return [];
      const resources = registerRelease(parent, name, release, provider, before);
      observed[cluster] = observedOf(release, resources);
      return resources;
    });
    if (registered.length > 0) before = registered;
  }
  return pulumi.all(observed);
}

function registerRelease(
  parent: pulumi.Resource,
  name: string,
  release: Release,
  provider: pulumi.ProviderResource,
  before: readonly pulumi.Resource[],
): pulumi.CustomResource[] {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- an optional peer, and heavy
  const sdk = require('@pulumi/kubernetes') as KubernetesSdk;
  const registered: pulumi.CustomResource[] = [];
  let rank = -1;
  let lower: pulumi.Resource[] = [...before];
  for (const manifest of release.manifests) {
    if (manifest.rank !== rank) {
      lower = [...before, ...registered];
      ({ rank } = manifest);
    }
    const unique = `${name}-${release.cluster}-${wireKey(manifest.resource).replace(/[^A-Za-z0-9.]+/g, '-')}`;
    const resource = new sdk.apiextensions.CustomResource(
      unique,
      argsOf(withOutputs(manifest.object) as KubeObject),
      {
        parent,
        provider,
        dependsOn: lower,
      },
    );
    registered.push(resource);
  }
  return registered;
}

/** Secret data travels as Pulumi secrets. */
function argsOf(object: KubeObject): object {
  if (object.kind !== 'Secret' || object.apiVersion !== 'v1') return object;
  const { data, stringData, ...rest } = object;
  return {
    ...rest,
    ...(data !== undefined && { data: pulumi.secret(data) }),
    ...(stringData !== undefined && { stringData: pulumi.secret(stringData) }),
  };
}

/** That provider reports neither status nor generation of custom resources: what was applied counts as carried. */
function observedOf(
  release: Release,
  resources: readonly pulumi.CustomResource[],
): pulumi.Output<string> {
  const objects: Record<string, KubeObject> = {};
  for (const { object, resource, generation } of release.manifests) {
    objects[wireKey(resource)] = {
      apiVersion: object.apiVersion,
      kind: object.kind,
      metadata: {
        name: refOf(object).name,
        generation: 1,
        annotations: { 'resourcetemplate.karmada.io/generation': String(generation) },
      },
      // It waited until the controller had reconciled, or failed.
      status: { observedGeneration: 1 },
    };
  }
  const observed: Observed = objects;
  return pulumi.all(resources.map((r) => r.id)).apply(() => JSON.stringify(observed));
}
