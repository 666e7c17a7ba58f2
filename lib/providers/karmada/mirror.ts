import type { KubeObject, ObjectRef } from '../../api/object.js';
import type { WorkSpec } from '../../api/work.js';
import { compareBy, sorted } from '../../engine/compare.js';
import type { BindingGoal, ControlPlaneView, PolicyView } from '../../engine/karmada/index.js';
import { policyKey, toBindingView, toPolicyView } from '../../engine/karmada/index.js';
import { refKey, refOf } from '../../engine/object.js';
import type { PolicyRef } from '../../engine/plan.js';
import type { ClusterClient, KindRef } from '../cluster/client.js';

export const POLICY_API = 'policy.karmada.io/v1alpha1';
const WORK_API = 'work.karmada.io/v1alpha1';
const BINDING_API = 'work.karmada.io/v1alpha2';

const KINDS: readonly KindRef[] = [
  { apiVersion: POLICY_API, kind: 'PropagationPolicy' },
  { apiVersion: POLICY_API, kind: 'ClusterPropagationPolicy' },
  { apiVersion: BINDING_API, kind: 'ResourceBinding' },
  { apiVersion: BINDING_API, kind: 'ClusterResourceBinding' },
  { apiVersion: WORK_API, kind: 'Work' },
];

/** What the control plane holds, kept up to date by one watch a kind; asked by whoever decides. */
export class Mirror {
  private readonly client: ClusterClient;
  private readonly objects = new Map<string, Map<string, KubeObject>>();
  private readonly stopped = new AbortController();
  private watches: Promise<unknown> = Promise.resolve();
  private changed: () => void = () => undefined;
  private failure: { readonly error: unknown } | undefined;

  constructor(client: ClusterClient) {
    this.client = client;
  }

  /** Resolves when everything has been listed once. */
  async start(): Promise<void> {
    const listed = KINDS.map(
      (kind) => new Promise<void>((resolve) => void this.follow(kind, resolve)),
    );
    this.watches = Promise.all(listed);
    await this.watches;
    this.check();
  }

  /** As it is now, in place of {@link start}: no watch, nothing to stop. Throws what the first list that fails throws. */
  async readOnce(): Promise<void> {
    await Promise.all(
      KINDS.map(async (kind) => {
        const objects = this.of(kind.kind);
        for (const object of await this.client.list(kind)) objects.set(keyOf(object), object);
      }),
    );
  }

  stop(): void {
    this.stopped.abort();
    this.changed();
  }

