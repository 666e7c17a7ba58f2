import type { ProviderError } from './client.js';
import { NetworkFailure } from './network-failure.js';

/**
 * Whether a failure is a mistake on this side (kubeconfig, credentials, certificates, rights, a wrong address), so that it says
 * nothing about the cluster: correcting it here helps, waiting for the cluster does not.
 */
export function isOnOurSide({ failure, cause }: ProviderError): boolean {
  if (NetworkFailure.is(cause) && cause.isAboutTrust) return true;
  return !SAYS_SOMETHING.has(failure);
}

/** What only a cluster, or the way to it, can be the reason of. */
const SAYS_SOMETHING: ReadonlySet<ProviderError['failure']> = new Set([
  'unreachable',
  'timeout',
  'throttled',
  'server',
]);
