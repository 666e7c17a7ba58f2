import type { PlannedWave } from '../../engine/plan.js';
import type { RolloutOutcome, RolloutState } from '../../engine/rollout/index.js';

type AskApproval = (wave: PlannedWave) => Promise<boolean>;

/** Asks a person for the wave that is held, once each. Until the answer comes the run neither works nor ends. */
export class Asking {
  private readonly waves: readonly PlannedWave[];
  private readonly askApproval: AskApproval | undefined;
  private readonly asked = new Set<string>();
  private isAsking = false;
  private isRefused = false;

  constructor(waves: readonly PlannedWave[], askApproval: AskApproval | undefined) {
    this.waves = waves;
    this.askApproval = askApproval;
  }

  /** Whether the run goes on although the machine has come to rest. `answered` is called with the wave when it may pass. */
  tryAsk(
    outcome: RolloutOutcome,
    state: RolloutState,
    answered: (approved?: string) => void,
  ): boolean {
    if (this.isAsking) return true;
    const held = state.waves.find(({ phase }) => phase === 'held');
    const wave = this.waves.find(({ name }) => name === held?.name);
    if (outcome !== 'held' || held?.reason !== 'approval' || this.isRefused) return false;
    if (this.askApproval === undefined || wave === undefined || this.asked.has(wave.name))
      return false;
    this.asked.add(wave.name);
    this.isAsking = true;
    void this.ask(this.askApproval, wave, answered);
    return true;
  }

  private async ask(
    askApproval: AskApproval,
    wave: PlannedWave,
    answered: (approved?: string) => void,
  ): Promise<void> {
    const approved = await askApproval(wave).catch(() => false);
    this.isAsking = false;
    this.isRefused = !approved;
    answered(approved ? wave.name : undefined);
  }
}