  /** Resolves at the next change, when `signal` aborts, or after `stop`. Throws what ended a watch for good. */
  async change(signal: AbortSignal): Promise<void> {
    this.check();
    if (signal.aborted) return;
    await new Promise<void>((resolve) => {
      this.changed = resolve;
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
    this.check();
  }

  policy(policy: PolicyRef): PolicyView | undefined {
    const object = this.of(policy.kind).get(`${policy.namespace ?? ''}/${policy.name}`);
    return object === undefined ? undefined : toPolicyView(object);
  }

  /** What a write answered: the watch may be late, and must not show the state before. */
  saw(object: KubeObject): void {
    const known = this.of(object.kind).get(keyOf(object));
    if (isOlder(object, known)) return;
    this.of(object.kind).set(keyOf(object), object);
  }

  view(bindings: readonly Partial<Pick<BindingGoal, 'resource' | 'policy'>>[]): ControlPlaneView {
    const wanted = new Set(
      bindings.flatMap(({ resource }) => (resource === undefined ? [] : [refKey(resource)])),
    );
    const policies = new Map<string, PolicyView>();
    for (const { policy } of bindings) {
      const view = policy === undefined ? undefined : this.policy(policy);
      if (policy !== undefined && view !== undefined) policies.set(policyKey(policy), view);
    }
    const works = this.worksByBinding();
    const views = new Map<string, ReturnType<typeof toBindingView>>();
    for (const kind of ['ResourceBinding', 'ClusterResourceBinding']) {
      for (const [key, binding] of this.of(kind)) {
        const { resource } = binding['spec'] as { readonly resource: ObjectRef };
        const template = refKey(resource);
        if (wanted.has(template)) views.set(template, toBindingView(binding, works.get(key) ?? []));
      }
    }
    return { policies, bindings: views };
  }

  /** Templates that one of the policies has claimed, by {@link policyKey}; sorted. */
  claimedBy(policies: ReadonlySet<string>): readonly ObjectRef[] {
    const bindings = [
      ...this.of('ResourceBinding').values(),
      ...this.of('ClusterResourceBinding').values(),
    ];
    const templates = bindings.flatMap((binding) => {
      const { policy } = toBindingView(binding, []);
      if (policy === undefined || !policies.has(policyKey(policy))) return [];
      const { resource } = binding['spec'] as { readonly resource: ObjectRef };
      const { apiVersion, kind, namespace, name } = resource;
      return [{ apiVersion, kind, ...(namespace !== undefined && { namespace }), name }];
    });
    return sorted(templates, compareBy(refKey));
  }

  /** Clusters that have a Work made from the template, its binding gone or not. Sorted. */
  clustersOf(template: ObjectRef): readonly string[] {
    const key = refKey(template);
    const works = [...this.of('Work').values()].filter((work) => {
      const { workload } = (work['spec'] ?? {}) as Partial<WorkSpec>;
      const manifest = workload?.manifests?.[0] as KubeObject | undefined;
      return manifest !== undefined && refKey(refOf(manifest)) === key;
    });
    return toBindingView(NO_BINDING, works).works.map(({ cluster }) => cluster);
  }

  private worksByBinding(): ReadonlyMap<string, readonly KubeObject[]> {
    const works = new Map<string, KubeObject[]>();
    for (const work of this.of('Work').values()) {
      const marks = work.metadata.annotations ?? {};
      const name =
        marks['resourcebinding.karmada.io/name'] ?? marks['clusterresourcebinding.karmada.io/name'];
      const key = `${marks['resourcebinding.karmada.io/namespace'] ?? ''}/${name ?? ''}`;
      works.set(key, [...(works.get(key) ?? []), work]);
    }
    return works;
  }

  private async follow(kind: KindRef, listed: () => void): Promise<void> {
    try {
      for await (const event of this.client.watch(kind, {}, this.stopped.signal)) {
        const objects = this.of(kind.kind);
        if (event.type === 'LISTED') {
          objects.clear();
          for (const object of event.objects) objects.set(keyOf(object), object);
          listed();
        } else if (event.type === 'DELETED') objects.delete(keyOf(event.object));
        else if (!isOlder(event.object, objects.get(keyOf(event.object))))
          objects.set(keyOf(event.object), event.object);
        this.changed();
      }
    } catch (error) {
      this.failure ??= { error };
      listed();
      this.changed();
    }
  }

  private of(kind: string): Map<string, KubeObject> {
    const known = this.objects.get(kind) ?? new Map<string, KubeObject>();
    this.objects.set(kind, known);
    return known;
  }

  private check(): void {
    if (this.failure !== undefined && !this.stopped.signal.aborted) throw this.failure.error;
  }
}

const NO_BINDING: KubeObject = { apiVersion: BINDING_API, kind: 'ResourceBinding', metadata: {} };

function keyOf({ metadata: { namespace, name = '' } }: KubeObject): string {
  return `${namespace ?? ''}/${name}`;
}

/** Versions of one object by the server's counter, which the API promises to be comparable since 1.35 and always has been. */
function isOlder(object: KubeObject, known: KubeObject | undefined): boolean {
  if (known === undefined || known.metadata.uid !== object.metadata.uid) return false;
  const [mine, theirs] = [object.metadata.resourceVersion, known.metadata.resourceVersion];
  if (mine === undefined || theirs === undefined) return false;
  return mine.length === theirs.length ? mine < theirs : mine.length < theirs.length;
}
