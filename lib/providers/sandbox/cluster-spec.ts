/** A simulated member cluster. Quantities as Kubernetes writes them; `cpu` and `memory` are those of each node. */
export interface ClusterSpec {
  readonly name: string;
  readonly region?: string;
  readonly zone?: string;
  readonly provider?: string;
  readonly labels?: Readonly<Record<string, string>>;
  /** Number of nodes. @default 2 */
  readonly nodes?: number;
  /** @default 8 */
  readonly cpu?: string;
  /** @default 32Gi */
  readonly memory?: string;
  /** Taints of the Karmada Cluster document, not of nodes. */
  readonly taints?: readonly {
    readonly key: string;
    readonly value?: string;
    readonly effect: string;
  }[];
}
