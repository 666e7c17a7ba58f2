import type { KubeObject, ObjectRef } from '../../api/object.js';
import type { Diagnostic } from '../diagnostic.js';
import { describeRef, refKey } from '../object.js';
import { about } from '../validate.js';
import type { BindingDocument } from './binding-document.js';
import type { ClaimInput, DecidedClaim } from './decided-claim.js';
import type { HasOverride } from './decide.js';
import type { PolicyIndex } from './policy-index.js';
import { priorityClassesOf } from './priority.js';
import { propagate, type Observed, type PassFailure } from './propagate.js';

/** What a person can do about a failure that no other diagnostic reports. */
const HINTS: Partial<Record<PassFailure['kind'], string>> = {
  'other-owner':
    'The binding is left from an object of that name that was deleted; it goes away with garbage collection, or delete it.',
  'policy-deleting': 'Wait until the policy is gone, or look for the finalizer that holds it.',
};

/**
 * Where a control plane would not get on: its next pass over a template with a live binding fails, again and again.
 *
 * Needs profile `karmada` and live bindings. Owners are compared only where the template has a UID, that is, where it
 * was read from the control plane too.
 */
export function predictControlPlane(
  decided: readonly DecidedClaim[],
  input: ClaimInput,
  index: PolicyIndex,
  hasOverride: HasOverride,
): readonly Diagnostic[] {
  const bindings = new Map((input.liveBindings ?? []).map((binding) => [keyOf(binding), binding]));
  if (input.profile !== 'karmada' || bindings.size === 0) return [];
  const around = {
    index,
    hasOverride,
    // What the binding holds does not matter here, only whether it can be written.
    interpret: () => ({}),
    facts: {
      gates: { ...input.gates, MultiplePodTemplatesScheduling: false, WorkloadAffinity: false },
      priorityClasses: priorityClassesOf(input.templates.map(({ object }) => object)),
    },
  };
  return decided.flatMap(({ claim }): Diagnostic[] => {
    const binding = bindings.get(claim.key);
    if (binding === undefined || claim.outcome === 'ignored') return [];
    const { failure } = propagate(observedWith(claim.template.object, binding), around);
    const hint = failure === undefined ? undefined : HINTS[failure.kind];
    if (failure === undefined || hint === undefined) return [];
    const name = describeRef(claim.resource);
    const summary = `Karmada would not get on with ${name}: ${failure.message}.`;
    return [
      about(claim.template, { code: 'CONTROL_PLANE_STUCK', severity: 'warning', summary, hint }),
    ];
  });
}

/** The template as the control plane has it: with the claim that its binding shows. */
function observedWith(template: KubeObject, binding: KubeObject): Observed {
  const { labels, annotations, ownerReferences } = binding.metadata;
  const { uid } = template.metadata;
  return {
    template: {
      ...template,
      metadata: {
        ...template.metadata,
        labels: { ...template.metadata.labels, ...karmadas(labels) },
        annotations: { ...template.metadata.annotations, ...karmadas(annotations) },
      },
    },
    // A binding has the shape it has: nothing is read from its spec but what is copied.
    binding: {
      ...(binding as BindingDocument),
      metadata: {
        ...binding.metadata,
        ownerReferences: uid === undefined ? [] : (ownerReferences ?? []),
      },
    },
    isWaiting: false,
    isKarmadasOwnChange: false,
  };
}

function karmadas(map: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(map).filter(([key]) => key.includes('propagationpolicy.karmada.io/')),
  );
}

function keyOf(binding: KubeObject): string {
  const { resource } = (binding['spec'] ?? {}) as { resource?: ObjectRef };
  return resource === undefined ? '' : refKey(resource);
}
