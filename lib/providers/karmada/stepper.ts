import type { KubeObject } from '../../api/object.js';
import type { Diagnostic } from '../../engine/diagnostic.js';
import type { BindingGoal, ControlPlaneView, KarmadaAction } from '../../engine/karmada/index.js';
import { nextAction, policyKey } from '../../engine/karmada/index.js';
import { refKey, refOf } from '../../engine/object.js';
import { ProviderError, type ClusterClient } from '../cluster/client.js';
import type { Mirror } from './mirror.js';
import type { Pass } from './prepare.js';
import { writeSuspension } from './writes.js';

type Waiting = Extract<KarmadaAction, { kind: 'wait' | 'stop' }>;

/** Carries out one pass: asks what is next, writes it, until the control plane has to move first. */
export class Stepper {
  /** Clusters whose turn has come; grows. */
  readonly mayRelease = new Set<string>();
  private isApplied = false;
  private readonly generations: Map<string, number>;
  private readonly pass: Pass;
  private readonly policies: ReadonlyMap<string, KubeObject>;
  private readonly client: ClusterClient;
  private readonly mirror: Mirror;
  private readonly takeOver: boolean;

  constructor(
    pass: Pass,
    policies: ReadonlyMap<string, KubeObject>,
    client: ClusterClient,
    mirror: Mirror,
    takeOver: boolean,
  ) {
    this.pass = pass;
    this.policies = policies;
    this.client = client;
    this.mirror = mirror;
    this.takeOver = takeOver;
    this.generations = new Map(pass.generations);
  }

  /** The bindings of the pass, with the generations known so far. */
  get bindings(): readonly BindingGoal[] {
    return this.pass.goal.bindings.map((binding) => {
      const generation = this.generations.get(refKey(binding.resource));
      return generation === undefined ? binding : { ...binding, generation };
    });
  }

  get view(): ControlPlaneView {
    return this.mirror.view(this.pass.goal.bindings);
  }

  /** Whether no policy of the pass suspends the cluster any more. */
  isReleased(cluster: string): boolean {
    return this.pass.goal.policies.every(
      ({ policy }) => this.mirror.policy(policy)?.suspended.includes(cluster) !== true,
    );
  }

  /** Write all that can be written now. @throws {@link ProviderError} when the control plane refuses a write. */
  async advance(signal: AbortSignal | undefined): Promise<Waiting> {
    for (;;) {
      const action = nextAction({ ...this.pass.goal, bindings: this.bindings }, this.view, {
        isApplied: this.isApplied,
        mayRelease: this.mayRelease,
      });
      if (action.kind === 'wait' || action.kind === 'stop') return action;
      if (signal?.aborted === true) return { kind: 'wait', phase: 'stepping', waitingFor: [] };
      if (action.kind === 'apply') await this.writeDocuments();
      else await this.writeField(action.write);
    }
  }

  private async writeField(write: Parameters<typeof writeSuspension>[1]): Promise<void> {
    try {
      const document = this.policies.get(policyKey(write.policy));
      this.mirror.saw(await writeSuspension(this.client, write, document));
    } catch (error) {
      if (!ProviderError.is(error) || error.failure !== 'conflict') throw error;
      // Somebody wrote in between: decide again from what is there now.
      const { kind, namespace, name } = write.policy;
      const current = await this.client.get({
        apiVersion: 'policy.karmada.io/v1alpha1',
        kind,
        ...(namespace !== undefined && { namespace }),
        name,
      });
      if (current !== undefined) this.mirror.saw(current);
    }
  }

  private async writeDocuments(): Promise<void> {
    for (const object of this.pass.writes) {
      const stored = await this.client.apply(object, { force: this.takeOver });
      this.mirror.saw(stored);
      const { generation } = stored.metadata;
      if (generation !== undefined) this.generations.set(refKey(refOf(object)), generation);
    }
    this.isApplied = true;
  }
}

export function stoppedBy({ reason, hint }: Extract<KarmadaAction, { kind: 'stop' }>): Diagnostic {
  return { code: 'KARMADA_STOPPED', severity: 'error', summary: reason, hint };
}
