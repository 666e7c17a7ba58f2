import { Agent, request } from 'undici';
import type { KubeObject } from '../../../lib/api/object.js';
import { canonicalJson } from '../../../lib/engine/canonical.js';
import { refKey, refOf } from '../../../lib/engine/object.js';
import { ProviderError, type ClusterClient } from '../../../lib/providers/cluster/index.js';

/** What a member's object looks like to the fake. */
interface MemberObject {
  readonly manifest: KubeObject;
  readonly generation: number;
  /** 0 just written, 1 observed, 2 rolling (already Healthy), 3 finished. */
  phase: number;
}

export interface Dispatch {
  readonly cluster: string;
  readonly name: string;
  readonly kind: string;
  readonly image?: string;
  readonly replicas?: number;
  readonly deleted?: true;
}

/** What tests can make it do. */
export interface FakeOptions {
  readonly server: string;
  readonly token: string;
  /** Passes for which the controller still works with the policies of before (the race of recording c5). @default 0 */
  policyLag?: number;
  /** Clusters whose manifests cannot be built (a failing override). */
  failOn?: ReadonlySet<string>;
  /** The only namespace it acts in: on a server that others use too, or where others' namespaces are just going. */
  namespace?: string;
  /** Clusters whose API servers refuse what is sent, with their words. */
  refusedOn?: ReadonlyMap<string, string>;
  /** Clusters whose pods never become ready. */
  neverReadyOn?: ReadonlySet<string>;
  /** Clusters whose controllers never see the new generation. */
  neverObservedOn?: ReadonlySet<string>;
  /** The scheduler's answer, instead of dividing. */
  decide?: (binding: KubeObject) => readonly { name: string; replicas?: number }[];
  /** Called when something reaches a member or is deleted there: the judge. */
  onDispatch?: (dispatch: Dispatch) => void;
  /** Called at the start of every pass, e.g. to act as a person. */
  onPass?: (pass: number) => Promise<void>;
}

const HOST = {
  policy: { apiVersion: 'policy.karmada.io/v1alpha1', kind: 'PropagationPolicy' },
  binding: { apiVersion: 'work.karmada.io/v1alpha2', kind: 'ResourceBinding' },
  work: { apiVersion: 'work.karmada.io/v1alpha1', kind: 'Work' },
  deployment: { apiVersion: 'apps/v1', kind: 'Deployment' },
  configMap: { apiVersion: 'v1', kind: 'ConfigMap' },
} as const;

/**
 * Does to a real API server what the recordings show of Karmada's controllers: policies to bindings, the scheduler's answer,
 * Works, members, statuses; one step of each a pass, in this order, so that every intermediate state can be seen.
 */
export class FakeKarmada {
  /** Everything that reached a member, in order. */
  readonly dispatches: Dispatch[] = [];
  readonly options: FakeOptions;
  private readonly client: ClusterClient;
  private readonly agent = new Agent({ connect: { rejectUnauthorized: false } });
  private readonly members = new Map<string, MemberObject>();
  private readonly seenPolicies: (readonly KubeObject[])[] = [];
  private running = true;
  private loop: Promise<void> = Promise.resolve();
  private pass = 0;
  private seen = 0;
  private stopping: Promise<void> | undefined;

  constructor(client: ClusterClient, options: FakeOptions) {
    this.client = client;
    this.options = options;
  }

  start(): void {
    this.loop = this.run();
  }

  stop(): Promise<void> {
    this.running = false;
    this.stopping ??= this.loop.then(() => this.agent.close());
    return this.stopping;
  }

  /** A member's object as it runs. */
  member(cluster: string, name: string): { image: string; replicas: number } | undefined {
    const found = [...this.members].find(
      ([key]) => key.startsWith(`${cluster} `) && key.endsWith(`/${name}`),
    );
    return found === undefined ? undefined : facts(found[1].manifest);
  }

