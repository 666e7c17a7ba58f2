import type { BindingGoal, Stage } from '../../engine/karmada/index.js';
import { stageOf } from '../../engine/karmada/index.js';
import { refKey } from '../../engine/object.js';
import type { Plan } from '../../engine/plan.js';
import type { RolloutProgress, WithoutTime } from '../rollout/events.js';
import type { ObjectResult, ReleaseResult } from '../rollout/result.js';
import type { Stepper } from './stepper.js';

interface Seen {
  readonly goal: BindingGoal;
  readonly stage: Stage;
}

/** What every cluster's objects were seen to wait for; tells what is new. */
export class ClusterBoard {
  readonly results = new Map<string, ReleaseResult>();
  private readonly hints = new Map<string, string>();
  private readonly told = new Map<string, string>();
  private readonly plan: Plan;
  private readonly tell: (event: WithoutTime<RolloutProgress>) => void;

  constructor(plan: Plan, tell: (event: WithoutTime<RolloutProgress>) => void) {
    this.plan = plan;
    this.tell = tell;
  }

  /** What to look at when a cluster stays as it is. */
  hintOf(cluster: string): string | undefined {
    return this.hints.get(cluster);
  }

  /** Look at a cluster. Returns its first stage that has not passed; `undefined`: all have. */
  look(cluster: string, stepper: Stepper): Stage | undefined {
    const { bindings } = stepper.view;
    const seen = stepper.bindings
      .filter(({ shares }) => shares.some((share) => share.cluster === cluster))
      .map((goal) => ({
        goal,
        stage: stageOf(goal, bindings.get(refKey(goal.resource)), cluster),
      }));
    this.record(cluster, seen);
    const open = seen.find(({ stage }) => !stage.passed)?.stage;
    if (open?.hint === undefined) this.hints.delete(cluster);
    else this.hints.set(cluster, open.hint);
    return open;
  }

  private record(cluster: string, seen: readonly Seen[]): void {
    const objects = seen.map((one) => this.toResult(cluster, one));
    this.results.set(cluster, {
      cluster,
      outcome: objects.every(({ ready }) => ready) ? 'ready' : 'failed',
      changed: true,
      grown: false,
      proven: false,
      objects,
      failures: [],
    });
    for (const object of objects) this.tellNews(cluster, object);
  }

  private toResult(cluster: string, { goal, stage }: Seen): ObjectResult {
    const release = this.plan.releases.find((one) => one.cluster === cluster);
    const manifest = release?.manifests.find(
      ({ resource }) => refKey(resource) === refKey(goal.resource),
    );
    const { resource, generation } = goal;
    return {
      resource,
      revision: manifest?.revision ?? '',
      action: stage.passed ? 'updated' : 'pending',
      ready: stage.passed,
      waitingFor: stage.waitingFor,
      ...(generation !== undefined && { generation }),
      ...(stage.passed && generation !== undefined && { observedGeneration: generation }),
    };
  }

  private tellNews(cluster: string, { resource, ready, waitingFor }: ObjectResult): void {
    const key = `${cluster} ${refKey(resource)}`;
    const text = ready ? 'ready' : waitingFor;
    if (this.told.get(key) === text) return;
    this.told.set(key, text);
    const progress = ready
      ? ({ kind: 'ready', resource } as const)
      : ({ kind: 'waiting', resource, waitingFor } as const);
    this.tell({ kind: 'object', cluster, progress });
  }
}
