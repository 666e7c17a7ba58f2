/**
 * Which templates go along with which: a ConfigMap with the Deployment that mounts it, a Service with the pods it selects.
 * It knows assignments as lists of clusters; how they came about is not its business.
 *
 * @module
 */
export { followDependencies } from './follow.js';
export { findLostLeaders, type LostLeader } from './lost-leaders.js';
export { findWouldFollow, type Unfollowed } from './would-follow.js';
export type { Follower, Following, FollowInput, Leader } from './follow.js';
