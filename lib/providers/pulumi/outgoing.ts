import * as pulumi from '@pulumi/pulumi';
import type { Release } from '../../engine/plan.js';
import type { FleetReleaseArgs } from './args.js';
import { guarded, hashOf } from './hashes.js';
import { fillInRelease, textsIn, valuesOf } from './late-values.js';
import { hasSecretData, toWire } from './release-wire.js';
import type { ClusterAccess, ReleaseWire } from './wire.js';
import { own } from '../../engine/own.js';

/** A release on its way into inputs: parts of it may not be known yet. */
export type OutgoingWire = {
  [K in keyof Omit<ReleaseWire, 'manifests'>]: pulumi.Input<ReleaseWire[K]>;
} & { readonly manifests: OutgoingManifests };

type OutgoingManifests = Readonly<Record<string, pulumi.Input<string>>>;

/** Turns planned releases into inputs, with the values of other resources in them. */
export class OutgoingReleases {
  private readonly args: Pick<FleetReleaseArgs, 'kubeconfig' | 'contexts' | 'kubeconfigs'>;

  constructor(args: Pick<FleetReleaseArgs, 'kubeconfig' | 'contexts' | 'kubeconfigs'>) {
    this.args = args;
  }

  /** How each cluster is reached, as JSON. */
  accesses(releases: readonly Release[]): Record<string, pulumi.Input<string>> {
    return Object.fromEntries(releases.map(({ cluster }) => [cluster, this.access(cluster)]));
  }

  private access(cluster: string): pulumi.Input<string> {
    const access = this.accessWithoutText(cluster);
    const text = own(this.args.kubeconfigs, cluster);
    if (text === undefined) return JSON.stringify(access);
    return pulumi.secret(text).apply((kubeconfig) => JSON.stringify({ ...access, kubeconfig }));
  }

  private accessWithoutText(cluster: string): ClusterAccess {
    const { kubeconfig = '', contexts = {} } = this.args;
    return {
      cluster,
      kubeconfigPath: kubeconfig,
      context: own(contexts, cluster) ?? cluster,
      kubeconfig: '',
    };
  }

  wire(release: Release): OutgoingWire {
    const { cluster } = release;
    const access = this.accessWithoutText(cluster);
    const text = own(this.args.kubeconfigs, cluster);
    return {
      ...access,
      kubeconfig: text === undefined ? '' : pulumi.secret(text),
      manifests: manifestsOf(release, access),
      __facts: guarded(factsOf(release, access), hasSecretData(release)),
    };
  }

  hash(releases: readonly Release[]): pulumi.Input<string> {
    const texts = textsIn(releases.map(({ manifests }) => manifests));
    if (texts.length === 0) return hashOf(releases);
    return valuesOf(texts).apply((values) =>
      hashOf(releases.map((release) => fillInRelease(release, values))),
    );
  }
}

/** One input an object: the unknown and the secret ones leave the others as they are. */
function manifestsOf(release: Release, access: ClusterAccess): OutgoingManifests {
  const manifests = release.manifests.map((manifest) => {
    const alone = { ...release, manifests: [manifest] };
    const texts = textsIn(manifest.object);
    const [[key, known] = ['', '']] = Object.entries(toWire(alone, access).manifests);
    if (texts.length === 0) return [key, known];
    const filled = valuesOf(texts).apply(
      (values) => toWire(fillInRelease(alone, values), access).manifests[key] ?? '',
    );
    return [key, filled];
  });
  return Object.fromEntries(manifests) as OutgoingManifests;
}

function factsOf(release: Release, access: ClusterAccess): pulumi.Input<string> {
  const texts = textsIn(release.manifests);
  if (texts.length === 0) return toWire(release, access).__facts;
  return valuesOf(texts).apply((values) => {
    const masked = Object.values(values).flatMap(({ value, isSecret }) =>
      isSecret ? [value] : [],
    );
    return toWire(fillInRelease(release, values), access, masked.map(String)).__facts;
  });
}
