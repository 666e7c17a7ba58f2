import type { KubeObject } from '../../api/object.js';
import { isFields } from '../interpret/field.js';
import type { Interpreter } from '../interpret/index.js';
import { InterpretError, interpreterFor } from '../interpret/index.js';
import type { InterpreterFailure } from '../interpreter-findings.js';
import type { Manifest, Release } from '../plan.js';
import type { FieldPath } from './field-path.js';
import type { Retain } from './retained.js';
import { withoutRetained } from './retained.js';

/** Releases whose manifests name what the user's rules leave to the clusters, and the rules that failed. */
export interface WithMemberFields {
  readonly releases: readonly Release[];
  readonly failures: readonly InterpreterFailure[];
}

/**
 * Write down what taught `Retain` rules leave to the clusters, for where the rules themselves cannot be taken along (ADR 0046).
 * Manifests of kinds with a built-in rule, or none, stay as they are.
 */
export function withMemberFields(
  releases: readonly Release[],
  interpreters: readonly Interpreter[],
): WithMemberFields {
  const taught = interpreters.filter(({ retain }) => retain !== undefined);
  if (taught.length === 0) return { releases, failures: [] };
  const failures: InterpreterFailure[] = [];
  const known = new Map<KubeObject, readonly FieldPath[]>();
  const isTaught = ({ apiVersion, kind }: KubeObject): boolean =>
    taught.some(({ kinds }) => kinds.some((k) => k.apiVersion === apiVersion && k.kind === kind));
  const fieldsOf = ({ object, resource }: Manifest): readonly FieldPath[] => {
    const found = known.get(object) ?? attempt(object, taught, resource, failures);
    known.set(object, found);
    return found;
  };
  return {
    releases: releases.map((release) => ({
      ...release,
      manifests: release.manifests.map((manifest) =>
        isTaught(manifest.object) ? { ...manifest, memberFields: fieldsOf(manifest) } : manifest,
      ),
    })),
    failures,
  };
}

function attempt(
  object: KubeObject,
  taught: readonly Interpreter[],
  resource: Manifest['resource'],
  failures: InterpreterFailure[],
): readonly FieldPath[] {
  const { retain } = interpreterFor(object, taught);
  try {
    return retain === undefined ? [] : fieldsRetained(object, retain);
  } catch (error) {
    if (!InterpretError.is(error)) throw error;
    const rule = error.rule ?? { operation: 'Retain' };
    failures.push({ resource, message: error.message, rule });
    return [];
  }
}

/**
 * Which fields of a manifest a rule leaves to the member cluster, found without one: by asking it about an object in which
 * every value is another. For where the rule itself cannot be taken along (ADR 0046). What a rule makes depend on more of
 * the member's object than the fields that the manifest has too is not seen.
 *
 * @throws {@link InterpretError} when the rule fails
 */
export function fieldsRetained(desired: KubeObject, retain: Retain): readonly FieldPath[] {
  const { apiVersion, kind, metadata, ...rest } = desired;
  const { name, namespace, ...others } = metadata;
  const other = {
    ...(altered(rest) as object),
    apiVersion,
    kind,
    metadata: {
      ...(altered(others) as object),
      ...(name !== undefined && { name }),
      ...(namespace !== undefined && { namespace }),
    },
  };
  return withoutRetained(desired, other, retain).left;
}

function altered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(altered);
  if (isFields(value))
    return Object.fromEntries(Object.entries(value).map(([name, below]) => [name, altered(below)]));
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'boolean') return !value;
  return typeof value === 'string' ? `1${value}` : value;
}
