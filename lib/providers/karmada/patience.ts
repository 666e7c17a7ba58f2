import type { Diagnostic } from '../../engine/diagnostic.js';
import type { Clock } from '../rollout/clock.js';

/** What is waited for now; the answer is the complaint, when it has been the same for too long. */
export type Patience = (waitingFor: readonly string[]) => Diagnostic | undefined;

/** Patience with a control plane whose controllers may be down. An empty list never exhausts it. */
export function patienceOf(clock: Clock, limitSeconds: number): Patience {
  let text = '';
  let since = clock.now();
  return (waitingFor) => {
    const now = waitingFor.join('; ');
    if (now !== text) [text, since] = [now, clock.now()];
    if (text === '' || clock.now() - since < limitSeconds * 1000) return undefined;
    const shown = waitingFor.slice(0, 3).join('; ');
    const more = waitingFor.length > 3 ? ` and ${waitingFor.length - 3} more` : '';
    return {
      code: 'KARMADA_STOPPED',
      severity: 'error',
      summary: `No progress for ${limitSeconds} s while waiting for ${shown}${more}.`,
      hint: 'See whether karmada-controller-manager and karmada-scheduler are running and the events of the binding; a failing override policy keeps a Work from being built.',
    };
  };
}