  /** Whether a member's object has rolled out to the end; absent ones have not. */
  isFinished(cluster: string, name: string): boolean {
    const found = [...this.members].find(
      ([key]) => key.startsWith(`${cluster} `) && key.endsWith(`/${name}`),
    );
    return found !== undefined && found[1].phase >= 3;
  }

  private note(dispatch: Dispatch): void {
    this.dispatches.push(dispatch);
    this.options.onDispatch?.(dispatch);
  }

  private async run(): Promise<void> {
    while (this.running) {
      await this.options.onPass?.(this.pass);
      try {
        await this.onePass();
      } catch (error) {
        // Controllers try again when their API server was away.
        if (!isAway(error)) throw error;
      }
      this.pass += 1;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  private async onePass(): Promise<void> {
    await this.bind();
    await this.schedule();
    await this.buildWorks();
    await this.execute();
    await this.aggregate();
  }

  private async list(kind: { apiVersion: string; kind: string }): Promise<readonly KubeObject[]> {
    const { namespace } = this.options;
    const all = await this.client.list(kind);
    if (namespace === undefined) return all;
    return all.filter(({ metadata }) => {
      const bound = metadata.annotations?.['resourcebinding.karmada.io/namespace'];
      return (bound ?? metadata.namespace) === namespace;
    });
  }

  private async bind(): Promise<void> {
    this.seenPolicies.push(await this.list(HOST.policy));
    const lag = this.options.policyLag ?? 0;
    // A cache is late; it never goes back.
    this.seen = Math.max(this.seen, this.seenPolicies.length - 1 - lag);
    const policies = this.seenPolicies[this.seen] ?? [];
    const bindings = await this.list(HOST.binding);
    const templates = [...(await this.list(HOST.deployment)), ...(await this.list(HOST.configMap))];
    for (const template of templates) {
      const policy = policies.find((one) => selects(one, template));
      const name = bindingName(template);
      const known = bindings.find(
        (b) => b.metadata.name === name && b.metadata.namespace === template.metadata.namespace,
      );
      const requiredBy = leadersOf(template, templates, policies, bindings);
      if (policy === undefined && requiredBy.length === 0) continue;
      const spec = (policy?.['spec'] ?? {}) as Record<string, unknown>;
      const { replicas } = (template['spec'] ?? {}) as { replicas?: number };
      const { clusters } = (known?.['spec'] ?? {}) as { clusters?: unknown };
      await this.write(known, {
        ...HOST.binding,
        metadata: { name, namespace: template.metadata.namespace ?? '', ...claimOf(policy) },
        spec: {
          resource: {
            ...refOf(template),
            resourceVersion: specVersion(template),
            uid: template.metadata.uid,
          },
          ...(replicas !== undefined && { replicas }),
          ...(spec['placement'] !== undefined && { placement: spec['placement'] }),
          ...(spec['propagateDeps'] !== undefined && { propagateDeps: spec['propagateDeps'] }),
          ...(spec['suspension'] !== undefined && { suspension: spec['suspension'] }),
          ...(requiredBy.length > 0 && { requiredBy }),
          ...(clusters !== undefined && { clusters }),
        },
      });
    }
    for (const binding of bindings) {
      const { resource } = binding['spec'] as { resource: { kind: string; name: string } };
      if (
        !templates.some((one) => one.kind === resource.kind && one.metadata.name === resource.name)
      )
        await this.client.delete(refOf(binding));
    }
  }

  private async schedule(): Promise<void> {
    for (const binding of await this.list(HOST.binding)) {
      const status = (binding['status'] ?? {}) as { schedulerObservedGeneration?: number };
      // A dependency that no policy selects goes where its leaders go.
      if ((binding['spec'] as { placement?: unknown }).placement === undefined) continue;
      if (status.schedulerObservedGeneration === binding.metadata.generation) continue;
      const clusters = (this.options.decide ?? divide)(binding);
      const spec = binding['spec'] as Record<string, unknown>;
      const stored = await this.write(binding, { ...bare(binding), spec: { ...spec, clusters } });
      await this.patchStatus(stored, { schedulerObservedGeneration: stored.metadata.generation });
    }
  }

  private async buildWorks(): Promise<void> {
    const works = await this.list(HOST.work);
    const bindings = await this.list(HOST.binding);
    for (const binding of bindings) {
      const spec = binding['spec'] as {
        resource: { apiVersion: string; kind: string; namespace: string; name: string };
        suspension?: { dispatching?: boolean; dispatchingOnClusters?: { clusterNames?: string[] } };
      };
      const template = await this.client.get(spec.resource);
      if (template === undefined) continue;
      for (const { name, replicas } of targetsOf(binding)) {
        const namespace = `karmada-es-${name}`;
        const workName = `${spec.resource.name}-${spec.resource.kind.toLowerCase()}`;
        const known = works.find(
          (w) => w.metadata.namespace === namespace && w.metadata.name === workName,
        );
        if (this.options.failOn?.has(name) === true && known !== undefined) {
          const before = (known['spec'] as { workload: { manifests: KubeObject[] } }).workload
            .manifests[0];
          if (specOf(before) !== specOf(manifestOf(template, replicas))) continue;
        }
        await this.write(known, {
          ...HOST.work,
          metadata: {
            name: workName,
            namespace,
            annotations: {
              'resourcebinding.karmada.io/name': binding.metadata.name ?? '',
              'resourcebinding.karmada.io/namespace': binding.metadata.namespace ?? '',
            },
          },
          spec: {
            suspendDispatching:
              spec.suspension?.dispatching === true ||
              spec.suspension?.dispatchingOnClusters?.clusterNames?.includes(name) === true,
            workload: { manifests: [manifestOf(template, replicas)] },
          },
        });
      }
    }
    for (const work of works) {
      const owner = bindings.find(
        (one) =>
          one.metadata.name === work.metadata.annotations?.['resourcebinding.karmada.io/name'] &&
          one.metadata.namespace ===
            work.metadata.annotations?.['resourcebinding.karmada.io/namespace'],
      );
      const clusters = owner === undefined ? [] : targetsOf(owner);
      if (!clusters.some(({ name }) => work.metadata.namespace === `karmada-es-${name}`)) {
        // Deleting is never suspended; the Work's finalizer waits for it.
        const manifest = (work['spec'] as { workload: { manifests: KubeObject[] } }).workload
          .manifests[0];
        const cluster = clusterOf(work);
        if (manifest !== undefined && this.members.delete(`${cluster} ${refKey(refOf(manifest))}`))
          this.note({
            cluster,
            kind: manifest.kind,
            name: manifest.metadata.name ?? '',
            deleted: true,
          });
        await this.client.delete(refOf(work));
      }
    }
  }

  private async execute(): Promise<void> {
    for (const work of await this.list(HOST.work)) {
      const spec = work['spec'] as {
        suspendDispatching?: boolean;
        workload: { manifests: KubeObject[] };
      };
      const manifest = spec.workload.manifests[0];
      if (manifest === undefined) continue;
      const cluster = clusterOf(work);
      const key = `${cluster} ${refKey(refOf(manifest))}`;
      let member = this.members.get(key);
      const isSuspended = spec.suspendDispatching === true;
      const refusal = this.options.refusedOn?.get(cluster);
      if (
        !isSuspended &&
        refusal === undefined &&
        (member === undefined || canonicalJson(member.manifest) !== canonicalJson(manifest))
      ) {
        const isSame = member !== undefined && specOf(member.manifest) === specOf(manifest);
        const generation = (member?.generation ?? 0) + (isSame ? 0 : 1);
        member = { manifest, generation, phase: isSame ? (member?.phase ?? 0) : 0 };
        this.members.set(key, member);
        if (!isSame) {
          const { image, replicas } = facts(manifest);
          this.note({
            cluster,
            kind: manifest.kind,
            name: manifest.metadata.name ?? '',
            ...(image !== '' && { image, replicas }),
          });
        }
      } else if (member !== undefined) {
        const { neverReadyOn, neverObservedOn } = this.options;
        const last =
          neverObservedOn?.has(cluster) === true ? 0 : neverReadyOn?.has(cluster) ? 1 : 3;
        member.phase = Math.min(last, member.phase + 1);
      }
      const before = (work['status'] ?? {}) as {
        conditions?: readonly { type: string; status: string }[];
      };
      const wasApplied =
        before.conditions?.some(({ type, status }) => type === 'Applied' && status === 'True') ===
        true;
      await this.patchStatus(work, {
        conditions: [
          condition(
            'Dispatching',
            !isSuspended,
            isSuspended ? 'SuspendDispatching' : 'Dispatching',
          ),
          // Keeps its last value while suspended.
          ...(!isSuspended && refusal !== undefined
            ? [{ ...condition('Applied', false, 'AppliedFailed'), message: refusal }]
            : !isSuspended || wasApplied
              ? [condition('Applied', true, 'AppliedSuccessful')]
              : []),
        ],
        ...(member !== undefined && {
          manifestStatuses: [
            {
              health: healthOf(member),
              identifier: identifierOf(manifest),
              status: statusOf(member),
            },
          ],
        }),
      });
    }
  }

  private async aggregate(): Promise<void> {
    const works = await this.list(HOST.work);
    for (const binding of await this.list(HOST.binding)) {
      const aggregatedStatus = works
        .filter(
          (w) =>
            w.metadata.annotations?.['resourcebinding.karmada.io/name'] === binding.metadata.name,
        )
        .map((work) => {
          const status = (work['status'] ?? {}) as {
            conditions?: readonly { type: string; status: string; message: string }[];
            manifestStatuses?: readonly { health: string; status: object }[];
          };
          const isApplied =
            status.conditions?.some((c) => c.type === 'Applied' && c.status === 'True') === true;
          const reported = status.manifestStatuses?.[0];
          const failed = status.conditions?.find((c) => c.type === 'Applied' && !isApplied);
          return {
            clusterName: clusterOf(work),
            ...(isApplied && { applied: true }),
            ...(failed !== undefined && { appliedMessage: failed.message }),
            health: isApplied ? (reported?.health ?? 'Unknown') : 'Unknown',
            ...(isApplied && reported !== undefined && { status: reported.status }),
          };
        })
        .sort((a, b) => (a.clusterName < b.clusterName ? -1 : 1));
      await this.patchStatus(binding, { aggregatedStatus });
    }
  }

  /** Server-side apply, if it would change something. */
  private async write(known: KubeObject | undefined, object: KubeObject): Promise<KubeObject> {
    if (known !== undefined && specOf(known) === specOf(object)) return known;
    return this.client.apply(object, { fieldManager: 'karmada', force: true });
  }

  private async patchStatus(object: KubeObject, status: object): Promise<void> {
    const before = (object['status'] ?? {}) as Record<string, unknown>;
    if (canonicalJson({ ...before, ...status }) === canonicalJson(before)) return;
    const { namespace = '', name = '' } = object.metadata;
    const plural = `${object.kind.toLowerCase()}s`;
    const path = `/apis/${object.apiVersion}/namespaces/${namespace}/${plural}/${name}/status`;
    const reply = await request(`${this.options.server}${path}`, {
      method: 'PATCH',
      dispatcher: this.agent,
      headers: {
        authorization: `Bearer ${this.options.token}`,
        'content-type': 'application/merge-patch+json',
      },
      body: JSON.stringify({ status }),
    });
    const answer = await reply.body.text();
    if (reply.statusCode !== 200 && reply.statusCode !== 404)
      throw new Error(`${path}: ${reply.statusCode} ${answer}`);
  }
}

function isAway(error: unknown): boolean {
  if (ProviderError.is(error)) return ['unreachable', 'timeout', 'server'].includes(error.failure);
  const { code = '' } = error as { code?: string };
  return ['ECONNREFUSED', 'ECONNRESET', 'UND_ERR_SOCKET'].includes(code);
}

function selects(policy: KubeObject, template: KubeObject): boolean {
  const { resourceSelectors } = policy['spec'] as {
    resourceSelectors: readonly { kind: string; name?: string }[];
  };
  return (
    policy.metadata.namespace === template.metadata.namespace &&
    resourceSelectors.some(
      ({ kind, name }) =>
        kind === template.kind && (name === undefined || name === template.metadata.name),
    )
  );
}

/** Works go to the binding's own clusters and to those of its leaders (lifecycle reference §6.2). */
function targetsOf(binding: KubeObject): readonly { name: string; replicas?: number }[] {
  const { clusters = [], requiredBy = [] } = binding['spec'] as {
    clusters?: readonly { name: string; replicas?: number }[];
    requiredBy?: readonly { clusters: readonly { name: string }[] }[];
  };
  const own = new Set(clusters.map(({ name }) => name));
  const needed = new Set(requiredBy.flatMap((leader) => leader.clusters.map(({ name }) => name)));
  return [...clusters, ...[...needed].filter((name) => !own.has(name)).map((name) => ({ name }))];
}

/** Bindings of Deployments that use a ConfigMap, under a policy with `propagateDeps` (recording i). */
function leadersOf(
  template: KubeObject,
  templates: readonly KubeObject[],
  policies: readonly KubeObject[],
  bindings: readonly KubeObject[],
): readonly object[] {
  if (template.kind !== 'ConfigMap') return [];
  return templates.flatMap((leader) => {
    const policy = policies.find((one) => selects(one, leader));
    const { propagateDeps } = (policy?.['spec'] ?? {}) as { propagateDeps?: boolean };
    const uses = canonicalJson(leader['spec']).includes(
      `"configMapRef":{"name":"${template.metadata.name ?? ''}"}`,
    );
    if (leader.kind !== 'Deployment' || propagateDeps !== true || !uses) return [];
    const name = bindingName(leader);
    const binding = bindings.find((one) => one.metadata.name === name);
    const { clusters } = (binding?.['spec'] ?? {}) as { clusters?: readonly object[] };
    if (clusters === undefined) return [];
    return [{ namespace: leader.metadata.namespace ?? '', name, clusters }];
  });
}

function divide(binding: KubeObject): readonly { name: string; replicas?: number }[] {
  const { placement, replicas } = binding['spec'] as {
    replicas?: number;
    placement: {
      clusterAffinity?: { clusterNames?: string[] };
      replicaScheduling?: {
        replicaSchedulingType?: string;
        weightPreference?: {
          staticWeightList?: readonly {
            targetCluster: { clusterNames: string[] };
            weight: number;
          }[];
        };
      };
    };
  };
  const names = [...(placement.clusterAffinity?.clusterNames ?? [])].sort();
  if (replicas === undefined) return names.map((name) => ({ name }));
  if (placement.replicaScheduling?.replicaSchedulingType !== 'Divided')
    return names.map((name) => ({ name, replicas }));
  const list = placement.replicaScheduling.weightPreference?.staticWeightList ?? [];
  const weights = names.map(
    (name) =>
      list.find(({ targetCluster }) => targetCluster.clusterNames.includes(name))?.weight ?? 0,
  );
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  // The tests' numbers divide without a remainder.
  return names
    .map((name, i) => ({ name, replicas: Math.floor(((weights[i] ?? 0) * replicas) / total) }))
    .filter((share) => share.replicas > 0);
}

function manifestOf(template: KubeObject, replicas: number | undefined): KubeObject {
  const { namespace = '', name = '', generation } = template.metadata;
  const { status: _status, metadata: _metadata, ...rest } = template;
  const { spec } = rest as { spec?: object };
  return {
    ...rest,
    apiVersion: template.apiVersion,
    kind: template.kind,
    metadata: {
      name,
      namespace,
      ...(generation !== undefined && {
        annotations: { 'resourcetemplate.karmada.io/generation': String(generation) },
      }),
    },
    ...(spec !== undefined && { spec: { ...spec, ...(replicas !== undefined && { replicas }) } }),
  };
}

function facts(manifest: KubeObject): { image: string; replicas: number } {
  const spec = (manifest['spec'] ?? {}) as {
    replicas?: number;
    template?: { spec: { containers: readonly { image: string }[] } };
  };
  return { image: spec.template?.spec.containers[0]?.image ?? '', replicas: spec.replicas ?? 0 };
}

function statusOf({ manifest, generation, phase }: MemberObject): object {
  if (manifest.kind !== 'Deployment') return {};
  const { replicas } = facts(manifest);
  const rtg = Number(manifest.metadata.annotations?.['resourcetemplate.karmada.io/generation']);
  const full = {
    availableReplicas: replicas,
    readyReplicas: replicas,
    replicas,
    updatedReplicas: replicas,
  };
  const base = { generation, resourceTemplateGeneration: rtg };
  if (phase === 0) return { ...full, ...base, observedGeneration: generation - 1 };
  if (phase === 1) return { ...full, ...base, observedGeneration: generation, updatedReplicas: 0 };
  if (phase === 2)
    return { ...full, ...base, observedGeneration: generation, replicas: replicas + 1 };
  return { ...full, ...base, observedGeneration: generation };
}

/** Karmada's rule is satisfied before the rollout is finished (recording c1). */
function healthOf({ manifest, phase }: MemberObject): string {
  return manifest.kind === 'Deployment' && phase < 2 ? 'Unhealthy' : 'Healthy';
}

function identifierOf(manifest: KubeObject): object {
  const [group, version] = manifest.apiVersion.includes('/')
    ? manifest.apiVersion.split('/')
    : ['', manifest.apiVersion];
  const { name, namespace } = manifest.metadata;
  return { group, version, kind: manifest.kind, name, namespace, ordinal: 0, resource: '' };
}

function condition(type: string, is: boolean, reason: string): object {
  const status = is ? 'True' : 'False';
  return { type, status, reason, message: reason, lastTransitionTime: '2026-01-01T00:00:00Z' };
}

const clusterOf = (work: KubeObject): string =>
  (work.metadata.namespace ?? '').slice('karmada-es-'.length);
const bindingName = ({ kind, metadata }: KubeObject): string =>
  `${metadata.name ?? ''}-${kind.toLowerCase()}`;
const specOf = (object: KubeObject | undefined): string =>
  canonicalJson([object?.['spec'], object?.['data']]);
const bare = (object: KubeObject): KubeObject => ({
  apiVersion: object.apiVersion,
  kind: object.kind,
  metadata: {
    name: object.metadata.name ?? '',
    namespace: object.metadata.namespace ?? '',
    ...(object.metadata.labels !== undefined && { labels: object.metadata.labels }),
    ...(object.metadata.annotations !== undefined && { annotations: object.metadata.annotations }),
  },
});
const claimOf = (policy: KubeObject | undefined): Partial<KubeObject['metadata']> =>
  policy === undefined
    ? {}
    : {
        labels: { 'propagationpolicy.karmada.io/permanent-id': policy.metadata.uid ?? '' },
        annotations: {
          'propagationpolicy.karmada.io/namespace': policy.metadata.namespace ?? '',
          'propagationpolicy.karmada.io/name': policy.metadata.name ?? '',
        },
      };

/** Karmada notes the template's version; statuses must not count, or the binding would never come to rest. */
function specVersion(template: KubeObject): string {
  return String(template.metadata.generation ?? template.metadata.resourceVersion);
}
