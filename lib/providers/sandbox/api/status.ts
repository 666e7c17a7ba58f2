import { qualifiedResource, type Kind } from '../schema/kinds.js';

export interface Cause {
  readonly reason: string;
  readonly message: string;
  readonly field?: string;
}

/** A refusal, worded as a kube-apiserver words it; it becomes a `Status` document. */
export class ApiFailure extends Error {
  readonly code: number;
  readonly reason: string;
  readonly details: Readonly<Record<string, unknown>> | undefined;

  constructor(
    code: number,
    reason: string,
    message: string,
    details?: Readonly<Record<string, unknown>>,
  ) {
    super(message);
    this.code = code;
    this.reason = reason;
    this.details = details;
  }

  toStatus(): Record<string, unknown> {
    return {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: this.message,
      ...(this.reason !== '' && { reason: this.reason }),
      ...(this.details !== undefined && { details: this.details }),
      code: this.code,
    };
  }
}

export function notFound(kind: Kind, name: string): ApiFailure {
  return new ApiFailure(
    404,
    'NotFound',
    `${qualifiedResource(kind)} "${name}" not found`,
    details(kind, name),
  );
}

export function unknownPath(): ApiFailure {
  return new ApiFailure(404, 'NotFound', 'the server could not find the requested resource', {});
}

export function alreadyExists(kind: Kind, name: string): ApiFailure {
  return new ApiFailure(
    409,
    'AlreadyExists',
    `${qualifiedResource(kind)} "${name}" already exists`,
    details(kind, name),
  );
}

/** A precondition of a deletion failed; kube-apiserver names the kind here, not the resource. */
export function preconditionFailed(
  kind: Kind,
  name: string,
  what: string,
  wanted: string,
  have: string,
): ApiFailure {
  return new ApiFailure(
    409,
    'Conflict',
    `Operation cannot be fulfilled on ${kind.kind} "${name}": the ${what} in the precondition (${wanted}) does not match the ${what} in record (${have}). The object might have been deleted and then recreated`,
    { name, ...(kind.group !== '' && { group: kind.group }), kind: kind.kind },
  );
}

/** An optimistic lock failed. */
export function conflict(kind: Kind, name: string, message: string): ApiFailure {
  return new ApiFailure(
    409,
    'Conflict',
    `Operation cannot be fulfilled on ${qualifiedResource(kind)} "${name}": ${message}`,
    details(kind, name),
  );
}

/** 422 with one cause per fault, `spec.selector: Required value`. */
export function invalid(kind: Kind, name: string, causes: readonly Cause[]): ApiFailure {
  const texts = causes.map((cause) => `${cause.field ?? ''}: ${cause.message}`);
  const list = texts.length === 1 ? texts[0] : `[${texts.join(', ')}]`;
  const subject = kind.group === '' ? kind.kind : `${kind.kind}.${kind.group}`;
  return new ApiFailure(422, 'Invalid', `${subject} "${name}" is invalid: ${list}`, {
    name,
    ...(kind.group !== '' && { group: kind.group }),
    kind: kind.kind,
    causes,
  });
}

export function badRequest(message: string): ApiFailure {
  return new ApiFailure(400, 'BadRequest', message);
}

export function forbidden(
  kind: Kind,
  name: string,
  message: string,
  causes: readonly Cause[],
): ApiFailure {
  return new ApiFailure(
    403,
    'Forbidden',
    `${qualifiedResource(kind)} "${name}" is forbidden: ${message}`,
    {
      ...details(kind, name),
      causes,
    },
  );
}

/** A body in a format the sandbox does not read: protobuf, CBOR. */
export function unsupportedMediaType(contentType: string): ApiFailure {
  return new ApiFailure(
    415,
    'UnsupportedMediaType',
    `the body of the request was in an unknown format - accepted media types include: application/json, application/yaml, application/json-patch+json, application/merge-patch+json, application/strategic-merge-patch+json, application/apply-patch+yaml (got ${contentType})`,
    {},
  );
}

export function gone(message: string): ApiFailure {
  return new ApiFailure(410, 'Expired', message);
}

export function details(kind: Kind, name: string): Record<string, unknown> {
  return { name, ...(kind.group !== '' && { group: kind.group }), kind: kind.resource };
}
