/**
 * Simulated member clusters in this process: HTTP servers that speak the Kubernetes API, for the demo and for tests.
 * Knows nothing of Fleetwright: what it is asked is what a real API server would be asked.
 *
 * @module
 */
export { startSandbox } from './sandbox.js';
export type { ClusterSpec } from './cluster-spec.js';
export type { Sandbox, SandboxCluster, SandboxOptions } from './sandbox.js';
export type { SavedSandbox } from './state.js';
export type { Fault, InjectFault } from './exchange.js';
export type { LoggedRequest } from './server.js';
export { REAL_TIME } from './time.js';
export type { Time } from './time.js';
