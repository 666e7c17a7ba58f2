/**
 * In which order clusters change and what must hold in between: waves, readiness, and the wave state machine.
 * Pure; it knows neither clocks nor connections: events tell it what happened, effects say what to do next.
 *
 * @module
 */
export { freezeWaves } from './freeze-waves.js';
export type { FrozenWaves, WaveMember } from './freeze-waves.js';
export { isWatched, readiness } from './readiness/index.js';
export type { Readiness } from './readiness/index.js';
