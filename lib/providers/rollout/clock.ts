import { SYSTEM_CLOCK, type Clock } from '../cluster/transport.js';

export type { Clock } from '../cluster/transport.js';

/** Deadlines and soaks must not move when somebody sets the machine's time. Milliseconds since the process started. */
export const STEADY_CLOCK: Clock = SYSTEM_CLOCK;
