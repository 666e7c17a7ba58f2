import { delimiter } from 'node:path';
import { ProviderError, type ClusterClient } from '../cluster/client.js';
import { connectKubeconfig } from '../cluster/index.js';
import { STEADY_CLOCK, type Clock } from '../rollout/index.js';
import type { EngineLink } from './engine-link.js';
import { OPERATIONS, type ClusterOperations } from './operations.js';
import type { ClusterAccess, GateInputs } from './wire.js';

/** A gate of this run, and whether its wave has been looked at in this run. */
export interface SeenGate {
  readonly news: GateInputs;
  look?: Promise<readonly string[]>;
}

/** What the lifecycle functions work with; one per provider process. */
export interface Session {
  readonly link: EngineLink;
  readonly open: (access: ClusterAccess) => Promise<ClusterClient>;
  /** How long a cluster may stay silent before it counts as gone. @default what rollouts allow */
  readonly unreachableSeconds?: number;
  /** @default the machine's, steady */
  readonly clock?: Clock;
  /** @default those of every rollout */
  readonly operations?: ClusterOperations;
  /** Names one application of a release; no two are alike. @default random */
  readonly mark?: () => string;
  /** Clusters that failed in this run, by wave: a wave starts nothing more once too many have. */
  readonly failures: Map<string, Set<string>>;
  /** Gates that this run has come by, by wave. */
  readonly gates?: Map<string, SeenGate>;
  /** Clusters that were asked whether they are there: `undefined` once they answered, else what went wrong. */
  readonly answers?: Map<string, Promise<unknown>>;
}

export function operationsOf({ operations = OPERATIONS }: Session): ClusterOperations {
  return operations;
}

export function clockOf({ clock = STEADY_CLOCK }: Session): Clock {
  return clock;
}

/** What every call to a cluster is given: it ends with the engine, and does not wait for the dead. */
export function manners(session: Session): {
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly unreachableSeconds?: number;
} {
  const { link, unreachableSeconds } = session;
  return {
    signal: link.signal,
    clock: clockOf(session),
    ...(unreachableSeconds !== undefined && { unreachableSeconds }),
  };
}

/** The process as far as credentials need it. */
export interface Environment {
  readonly home: string;
  readonly variables: Readonly<Record<string, string | undefined>>;
}

/** A cluster that cannot be reached is one cluster's failure, not the whole run's. @throws what is no provider error */
export function failureOf(error: unknown): string {
  if (ProviderError.is(error)) return error.message;
  throw error;
}

/** Clients are shared by all resources of the process: one connection pool and one discovery per cluster. */
export function openSession(link: EngineLink, environment: Environment): Session {
  const clients = new Map<string, Promise<ClusterClient>>();
  return {
    link,
    failures: new Map(),
    gates: new Map(),
    answers: new Map(),
    open: (access) => {
      const { cluster, context, kubeconfig, kubeconfigPath } = access;
      const key = JSON.stringify([cluster, context, kubeconfig, kubeconfigPath]);
      const known = clients.get(key);
      if (known !== undefined) return known;
      const connect = connectKubeconfig({
        kubeconfig:
          kubeconfig !== ''
            ? { text: kubeconfig }
            : { files: filesOf(kubeconfigPath, environment) },
        contexts: { [cluster]: context },
        environment: environment.variables,
      });
      const opened = connect(cluster);
      clients.set(key, opened);
      // A failure is not remembered: the kubeconfig may be there the next time.
      opened.catch(() => clients.delete(key));
      return opened;
    },
  };
}

/** As kubectl: the path given, else `KUBECONFIG`, else `~/.kube/config`. */
function filesOf(path: string, { home, variables }: Environment): string[] {
  const text = path !== '' ? path : (variables['KUBECONFIG'] ?? '');
  const files = text.split(delimiter).filter((file) => file !== '');
  return files.length > 0 ? files : [`${home}/.kube/config`];
}
