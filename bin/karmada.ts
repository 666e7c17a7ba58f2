import { Option } from 'commander';
import type { KubeObject } from '../lib/api/object.js';
import type { Diagnostic } from '../lib/engine/diagnostic.js';
import {
  describeKarmadaSteps,
  diagnoseDependencies,
  diagnoseGrowth,
} from '../lib/engine/karmada/index.js';
import type { PlanInput } from '../lib/engine/input.js';
import { refKey, refOf } from '../lib/engine/object.js';
import type { Plan } from '../lib/engine/plan.js';
import { type ClusterClient, ProviderError } from '../lib/providers/cluster/client.js';
import { fromResourceBindings } from '../lib/providers/lock/index.js';
import type { Gathered } from './gather.js';
import { decide } from './planning.js';
import type { Settings } from './settings.js';

/** Flags of commands that reach a Karmada control plane. */
export interface KarmadaFlags {
  readonly karmadaContext?: string;
  readonly takeOver?: boolean;
}

/** Context of the control plane where none is named; what `karmada init` and `hack/local-up-karmada.sh` write differs. */
export const KARMADA_CONTEXT = 'karmada-apiserver';

export function karmadaContextOption(): Option {
  return new Option(
    '--karmada-context <context>',
    `with --target karmada: context of the control plane (default ${KARMADA_CONTEXT})`,
  );
}

/**
 * Plan against what the control plane has decided so far. Without a lock its bindings are the previous assignments, so that an
 * application it already runs stays where it is.
 */
export async function decideOnControlPlane(
  { input, places }: Gathered,
  settings: Settings,
  client: ClusterClient,
): Promise<{ readonly plan: Plan; readonly input: PlanInput }> {
  const { readControlPlane } = await import('../lib/providers/karmada/index.js');
  const found = await readControlPlane(client).catch((error: unknown) => {
    throw cannotRead(error, client.cluster);
  });
  const ours = new Set(input.documents.map(({ object }) => refKey(withNamespace(refOf(object)))));
  const bindings = found.filter((binding) => {
    const { resource } = binding['spec'] as { readonly resource: ReturnType<typeof refOf> };
    return ours.has(refKey(withNamespace(resource)));
  });
  const { application } = input.options;
  const lock =
    input.lock ??
    (bindings.length === 0 ? undefined : fromResourceBindings(application, bindings, input.now));
  const seen: PlanInput = {
    ...input,
    ...(lock !== undefined && { lock }),
    live: { members: {}, bindings },
  };
  return { plan: decide(seen, places, settings.frozen), input: seen };
}

/** What the first look at a control plane says, in words that name the flag. Anything else passes as it is. */
function cannotRead(error: unknown, context: string): unknown {
  if (!ProviderError.is(error)) return error;
  if (error.failure === 'notServed')
    return new Error(
      `Context "${context}" is no Karmada control plane: it serves no ResourceBindings. Name the control plane's context with --karmada-context.`,
      { cause: error },
    );
  if (error.failure === 'unreachable' || error.failure === 'timeout')
    return new Error(
      `The control plane does not answer (context "${context}"): ${error.message}. Members are not asked instead; try again, or correct --kubeconfig and --karmada-context.`,
      { cause: error },
    );
  return error;
}

/** The steps of the rollout, below the plan; empty for other targets. */
export function showSteps(plan: Plan, { documents }: PlanInput, { target }: Settings): string {
  if (target !== 'karmada') return '';
  return describeKarmadaSteps(
    plan,
    documents.map(({ object }) => object),
  )
    .map((line) => `${line}\n`)
    .join('');
}

/** What the control plane will not do as the waves say; empty for other targets. */
export function findingsOf(
  plan: Plan,
  { documents }: PlanInput,
  { target }: Settings,
): readonly Diagnostic[] {
  if (target !== 'karmada') return [];
  const objects = documents.map(({ object }) => inNamespace(object));
  return [...diagnoseGrowth(plan, objects), ...diagnoseDependencies(plan, objects)];
}

/** As the plan names it: `kubectl` would put it into `default`. */
function inNamespace(object: KubeObject): KubeObject {
  const { namespace = 'default', ...metadata } = object.metadata;
  const isClusterWide = object.kind.startsWith('Cluster');
  return isClusterWide ? object : { ...object, metadata: { ...metadata, namespace } };
}

function withNamespace(ref: ReturnType<typeof refOf>): ReturnType<typeof refOf> {
  return { ...ref, namespace: ref.namespace ?? 'default' };
}
