import type { KubeObject, ObjectRef } from '../../api/object.js';
import type { LiveState } from '../input.js';
import { refKey, refOf } from '../object.js';
import type { Manifest, Plan } from '../plan.js';
import { findDrift, type PathStep } from './drift.js';
import { own } from '../own.js';

export interface KeptField {
  readonly cluster: string;
  readonly resource: ObjectRef;
  readonly path: string;
}

export interface KeptDrift {
  readonly plan: Plan;
  /** In the order of the plan's releases. */
  readonly kept: readonly KeptField[];
  /** Fields asked for that differ nowhere, in the order given. */
  readonly unmatched: readonly string[];
}

/**
 * The plan with live values in fields that somebody changed by hand and that shall stay for now: applying it leaves them.
 *
 * A field is named as `diff --live` shows it, `.spec.replicas` (its first dot may be left out), and stands for everything
 * below it; with an object before it, `Deployment/shop/web:.spec.replicas`, only there. The revision stays the plan's: the
 * next run without the wish corrects the field.
 */
export function keepDrift(plan: Plan, live: LiveState, fields: readonly string[]): KeptDrift {
  const kept: KeptField[] = [];
  const matched = new Set<string>();
  const releases = plan.releases.map((release) => {
    const there = new Map(
      (own(live.members, release.cluster) ?? []).map((o) => [refKey(refOf(o)), o]),
    );
    const manifests = release.manifests.map((manifest) => {
      const object = there.get(refKey(manifest.resource));
      if (object === undefined || manifest.shared) return manifest;
      return withKept(manifest, object, (path) => {
        const asked = fields.filter((field) => covers(field, manifest.resource, path));
        for (const field of asked) matched.add(field);
        if (asked.length === 0) return false;
        kept.push({ cluster: release.cluster, resource: manifest.resource, path });
        return true;
      });
    });
    return { ...release, manifests };
  });
  return {
    plan: { ...plan, releases },
    kept,
    unmatched: fields.filter((field) => !matched.has(field)),
  };
}

function withKept(
  manifest: Manifest,
  live: KubeObject,
  isWanted: (path: string) => boolean,
): Manifest {
  const drifted = findDrift(manifest.object, live).filter(({ path }) => isWanted(path));
  if (drifted.length === 0) return manifest;
  const keep = (object: KubeObject): KubeObject =>
    drifted.reduce(
      (kept, { steps, live: value }) => withValue(kept, steps, value) as KubeObject,
      object,
    );
  return {
    ...manifest,
    object: keep(manifest.object),
    ...(manifest.growing !== undefined && { growing: keep(manifest.growing) }),
  };
}

function covers(field: string, { kind, namespace, name }: ObjectRef, path: string): boolean {
  // Names may have colons (`system:x`): the object ends at the one before a dot, else at the first.
  const colon = /^[^.[]*?:(?=\.)|^[^.:[]+\/[^:[]+:/.exec(field)?.[0] ?? '';
  const rest = field.slice(colon.length);
  const wanted = /^[.[]/.test(rest) ? rest : `.${rest}`;
  const object = colon.slice(0, -1);
  const names = [[kind, namespace, name].filter((part) => part !== undefined).join('/')];
  if (object !== '' && !names.includes(object)) return false;
  return path === wanted || path.startsWith(`${wanted}.`) || path.startsWith(`${wanted}[`);
}

/** A copy with the value in place; without the field for `undefined`. */
function withValue(node: unknown, steps: readonly PathStep[], value: unknown): unknown {
  const [step, ...rest] = steps;
  if (step === undefined) return value;
  if (step.kind === 'item') {
    const list = Array.isArray(node) ? (node as readonly unknown[]) : [];
    const item = withValue(list[step.index], rest, value);
    return item === undefined ? list.toSpliced(step.index, 1) : list.with(step.index, item);
  }
  const { [step.name]: before, ...others } = node as Readonly<Record<string, unknown>>;
  const after = withValue(before, rest, value);
  return after === undefined ? others : { ...others, [step.name]: after };
}
