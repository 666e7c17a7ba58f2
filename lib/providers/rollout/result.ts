import type { ObjectRef } from '../../api/object.js';
import type { DiagnosticCode } from '../../engine/diagnostic.js';
import { InterpretError } from '../../engine/interpret/index.js';
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
  /** The revision that another rollout wrote over ours, empty when it took our mark away. Absent: nobody did. */
  readonly supersededBy?: string;
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
  | {
      readonly kind: 'waiting';
      readonly resource: ObjectRef;
      readonly waitingFor: string;
      /** What is wrong with its pods, as far as they were looked at. */
      readonly pods?: readonly string[];
      /** The last lines that a crashing pod wrote. Shown while it happens and kept nowhere: nobody knows what is in them. */
      readonly log?: readonly string[];
    }
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
  if (InterpretError.is(error)) return failedRule(error, resource);
  if (!ProviderError.is(error)) throw error;
  const about = error.facts.resource ?? resource;
  return {
    code: describeFailure(error).code,
    ...(about !== undefined && { resource: about }),
    message: error.message,
  };
}

/** What a taught rule cannot answer for is not applied: the member's fields are not known. */
function failedRule({ message, rule }: InterpretError, resource?: ObjectRef): ReleaseFailure {
  const line = rule?.line === undefined ? '' : `, line ${rule.line} of the script`;
  const taught =
    rule?.customization === undefined ? 'its interpreter' : describeRef(rule.customization);
  const about = resource === undefined ? 'an object' : describeRef(resource);
  return {
    code: 'INTERPRETER_FAILED',
    ...(resource !== undefined && { resource }),
    message: `${about}: Retain of ${taught} fails${line}: ${message}`,
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
