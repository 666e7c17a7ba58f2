import { add, raise, toAmounts, type Amounts, type Sums } from './amounts.js';

type ResourceList = Readonly<Record<string, string>>;

interface Container {
  readonly restartPolicy?: string;
  readonly resources?: { readonly requests?: ResourceList };
}

/** The fields of a Pod that count. */
export interface Pod {
  readonly spec: {
    readonly nodeName?: string;
    readonly containers?: readonly Container[];
    readonly initContainers?: readonly Container[];
    readonly overhead?: ResourceList;
    readonly resources?: { readonly requests?: ResourceList };
  };
  readonly status?: { readonly phase?: string };
}

/**
 * What a pod asks for, as the Kubernetes scheduler counts: its containers and sidecars together, or one of its init containers with the
 * sidecars started before it if that is more; requests of the pod as a whole win; overhead is added. Only resources that are
 * scheduled: cpu, memory, ephemeral storage, huge pages, attachable volumes and extended ones.
 */
export function requestsOf({ spec }: Pod): Sums {
  const total: Sums = new Map();
  const sidecars: Sums = new Map();
  const initial: Sums = new Map();
  for (const container of spec.initContainers ?? []) {
    const own = ownRequests(container);
    if (container.restartPolicy === 'Always') add(sidecars, own);
    const running = new Map(sidecars);
    if (container.restartPolicy !== 'Always') add(running, own);
    raise(initial, running);
  }
  for (const container of spec.containers ?? []) add(total, ownRequests(container));
  add(total, sidecars);
  raise(total, initial);
  for (const [name, amount] of toAmounts(spec.resources?.requests)) total.set(name, amount);
  add(total, toAmounts(spec.overhead));
  for (const name of total.keys()) if (!isScheduled(name)) total.delete(name);
  return total;
}

function ownRequests({ resources }: Container): Amounts {
  return toAmounts(resources?.requests);
}

function isScheduled(name: string): boolean {
  return (
    name === 'cpu' ||
    name === 'memory' ||
    name === 'ephemeral-storage' ||
    name.includes('/') ||
    name.startsWith('hugepages-') ||
    name.startsWith('attachable-volumes-')
  );
}
