import { assign } from './assign.js';
import { bind } from './bind.js';
import { check } from './check.js';
import { diff } from './diff.js';
import { follow } from './follow.js';
import { guard } from './guard.js';
import type { PlanInput, Tools } from './input.js';
import { indexLive } from './live-index.js';
import { lower } from './lower.js';
import { nextLock } from './next-lock.js';
import { order } from './order.js';
import { lintOverrides } from './override/index.js';
import type { Plan } from './plan.js';
import { renderAll } from './render-all.js';
import { foresee } from './rollout/foresee.js';
import { gatesFor } from './schedule/index.js';
import { takeSnapshot } from './snapshot.js';
import { splitAutoscalers } from './split-autoscalers.js';
import { summarize } from './summarize.js';
import { validate } from './validate.js';
import { versionTemplates } from './versions.js';

/**
 * Plan a fleet: decide where everything runs, what each cluster holds, and in which order it changes.
 *
 * Pure and total: same input, same plan, in whatever order its lists come; every mistake of the user comes back as a
 * diagnostic, and what it does not concern is planned all the same. The plan is applicable when no diagnostic is an error.
 *
 * @throws {@link InvariantError} only for a bug in the planner itself.
 */
export function plan(input: PlanInput, tools: Tools): Plan {
  // 1. Sort the documents into what they are for, with defaults filled in.
  const taken = takeSnapshot(input, tools);

  // 2. Reject what no later step could explain; go on with the rest.
  const { snapshot, diagnostics: invalid } = validate(taken);
  const gates = gatesFor(snapshot.options.profile, snapshot.options.gates);

  // 3. Which templates changed since the lock: claims, the lock and the diff all ask.
  const versions = versionTemplates(snapshot);

  // 4. Which policy owns each template, and the binding it makes of it.
  const bound = bind(snapshot, versions, gates);

  // 5. Which clusters take each binding, and how many replicas; what the lock decided stays.
  const assigned = assign(snapshot, bound.bindings, versions, gates);

  // 6. What goes along with them: Secrets, ConfigMaps, Services, and why.
  const placed = follow(snapshot, assigned.placed, bound, versions, gates);

  // 7. Karmada's federated kinds, as objects per cluster where the target has no control plane.
  const lowered = lower(snapshot);

  // 8. Shares of an autoscaler's bounds, where its workload is divided.
  const split = splitAutoscalers(snapshot, placed.bindings);

  // 9. The manifests each cluster shall hold: replicas revised, overrides applied.
  const rendered = renderAll(snapshot, placed.bindings, split.bounds);

  // 10. What override policies do that their author is unlikely to want.
  const linted = lintOverrides({
    overrides: snapshot.overrides,
    templates: snapshot.templates.map(({ object }) => object),
    clusters: snapshot.clusters,
    profile: snapshot.options.profile,
    target: snapshot.options.target,
  });

  // 11. What differs from the lock, and from the clusters where they were read.
  const live = indexLive(snapshot);
  const differences = diff(snapshot, placed.bindings, rendered, live);

  // 12. In which order it changes: waves, releases, apply order.
  const ordered = order(snapshot, differences);

  // 13. What looks like an accident is refused until it is named.
  const guarded = guard(snapshot, placed.bindings, differences);

  // 14. What the clusters would refuse: found here, before anything is written.
  const foreseen = foresee(snapshot, rendered, differences, live);

  // 15. The properties every plan of this application must have.
  const checked = check(snapshot, placed.bindings);

  // 16. The decisions, for the next run.
  const next = nextLock(snapshot, placed.bindings, rendered.keys, guarded.tombstones);

  return summarize(snapshot, {
    bindings: placed.bindings,
    bounds: split.bounds,
    ordered,
    checked,
    next,
    diagnostics: [
      invalid,
      bound,
      assigned,
      placed,
      lowered,
      split,
      rendered,
      linted,
      ordered,
      guarded,
      foreseen,
      checked,
    ].flatMap((step) => ('diagnostics' in step ? step.diagnostics : step)),
  });
}
