import { createHash } from 'node:crypto';
import * as pulumi from '@pulumi/pulumi';
import { canonicalJson } from '../../engine/canonical.js';
import type { Release } from '../../engine/plan.js';

/** Changes if and only if an object of these releases changes. */
export function hashOf(releases: readonly Release[]): string {
  return shortHash(
    releases.map(({ cluster, manifests }) => [
      cluster,
      manifests.map(({ resource, revision }) => [resource, revision]),
    ]),
  );
}

/** Of what the settle step removes; `''`: nothing. */
export function removalsOf(releases: readonly Release[]): string {
  const removals = releases.flatMap(({ cluster, deletions }) =>
    deletions.map(({ resource }) => [cluster, resource]),
  );
  return removals.length === 0 ? '' : shortHash(removals);
}

/** A hash over Secret data lets short secrets be guessed: it is a secret too. */
export function guarded(value: pulumi.Input<string>, isSecret: boolean): pulumi.Input<string> {
  return isSecret ? pulumi.secret(value) : value;
}

function shortHash(value: unknown): string {
  return createHash('sha256').update(canonicalJson(value)).digest('hex').slice(0, 16);
}
