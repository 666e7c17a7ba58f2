export { STEADY_CLOCK, type Clock } from '../cluster/transport.js';
