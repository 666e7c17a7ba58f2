import type { KubeObject, ObjectRef } from '../../api/object.js';
import { canonicalJson } from '../../engine/canonical.js';
import type { Diagnostic } from '../../engine/diagnostic.js';
import type { BindingGoal, ControlPlaneView, KarmadaAction } from '../../engine/karmada/index.js';
import { nextAction, policyKey } from '../../engine/karmada/index.js';
import { describeRef, refKey, refOf } from '../../engine/object.js';
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
  /** What templates say, as this run knows them; by `refKey`. */
  private readonly contents: Map<string, string>;
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
    this.contents = new Map([...pass.contents].map(([key, object]) => [key, contentOf(object)]));
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
      const meddled = await this.meddledWith();
      if (meddled !== undefined) return meddled;
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

  /**
   * A template that somebody else changed after it was written: its Works then carry a later generation, and other content
   * than was planned would be released. A later generation alone is no proof: Karmada's claim raises it too (recording a).
   */
  private async meddledWith(): Promise<Waiting | undefined> {
    if (!this.isApplied) return undefined;
    const { bindings } = this.view;
    for (const { resource, generation } of this.bindings) {
      const works = bindings.get(refKey(resource))?.works ?? [];
      if (generation === undefined || works.every((work) => (work.generation ?? 0) <= generation))
        continue;
      const live = await this.client.get(resource);
      const known = this.contents.get(refKey(resource));
      if (live?.metadata.generation === undefined || known === undefined) continue;
      if (contentOf(live) !== known) return changedByOthers(resource);
      this.generations.set(refKey(resource), live.metadata.generation);
    }
    return undefined;
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
      this.contents.set(refKey(refOf(object)), contentOf(stored));
    }
    for (const resource of this.pass.removals) await this.client.delete(resource);
    this.isApplied = true;
  }
}

function changedByOthers(resource: ObjectRef): Waiting {
  return {
    kind: 'stop',
    reason: `${describeRef(resource)} was changed by somebody else after this run wrote it: what would be released now is not what was planned.`,
    hint: 'Nothing more is released. See who changed it (kubectl get --show-managed-fields -o yaml), then run again: everything is held first.',
  };
}

/** Without metadata and status, which Karmada writes to. */
function contentOf({ metadata: _metadata, status: _status, ...content }: KubeObject): string {
  return canonicalJson(content);
}

export function stoppedBy({ reason, hint }: Extract<KarmadaAction, { kind: 'stop' }>): Diagnostic {
  return { code: 'KARMADA_STOPPED', severity: 'error', summary: reason, hint };
}
