/**
 * Member clusters over HTTP: one client per cluster, seven verbs, one way to fail.
 *
 * It knows Kubernetes' wire protocol and nothing of plans, policies or waves.
 *
 * @module
 */
export {
  ProviderError,
  type ApplyOptions,
  type ClusterClient,
  type Connect,
  type KindRef,
  type ListOptions,
  type ProviderFacts,
  type ProviderFailure,
  type ServedKind,
  type WatchEvent,
} from './client.js';
export { describeFailure } from './describe-failure.js';
export { connectKubeconfig, type ConnectOptions, type KubeconfigSource } from './kubeconfig.js';
export { isOnOurSide } from './our-side.js';
export { FIELD_MANAGER } from './http-client.js';
