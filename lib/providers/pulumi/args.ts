import type * as pulumi from '@pulumi/pulumi';
import type { Profile } from '../../engine/input.js';
import type { Interpreter } from '../../engine/interpret/index.js';
import type { HasDocuments } from './documents.js';

/** What a {@link FleetRelease} takes. */
export interface FleetReleaseArgs {
  /**
   * A FleetApp, or anything with `toDocuments()`.
   * @default none; then give `files` or `documents`
   */
  readonly app?: HasDocuments;
  /**
   * YAML files and folders, relative to the Pulumi project.
   * @default none
   */
  readonly files?: readonly string[];
  /**
   * Kubernetes and Karmada objects as they are. Outputs of other resources may stand in Kubernetes objects where the plan
   * decides nothing by them: data, environment variables, arguments, images, annotations.
   * @default none
   */
  readonly documents?: readonly object[];
  /** Path of `fleet.yaml`, or the Cluster documents. */
  readonly fleet: string | readonly object[];
  /**
   * Name of the application.
   * @default the name of the FleetRelease
   */
  readonly application?: string;
  /**
   * Separates environments of one application; each has its own lock.
   * @default none
   */
  readonly environment?: string;
  /**
   * Path of the lock, relative to the Pulumi project.
   * @default `fleet.lock.yaml`, or `fleet.<environment>.lock.yaml`
   */
  readonly lockFile?: string;
  /**
   * `write`: the program may write the lock. `frozen`: a plan that differs from it fails.
   * @default `frozen` when the Pulumi config or environment says CI (`CI=true`), else `write`
   */
  readonly lock?: 'write' | 'frozen';
  /**
   * Kinds taught in TypeScript, with `defineInterpreter`; they come before what customizations among the documents teach.
   * @default none
   */
  readonly interpreters?: readonly Interpreter[];
  /**
   * `karmada`: as a stock control plane decides; `default`: with what makes sense at deploy time switched on.
   * @default `default`
   */
  readonly profile?: Profile;
  /**
   * Changes that guards refuse and that are meant, e.g. `FLEET_SHRANK`.
   * @default none
   */
  readonly acknowledge?: readonly string[];
  /**
   * Waves that a person has approved.
   * @default the Pulumi config value `fleetwright:approve`, comma-separated
   */
  readonly approve?: readonly string[];
  /**
   * Kubeconfig file, seen from the machine that runs Pulumi. Best: credentials stay out of the state.
   * @default `KUBECONFIG`, else `~/.kube/config`
   */
  readonly kubeconfig?: string;
  /**
   * Context by cluster, where it is not named like the cluster.
   * @default the cluster's name
   */
  readonly contexts?: Readonly<Record<string, string>>;
  /**
   * Kubeconfig texts by cluster, for clusters that the same program creates. Kept in state, encrypted.
   * @default none
   */
  readonly kubeconfigs?: Readonly<Record<string, pulumi.Input<string>>>;
  /**
   * Ask the clusters with a server-side dry run in previews.
   * @default false
   */
  readonly dryRun?: boolean;
  /**
   * The time of the plan, RFC 3339, pinned with new decisions.
   * @default the clock
   */
  readonly now?: string;
  /**
   * `pulumi-kubernetes`: every manifest becomes a `@pulumi/kubernetes` resource under the provider of its cluster.
   * @default our own releases, one resource per cluster
   */
  readonly via?: 'pulumi-kubernetes';
  /**
   * A `@pulumi/kubernetes` Provider per cluster; only with `via: 'pulumi-kubernetes'`.
   * @default none
   */
  readonly providers?: Readonly<Record<string, pulumi.ProviderResource>>;
}
