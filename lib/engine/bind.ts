import type { LockedBinding } from '../api/fleet-lock.js';
import type { TargetCluster } from '../api/resource-binding.js';
import type { ClaimedBinding } from './binding.js';
import { seedOf } from './binding.js';
import type { Binding } from './claim/binding-for.js';
import { bindingFor } from './claim/binding-for.js';
import type { Claim } from './claim/claim.js';
import { claimTemplates } from './claim/claim.js';
import { asPolicy } from './claim/policy.js';
import { priorityClassesOf } from './claim/priority.js';
import type { Diagnostic } from './diagnostic.js';
import { interpretTemplate } from './interpret-template.js';
import type { InterpreterFailure } from './interpreter-findings.js';
import { findInterpreterFailures } from './interpreter-findings.js';
import { describeRef, refKey } from './object.js';
import type { Gates } from './schedule/gates.js';
import type { Snapshot } from './snapshot.js';
import { about } from './validate.js';
import type { Versions } from './versions.js';

/** Every template with its owner: those that a policy claims as bindings, the others as they are. */
export interface Bound {
  /** Sorted by resource key. */
  readonly bindings: readonly ClaimedBinding[];
  /** Templates that no policy claims; they may still follow others. */
  readonly unclaimed: readonly Claim[];
  /** Templates that a policy claims and whose kind’s rules cannot read them: no bindings. */
  readonly unread: readonly Claim[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Decide which policy owns each template, and build the binding that policy makes of it. */
export function bind(snapshot: Snapshot, versions: Versions, gates: Gates): Bound {
  const { claims, diagnostics } = claimTemplates({
    templates: snapshot.templates,
    policies: snapshot.policies,
    overrides: snapshot.overrides,
    lock: snapshot.lock,
    isUnchanged: (template, locked) => isUnchanged(versions, template, locked),
    hasChanged: snapshot.policyVersions.hasChanged,
    ...(snapshot.live?.bindings !== undefined && { liveBindings: snapshot.live.bindings }),
    gates,
    profile: snapshot.options.profile,
  });
  const facts = {
    gates,
    priorityClasses: priorityClassesOf(snapshot.templates.map(({ object }) => object)),
  };
  const fleet = new Set(snapshot.clusters.map((c) => c.metadata.name ?? ''));
  const bindings: ClaimedBinding[] = [];
  const findings: Diagnostic[] = [...diagnostics];
  const failures: InterpreterFailure[] = [];
  const unread: Claim[] = [];
  for (const claim of claims) {
    if (claim.policy === null || claim.policyDocument === undefined) continue;
    const interpreted = interpretTemplate(claim.template.object, snapshot.tools.interpreters);
    if (!interpreted.ok) unread.push(claim);
    if (!interpreted.ok && interpreted.rule !== undefined) {
      const { message, rule } = interpreted;
      failures.push({ resource: claim.resource, message, rule });
      continue;
    }
    if (!interpreted.ok) {
      findings.push(
        about(claim.template, {
          severity: 'error',
          code: 'TEMPLATE_UNREADABLE',
          summary: `${describeRef(claim.resource)} cannot be interpreted: ${interpreted.message}.`,
          hint: 'Correct the field; the object must be a valid one of its kind.',
        }),
      );
      continue;
    }
    const locked = snapshot.locked.get(claim.key);
    const uid = seedOf(claim.template.object, claim.key, locked, snapshot.tools.hash);
    const binding = bindingFor(
      claim.template.object,
      asPolicy(claim.policyDocument.object),
      interpreted.value,
      { ...facts, uid },
    );
    bindings.push(claimedBinding(claim, binding, locked, fleet));
  }
  return {
    bindings,
    unclaimed: claims.filter((c) => c.policy === null),
    unread,
    diagnostics: [...findings, ...findInterpreterFailures(failures)],
  };
}

function isUnchanged(
  versions: Versions,
  template: Claim['template']['object'],
  locked: LockedBinding,
): boolean {
  return (
    template.kind === locked.resource.kind &&
    versions.get(refKey(locked.resource))?.hash === locked.template
  );
}

function claimedBinding(
  claim: Claim,
  binding: Binding,
  locked: LockedBinding | undefined,
  fleet: ReadonlySet<string>,
): ClaimedBinding {
  const { key, resource, template, shadowed, policy, policyDocument } = claim;
  if (policy === null || policyDocument === undefined)
    throw new TypeError('an unclaimed template has no binding');
  // What only followed others so far was never decided for itself.
  const clusters = locked === undefined || locked.policy === null ? [] : targetsOf(locked, fleet);
  const held = claim.reach === 'held' && locked !== undefined ? heldFields(locked) : {};
  return {
    key,
    resource,
    template,
    policy,
    policyDocument,
    shadowed,
    name: binding.name,
    spec: {
      ...binding.spec,
      ...held,
      clusters,
      ...(locked?.evicting !== undefined && { gracefulEvictionTasks: locked.evicting }),
    },
    why: claim.why,
    ...(locked !== undefined && { locked }),
  };
}

/** The policy's fields do not reach a held binding: it stays as the lock has it. */
function heldFields(locked: LockedBinding): Partial<ClaimedBinding['spec']> {
  return {
    ...(locked.placement !== undefined && { placement: locked.placement }),
    ...(locked.replicas !== undefined && { replicas: locked.replicas }),
  };
}

/**
 * The lock's assignment as Karmada's target list; kinds without replicas have entries without. Clusters that have left
 * the fleet are no targets any more: what they had is placed anew.
 */
function targetsOf(locked: LockedBinding, fleet: ReadonlySet<string>): readonly TargetCluster[] {
  return Object.keys(locked.clusters)
    .filter((name) => fleet.has(name))
    .sort()
    .map((name) => {
      const replicas = locked.clusters[name] ?? 0;
      return locked.replicas === undefined || replicas === 0 ? { name } : { name, replicas };
    });
}
