import type { ObjectRef } from '../../api/object.js';
import type { DiagnosticCode } from '../../engine/diagnostic.js';
import { describeRef } from '../../engine/object.js';
import { ProviderError } from '../cluster/client.js';
import { describeFailure } from '../cluster/describe-failure.js';

/** Something that keeps a release from being done. Plain data. */
export interface ReleaseFailure {
  readonly code: DiagnosticCode;
  readonly resource?: ObjectRef;
  /** One sentence with cluster and object in it; never a Secret value. */
  readonly message: string;
}

/** How far one object of a release is. */
export interface ObjectResult {
  readonly resource: ObjectRef;
  readonly revision: string;
  /**
   * `created`, `updated`: written in this run. `unchanged`: it was there already. `left`: shared, and somebody else's.
   * `pending`: not written (yet).
   */
  readonly action: 'created' | 'updated' | 'unchanged' | 'left' | 'pending';
  readonly ready: boolean;
  /** What is missing; empty when ready. */
  readonly waitingFor: string;
  /** Of the object on the cluster, when it was seen. */
  readonly uid?: string;
  readonly generation?: number;
  readonly observedGeneration?: number;
}

/** What became of one release in one run. Plain data. */
export interface ReleaseResult {
  readonly cluster: string;
  /** `ready`: every object carries its planned revision, is observed and rolled out. `aborted`: told to stop. */
  readonly outcome: 'ready' | 'failed' | 'aborted';
  /** Whether anything was written. False: the cluster had it all. */
  readonly changed: boolean;
  /** Whether something is larger than planned and waits for the settle step. */
  readonly grown: boolean;
  /** Whether exactly this release passed its gate in an earlier run. */
  readonly proven: boolean;
  /** In apply order. */
  readonly objects: readonly ObjectResult[];
  readonly failures: readonly ReleaseFailure[];
}

/** Progress of one release, for people who watch. Plain data. */
export type ReleaseProgress =
  | {
      readonly kind: 'written';
      readonly resource: ObjectRef;
      readonly action: ObjectResult['action'];
    }
  | { readonly kind: 'ready'; readonly resource: ObjectRef }
  | { readonly kind: 'waiting'; readonly resource: ObjectRef; readonly waitingFor: string }
  | { readonly kind: 'deleted'; readonly resource: ObjectRef };

/** Ends the work on one object with a failure that no answer of the cluster stands for. Caught by {@link toFailure}. */
export class ReleaseFailed extends Error {
  readonly failure: ReleaseFailure;

  constructor(failure: ReleaseFailure) {
    super(failure.message);
    this.name = 'ReleaseFailed';
    this.failure = failure;
  }
}

/** The failure that a thrown {@link ProviderError} or {@link ReleaseFailed} amounts to; anything else is a bug and is thrown on. */
export function toFailure(error: unknown, resource?: ObjectRef): ReleaseFailure {
  if (error instanceof ReleaseFailed) return error.failure;
  if (!ProviderError.is(error)) throw error;
  const about = error.facts.resource ?? resource;
  return {
    code: describeFailure(error).code,
    ...(about !== undefined && { resource: about }),
    message: error.message,
  };
}

/** For reports: code and message of each. */
export function describeFailures(failures: readonly ReleaseFailure[]): string {
  return failures
    .map(({ code, resource, message }) =>
      resource === undefined || message.includes(resource.name)
        ? `${code} ${message}`
        : `${code} ${describeRef(resource)}: ${message}`,
    )
    .join('; ');
}
