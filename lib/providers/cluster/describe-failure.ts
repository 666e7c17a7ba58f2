import type { Diagnostic, DiagnosticCode } from '../../engine/diagnostic.js';
import { unreachable } from '../../engine/result.js';
import type { ProviderError } from './client.js';

/** A failure of the world as something to show: code, sentence, way out. The sentence is the error's message. */
export function describeFailure(error: ProviderError): Diagnostic {
  const { resource } = error.facts;
  return {
    code: codeOf(error),
    severity: 'error',
    summary: error.message,
    hint: hintOf(error),
    ...(resource !== undefined && { resource }),
  };
}

function codeOf(error: ProviderError): DiagnosticCode {
  switch (error.failure) {
    case 'unreachable':
    case 'timeout':
    case 'throttled':
    case 'server':
    case 'aborted':
      return 'CLUSTER_UNREACHABLE';
    case 'unauthorized':
      return 'CLUSTER_UNAUTHORIZED';
    case 'forbidden':
      return 'CLUSTER_FORBIDDEN';
    case 'conflict':
      return 'APPLY_CONFLICT';
    case 'notServed':
      return 'KIND_NOT_SERVED';
    case 'invalid':
      return isAboutKubeconfig(error) ? 'KUBECONFIG_INVALID' : 'APPLY_REFUSED';
    case 'notFound':
      return 'APPLY_REFUSED';
    default:
      return unreachable(error.failure);
  }
}

function hintOf(error: ProviderError): string {
  const { cluster, verb = 'use' } = error.facts;
  switch (error.failure) {
    case 'unreachable':
    case 'timeout':
      return `Check that ${cluster} is up and can be reached from here, e.g. with \`kubectl --context ${cluster} version\`.`;
    case 'throttled':
    case 'server':
      return `${cluster} answers but cannot serve now; run again when it has recovered.`;
    case 'aborted':
      return 'Run again to continue.';
    case 'unauthorized':
      return `Sign in to ${cluster} again: its credentials are missing, wrong or expired.`;
    case 'forbidden':
      return `Grant the right to ${verb} it in ${cluster}, with a Role or ClusterRole.`;
    case 'conflict':
      return 'Let the other manager give the field up, drop it from the template, or set `conflictResolution: Overwrite`.';
    case 'notServed':
      return `Install what defines the kind in ${cluster}, or place the object elsewhere.`;
    case 'invalid':
      return isAboutKubeconfig(error)
        ? 'Name the context with `--context-map CLUSTER=CONTEXT`, or the file with `--kubeconfig`.'
        : 'Correct the template or the override that makes it.';
    case 'notFound':
      return 'Create the namespace or object that it needs first.';
    default:
      return unreachable(error.failure);
  }
}

/** Thrown before any request: there was no verb yet. */
function isAboutKubeconfig(error: ProviderError): boolean {
  return error.failure === 'invalid' && error.facts.verb === undefined;
}
