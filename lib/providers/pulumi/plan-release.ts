import { resolve } from 'node:path';
import { canonicalJson } from '../../engine/canonical.js';
import type { Diagnostic } from '../../engine/diagnostic.js';
import { describeDiagnostics } from '../../engine/describe/index.js';
import type { Fleet, PlanInput } from '../../engine/input.js';
import type { Interpreter } from '../../engine/interpret/index.js';
import { findInterpreterFailures } from '../../engine/interpreter-findings.js';
import type { Plan } from '../../engine/plan.js';
import { withMemberFields } from '../../engine/render/index.js';
import { writeLock } from '../lock/index.js';
import { interpretersFrom } from '../lua/index.js';
import { planApplication } from '../plan-application.js';
import { locate } from '../source/index.js';
import { standardTools } from '../tools.js';
import type { FleetReleaseArgs } from './args.js';
import { gather } from './documents.js';
import { refuseUnrendered } from '../../engine/unrendered.js';
import { inPulumi } from './hints.js';
import { judgeInfluence, judgePlaces } from './late-places.js';
import type { ProgramEnvironment } from './program-environment.js';
import { judgeSize } from './state-size.js';

/** A plan that may be registered. */
export interface PlannedRelease {
  readonly plan: Plan;
  readonly application: string;
  /** `''`: none. */
  readonly environment: string;
  /** Serial and content of the lock, for the guard. */
  readonly lock: { readonly serial: number; readonly content: string };
  /** Cluster to region, for people. */
  readonly regions: Readonly<Record<string, string>>;
  /** Milliseconds since 1970, of the machine: time windows go by it, whatever the plan's `now` is. */
  readonly clock: number;
  /** Kinds that the program and its documents teach. */
  readonly interpreters: readonly Interpreter[];
  /** Warnings and infos, as text; empty: none. */
  readonly remarks: string;
  /** Write the lock: before anything is registered, after the plan is known to be good. */
  readonly commit: () => void;
}

/**
 * Read everything and plan, synchronously.
 *
 * @throws Error with the diagnostics as text when the plan is not applicable, or differs from a frozen lock: the program
 * then ends before it registers anything, so Pulumi changes and deletes nothing.
 */
export function planRelease(
  name: string,
  args: FleetReleaseArgs,
  environment: ProgramEnvironment,
): PlannedRelease {
  const application = args.application ?? name;
  const lockFile =
    args.lockFile ??
    (args.environment === undefined ? 'fleet.lock.yaml' : `fleet.${args.environment}.lock.yaml`);
  const gathered = gather({ ...args, lockFile }, environment.cwd);
  refuse(gathered.diagnostics, 'cannot be read');
  if (gathered.fleet === undefined) throw new Error(`FleetRelease "${name}": no fleet`);
  refuse(judgePlaces(gathered.documents), 'cannot be planned');
  const input: PlanInput = {
    documents: gathered.documents,
    fleet: gathered.fleet,
    ...(gathered.lock !== undefined && { lock: gathered.lock }),
    now: args.now ?? environment.now,
    options: {
      application,
      ...(args.environment !== undefined && { environment: args.environment }),
      profile: args.profile ?? 'default',
      target: 'members',
      ...(args.acknowledge !== undefined && { acknowledge: args.acknowledge }),
    },
  };
  const result = planApplication(input, args.interpreters);
  const interpreters = [
    ...(args.interpreters ?? []),
    ...interpretersFrom(gathered.documents, result.now).interpreters,
  ];
  // The rules stay here: what they leave to the clusters travels with the manifests.
  const { releases, failures } = withMemberFields(result.releases, interpreters);
  const found = [...result.diagnostics, ...findInterpreterFailures(failures)];
  const diagnostics = locate(found, gathered.places);
  refuse(diagnostics, 'cannot be planned');
  refuse(
    judgeInfluence(input, (other) => planApplication(other, args.interpreters)),
    'cannot be planned',
  );
  refuse(refuseUnrendered(result), 'cannot be rendered everywhere');
  refuse(judgeSize(result, args.acknowledge ?? []), 'is too large');
  if (args.via === 'pulumi-kubernetes') refuseForKubernetes(name, result, args.providers ?? {});
  const frozen = args.lock === undefined ? environment.isCi : args.lock === 'frozen';
  if (frozen && result.lockChanges.length > 0)
    refuse([wouldChange(lockFile, result.lockChanges)], 'differs from its lock');
  const { hash } = standardTools();
  return {
    plan: { ...result, releases },
    clock: Date.parse(environment.now),
    application,
    environment: args.environment ?? '',
    lock: {
      serial: result.lock.serial,
      content: hash(
        canonicalJson([result.lock.bindings, result.lock.tombstones, result.lock.policies]),
      ).slice(0, 16),
    },
    regions: regionsOf(gathered.fleet),
    interpreters,
    remarks: diagnostics.length === 0 ? '' : describeDiagnostics(diagnostics),
    commit: () => {
      if (!frozen && result.lockChanges.length > 0)
        writeLock(resolve(environment.cwd, lockFile), result.lock);
    },
  };

  function refuse(found: readonly Diagnostic[], what: string): void {
    if (!found.some((d) => d.severity === 'error')) return;
    throw new Error(
      `FleetRelease "${name}" ${what}; nothing is registered, nothing changed.\n\n${describeDiagnostics(found.map(inPulumi))}`,
    );
  }
}

function regionsOf({ clusters }: Fleet): Record<string, string> {
  return Object.fromEntries(
    clusters.flatMap(({ metadata, spec }) =>
      metadata.name === undefined || spec.region === undefined
        ? []
        : [[metadata.name, spec.region]],
    ),
  );
}

/** What resources of `@pulumi/kubernetes` cannot do is refused before anything is registered. */
function refuseForKubernetes(name: string, plan: Plan, providers: object): void {
  const missing = plan.releases
    .map((release) => release.cluster)
    .filter((cluster) => !Object.hasOwn(providers, cluster));
  if (missing.length > 0)
    throw new Error(
      `FleetRelease "${name}" goes via "pulumi-kubernetes", which needs a Provider for every cluster; missing: ${missing.join(', ')}. Pass them in \`providers\`. Nothing is registered.`,
    );
  const held = plan.waves.filter(({ gate }) => gate.approval).map((wave) => wave.name);
  if (held.length > 0)
    throw new Error(
      `FleetRelease "${name}" goes via "pulumi-kubernetes", which cannot hold a wave for approval: ${held.join(', ')}. Remove \`approval\` or \`via\`. Nothing is registered.`,
    );
}

function wouldChange(lockFile: string, changes: readonly string[]): Diagnostic {
  return {
    code: 'LOCK_WOULD_CHANGE',
    severity: 'error',
    file: lockFile,
    summary: `The lock is frozen and this plan differs from it: ${changes.slice(0, 10).join('; ')}${changes.length > 10 ? `; and ${changes.length - 10} more` : ''}.`,
    hint: 'Run `pulumi preview` and `fleetwright lock` on a developer machine, and commit the lock with the change.',
  };
}
