/** No answer, or only part of one. `detail` is for people and holds no header, body or URL. */
export class NetworkFailure extends Error {
  readonly __networkFailure = true as const;
  readonly kind: 'unreachable' | 'timeout' | 'aborted';
  readonly detail: string;
  /** The request had left, so the server may have carried it out. */
  readonly mayHaveHappened: boolean;
  /** Trying again cannot help. */
  readonly permanent: boolean;
  /** Somebody answered, and the certificates do not fit: what is believed here, or what is shown from here. */
  readonly isAboutTrust: boolean;

  constructor(
    kind: NetworkFailure['kind'],
    detail: string,
    mayHaveHappened: boolean,
    permanent = false,
    isAboutTrust = false,
  ) {
    super(detail);
    this.name = 'NetworkFailure';
    this.kind = kind;
    this.detail = detail;
    this.mayHaveHappened = mayHaveHappened;
    this.permanent = permanent || kind === 'aborted';
    this.isAboutTrust = isAboutTrust;
  }

  static is(x: unknown): x is NetworkFailure {
    return typeof x === 'object' && x !== null && '__networkFailure' in x;
  }

  /** The same failure, after earlier attempts that may have happened. */
  after(earlier: boolean): NetworkFailure {
    const { kind, detail, mayHaveHappened, permanent, isAboutTrust } = this;
    return new NetworkFailure(kind, detail, mayHaveHappened || earlier, permanent, isAboutTrust);
  }
}

/** System errors that come before a byte of the request is sent. */
const BEFORE_SENDING: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ENOTFOUND: 'the host name is unknown',
  EAI_AGAIN: 'the host name cannot be resolved now',
  EHOSTUNREACH: 'no route to the host',
  ENETUNREACH: 'no route to the network',
  UND_ERR_CONNECT_TIMEOUT: 'no connection within the time allowed',
};

const PERMANENT = new Set(['ENOTFOUND']);

/**
 * What an error of the HTTP client means.
 *
 * @param isWrite whether a request that left could have changed the cluster
 */
export function toNetworkFailure(
  error: unknown,
  isWrite: boolean,
  isExpired: boolean,
  isAborted: boolean,
): NetworkFailure {
  if (error instanceof NetworkFailure) return error;
  const code = codeOf(error);
  if (isAborted) return new NetworkFailure('aborted', 'the request was cancelled', isWrite);
  if (isExpired) return new NetworkFailure('timeout', 'no answer within the deadline', isWrite);
  const early = BEFORE_SENDING[code];
  if (early !== undefined)
    return new NetworkFailure('unreachable', early, false, PERMANENT.has(code));
  if (isCertificateError(code))
    return new NetworkFailure(
      'unreachable',
      `its certificate is not accepted (${code})`,
      false,
      true,
      true,
    );
  if (code.endsWith('_TIMEOUT')) return new NetworkFailure('timeout', 'no answer in time', isWrite);
  return new NetworkFailure('unreachable', `the connection broke (${code})`, isWrite);
}

function isCertificateError(code: string): boolean {
  return /^(ERR_TLS_|ERR_SSL_|CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|ERR_OSSL)/.test(code);
}

/** `Happy eyeballs` puts the reason one level down. */
function codeOf(error: unknown): string {
  const { code, cause, errors } = error as {
    code?: unknown;
    cause?: unknown;
    errors?: readonly unknown[];
  };
  if (typeof code === 'string') return code;
  if (cause !== undefined) return codeOf(cause);
  if (errors?.[0] !== undefined) return codeOf(errors[0]);
  return error instanceof Error ? error.name : 'unknown';
}
