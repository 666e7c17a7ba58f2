import type { Diagnostic } from '../../engine/diagnostic.js';
import { stageOf } from '../../engine/karmada/index.js';
import { refKey } from '../../engine/object.js';
import type { Clock } from '../rollout/clock.js';
import type { Mirror } from './mirror.js';
import type { KarmadaRolloutOptions } from './options.js';
import { patienceOf } from './patience.js';
import { PHASE_SECONDS } from './options.js';
import { stoppedBy, type Stepper } from './stepper.js';
import { waitForChange } from './wait-for-change.js';

/** One pass without waves: until every stage of every cluster has passed. Returns what stopped it, if something did. */
export async function runAtOnce(
  stepper: Stepper,
  mirror: Mirror,
  clock: Clock,
  { signal, phaseSeconds = PHASE_SECONDS }: KarmadaRolloutOptions,
): Promise<Diagnostic | undefined> {
  const patience = patienceOf(clock, phaseSeconds);
  for (;;) {
    const action = await stepper.advance(signal);
    if (action.kind === 'stop') return stoppedBy(action);
    if (signal?.aborted === true) return INTERRUPTED;
    const open = action.phase === 'stepping' ? openStages(stepper) : action.waitingFor;
    if (action.phase === 'stepping' && open.length === 0) return undefined;
    const late = patience(open);
    if (late !== undefined) return late;
    await waitForChange(mirror, clock, clock.now() + 1000, signal);
  }
}

function openStages(stepper: Stepper): readonly string[] {
  const { bindings } = stepper.view;
  return stepper.bindings.flatMap((goal) =>
    goal.shares.flatMap(({ cluster }) => {
      const stage = stageOf(goal, bindings.get(refKey(goal.resource)), cluster);
      return stage.passed ? [] : [`${cluster}: ${stage.waitingFor}`];
    }),
  );
}

const INTERRUPTED: Diagnostic = {
  code: 'KARMADA_STOPPED',
  severity: 'error',
  summary: 'Interrupted while shrinking.',
  hint: 'Run the same command again to continue.',
};
