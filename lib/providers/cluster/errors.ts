import type { ObjectRef } from '../../api/object.js';
import { describeRef } from '../../engine/object.js';
import { ProviderError, type ProviderFacts, type ProviderFailure } from './client.js';
import { NetworkFailure } from './network-failure.js';
import { hasCause, toApiStatus, type ApiStatus } from './status.js';
import type { ApiResponse } from './transport.js';

/** What was being done, to what: the head of every message. */
export interface Act {
  readonly cluster: string;
  /** In the words of Kubernetes' RBAC: `get`, `list`, `watch`, `patch`, `delete`. */
  readonly verb: string;
  readonly resource?: ObjectRef;
  /** Instead of `resource`: a kind, a path. */
  readonly subject?: string;
}

/**
 * The error for an answer that is not a success.
 *
 * The server's own message is part of ours, except when a Secret is written, where it (or an admission webhook in it) could
 * quote a value: there only the fields are named.
 */
export function toProviderError(act: Act, response: ApiResponse): ProviderError {
  const status = toApiStatus(response.body);
  const conflicts = conflictsOf(status);
  const failure = failureOf(response.status, status);
  const facts: ProviderFacts = {
    ...factsOf(act),
    status: response.status,
    ...(conflicts.length > 0 && { conflicts }),
    mayHaveHappened: response.repeated || failure === 'server',
  };
  return new ProviderError(
    failure,
    `${headOf(act)}: ${explain(act, failure, response, status)}`,
    facts,
  );
}

/** The error for a request that got no answer. */
export function fromNetworkFailure(act: Act, failure: NetworkFailure): ProviderError {
  const facts = { ...factsOf(act), mayHaveHappened: failure.mayHaveHappened };
  return new ProviderError(failure.kind, `${headOf(act)}: ${failure.detail}`, facts, {
    cause: failure,
  });
}

/** Anything thrown below a verb as ProviderError. Bugs (TypeErrors) stay what they are. */
export function asProviderError(act: Act, error: unknown): unknown {
  return error instanceof NetworkFailure ? fromNetworkFailure(act, error) : error;
}

const FAILURES: Readonly<Record<number, ProviderFailure>> = {
  400: 'invalid',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'notFound',
  405: 'notServed',
  409: 'conflict',
  410: 'conflict',
  413: 'invalid',
  415: 'invalid',
  422: 'invalid',
  429: 'throttled',
};

function failureOf(code: number, status: ApiStatus): ProviderFailure {
  // Creating in a namespace that is being deleted is no matter of permissions, though the server says Forbidden.
  if (hasCause(status, 'NamespaceTerminating')) return 'conflict';
  if (isUntypedPatch(code, status)) return 'invalid';
  // A path that no group serves is answered without naming an object.
  if (code === 404 && status.details?.name === undefined) return 'notServed';
  return FAILURES[code] ?? 'server';
}

/**
 * Server-side apply reports fields outside the schema as 500 without a reason (structured-merge-diff cannot type the patch). The message
 * is all there is to tell it from a broken server; were it reworded, users would see `server` in place of `invalid`.
 */
const UNTYPED = ['failed to create typed patch object', 'failed to convert new object'] as const;

function isUntypedPatch(code: number, { message = '' }: ApiStatus): boolean {
  return code === 500 && UNTYPED.some((start) => message.startsWith(start));
}

function explain(
  act: Act,
  failure: ProviderFailure,
  response: ApiResponse,
  status: ApiStatus,
): string {
  const conflicts = conflictsOf(status);
  if (conflicts.length > 0)
    return `conflict with ${conflicts.map(({ manager, field }) => `"${manager}" on ${field}`).join(', ')}`;
  if (act.resource?.kind === 'Secret' && act.verb === 'patch')
    return `${failure === 'invalid' ? 'refused' : `${failure} (HTTP ${response.status})`}${fieldsOf(status)}`;
  const said =
    status.message ??
    (failure === 'server' ? `HTTP ${response.status}` : `${failure} (HTTP ${response.status})`);
  return said.length > 1000 ? `${said.slice(0, 1000)}…` : said;
}

function fieldsOf(status: ApiStatus): string {
  const fields = (status.details?.causes ?? []).flatMap(({ field }) =>
    field === undefined ? [] : [field],
  );
  return fields.length === 0 ? '' : `: ${fields.sort().join(', ')}`;
}

/** Who owns which field, as the server lists it; the manager's name stands in the message only. Sorted as the server sorts. */
function conflictsOf(
  status: ApiStatus,
): readonly { readonly manager: string; readonly field: string }[] {
  return (status.details?.causes ?? [])
    .filter((cause) => cause.reason === 'FieldManagerConflict')
    .map(({ message = '', field = '' }) => ({
      manager: /conflict with "([^"]*)"/.exec(message)?.[1] ?? 'unknown',
      field,
    }));
}

function factsOf({ cluster, resource, verb }: Act): ProviderFacts {
  return { cluster, verb, ...(resource !== undefined && { resource }) };
}

function headOf({ cluster, verb, resource, subject }: Act): string {
  const what = resource === undefined ? (subject ?? '') : describeRef(resource);
  return `${cluster}: ${verb === 'patch' ? 'apply' : verb} ${what}`.trimEnd();
}
