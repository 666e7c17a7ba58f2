/**
 * Reading the fleet: what clusters offer, as Karmada `Cluster` documents for `fleet.yaml`.
 *
 * It reads and summarises. It decides nothing and writes nothing.
 *
 * @module
 */
export { snapshotFleet, type FleetSnapshot, type SnapshotOptions } from './snapshot.js';
