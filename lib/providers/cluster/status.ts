/** The parts of a Kubernetes `Status` that we read: how an API server says no. */
export interface ApiStatus {
  readonly reason?: string;
  readonly message?: string;
  readonly details?: {
    readonly name?: string;
    readonly kind?: string;
    readonly causes?: readonly {
      readonly reason?: string;
      readonly message?: string;
      readonly field?: string;
    }[];
  };
}

/** The body as Status; empty for a proxy's HTML page. */
export function toApiStatus(body: unknown): ApiStatus {
  const isStatus =
    typeof body === 'object' && body !== null && 'kind' in body && body.kind === 'Status';
  return isStatus ? (body as ApiStatus) : {};
}

/** Whether any of the causes has that reason. */
export function hasCause(status: ApiStatus, reason: string): boolean {
  return status.details?.causes?.some((cause) => cause.reason === reason) ?? false;
}
