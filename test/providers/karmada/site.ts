import type { KubeObject } from '../../../lib/api/object.js';
import { SUSPENSION_MEMORY } from '../../../lib/engine/karmada/index.js';
import type { Plan } from '../../../lib/engine/plan.js';
import type { ClusterClient } from '../../../lib/providers/cluster/index.js';
import {
  runKarmadaRollout,
  type KarmadaReport,
  type KarmadaRolloutOptions,
} from '../../../lib/providers/karmada/index.js';
import { aWave } from '../rollout/releases.js';
import { aControlPlane, type ControlPlane } from './control-plane.js';
import { aDeployment, aKarmadaPlan, aPolicy, type PlanFacts } from './documents.js';
import type { FakeOptions } from './fake-karmada.js';

export const POLICY = {
  apiVersion: 'policy.karmada.io/v1alpha1',
  kind: 'PropagationPolicy',
  namespace: 'shop',
  name: 'web',
} as const;
export const ONE = 'example/web:1';
export const TWO = 'example/web:2';

/** A control plane on which an application runs, and what happened there since. */
export class Site {
  readonly plane: ControlPlane;
  private written = 0;
  private dispatched = 0;

  private constructor(plane: ControlPlane) {
    this.plane = plane;
  }

  /** Image 1 runs everywhere, placed as `documents` say. */
  static async running(
    documents: readonly KubeObject[] = [aPolicy(), aDeployment(ONE)],
    facts: PlanFacts = {},
    options: Partial<FakeOptions> = {},
  ): Promise<Site> {
    const site = new Site(await aControlPlane(options));
    const clusters = Object.keys(facts.shares ?? { member1: 0, member2: 0, member3: 0 });
    const report = await site.up(documents, { ...facts, waves: [aWave('all', clusters)] });
    if (report.outcome !== 'done') throw new Error(JSON.stringify(report));
    site.forget();
    return site;
  }

  static async empty(options: Partial<FakeOptions> = {}): Promise<Site> {
    return new Site(await aControlPlane(options));
  }

  forget(): void {
    this.written = this.plane.writes().length;
    this.dispatched = this.plane.fake.dispatches.length;
  }

  up(
    documents: readonly KubeObject[],
    facts: PlanFacts = {},
    options: KarmadaRolloutOptions = {},
    change: (plan: Plan) => Plan = (plan) => plan,
    client: ClusterClient = this.plane.client,
  ): Promise<KarmadaReport> {
    const plan = change(aKarmadaPlan(documents, facts));
    return runKarmadaRollout(plan, documents, client, { phaseSeconds: 30, ...options });
  }

  /** `member3 example/web:2 x3`, since the last {@link forget}. */
  arrived(): readonly string[] {
    return this.plane.fake.dispatches
      .slice(this.dispatched)
      .map((d) =>
        d.deleted === true
          ? `${d.cluster} deleted`
          : `${d.cluster} ${d.image ?? d.kind} x${d.replicas ?? 1}`,
      );
  }

  /** By field manager and object, since the last {@link forget}. */
  writes(): readonly string[] {
    return this.plane.writes().slice(this.written);
  }

  async suspension(): Promise<{ clusters: readonly string[]; memory?: string }> {
    const policy = await this.plane.client.get(POLICY);
    const { suspension: field } = policy?.['spec'] as {
      suspension?: { dispatchingOnClusters?: { clusterNames?: string[] } };
    };
    const memory = policy?.metadata.annotations?.[SUSPENSION_MEMORY];
    return {
      clusters: field?.dispatchingOnClusters?.clusterNames ?? [],
      ...(memory !== undefined && { memory }),
    };
  }

  /** What a person would do with `kubectl edit`. */
  async personSuspends(clusterNames: readonly string[]): Promise<void> {
    await this.personEdits({ suspension: { dispatchingOnClusters: { clusterNames } } });
  }

  async personEdits(spec: object): Promise<void> {
    const { apiVersion, kind, name, namespace } = POLICY;
    await this.plane.client.apply(
      { apiVersion, kind, metadata: { name, namespace }, spec },
      { fieldManager: 'kubectl-edit', force: true },
    );
  }
}
