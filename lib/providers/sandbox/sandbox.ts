import { randomBytes } from 'node:crypto';
import type { KubeObject } from '../../api/object.js';
import { createObject, replaceObject } from './api/writes.js';
import type { ClusterSpec } from './cluster-spec.js';
import { allControllers } from './controllers/index.js';
import { runControllers } from './controllers/controller.js';
import { serveCrds } from './crds.js';
import { selfSigned, type Certificate } from './certificate.js';
import { clusterDocument, nodesOf } from './fleet.js';
import { kubeconfigOf } from './kubeconfig.js';
import type { JsonObject } from './merge/json.js';
import { Registry } from './schema/registry.js';
import type { InjectFault } from './exchange.js';
import { listen, type Listener, type LoggedRequest } from './server.js';
import type { SavedCluster, SavedSandbox } from './state.js';
import { Store } from './store/store.js';
import { REAL_TIME, type Time } from './time.js';
import type { World } from './world.js';

export interface SandboxOptions {
  readonly clusters: readonly ClusterSpec[];
  /** @default the machine's clock */
  readonly time?: Time;
  /** Told one line per start and stop. */
  readonly log?: (line: string) => void;
  /** What {@link Sandbox.save} gave: clusters continue with their objects, tokens and, if free, ports. */
  readonly state?: SavedSandbox;
}

/** One simulated cluster, for tests and the demo: what a person could do to a real one with a wrench. */
export interface SandboxCluster {
  readonly name: string;
  readonly server: string;
  readonly token: string;
  /** Signs in, and may do nothing. */
  readonly viewerToken: string;
  /** Everything that was asked of it, in order. */
  readonly requests: readonly LoggedRequest[];
  /** All objects, in no particular order. */
  objects(): readonly KubeObject[];
  readonly faults: { inject(fault: InjectFault | undefined): void };
  /** Refuse connections; with `blackHole` accept them and never answer. */
  stop(options?: { readonly blackHole?: boolean }): Promise<void>;
  start(): Promise<void>;
  /** Forget the event log, so that watches from before get 410. */
  compact(): void;
}

export interface Sandbox {
  /** YAML text, one context per cluster. */
  readonly kubeconfig: string;
  /** Karmada Cluster documents as of now, for `fleet.yaml`. */
  fleet(): readonly KubeObject[];
  /** Throws when there is no cluster of that name. */
  cluster(name: string): SandboxCluster;
  /** Plain JSON from which {@link startSandbox} continues. */
  save(): SavedSandbox;
  close(): Promise<void>;
}

interface Member {
  readonly spec: ClusterSpec;
  readonly world: World;
  readonly token: string;
  readonly viewerToken: string;
  readonly listener: Listener;
  readonly stopControllers: () => void;
  isUp: boolean;
}

/** Namespaces that every cluster has. */
const NAMESPACES = ['default', 'kube-node-lease', 'kube-public', 'kube-system'];

/**
 * Start simulated member clusters in this process: one HTTP server each on 127.0.0.1, speaking the Kubernetes API, with
 * controllers that make workloads move. See ADR 0060 for what is simulated and what is not.
 */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const time = options.time ?? REAL_TIME;
  const certificate = options.state?.certificate ?? selfSigned();
  const members = new Map<string, Member>();
  for (const [index, spec] of options.clusters.entries()) {
    const saved = options.state?.clusters.find((cluster) => cluster.name === spec.name);
    const member = await startMember(spec, index, time, certificate, saved);
    members.set(spec.name, member);
    options.log?.(`${spec.name} serves on https://127.0.0.1:${member.listener.port}`);
  }
  const all = [...members.values()];
  return {
    get kubeconfig() {
      return kubeconfigOf(
        all.map(({ spec, listener, token }) => ({ name: spec.name, port: listener.port, token })),
        certificate.cert,
      );
    },
    fleet: () => all.map(({ world, spec, isUp }) => clusterDocument(world, spec, isUp)),
    cluster: (name) => {
      const member = members.get(name);
      if (member === undefined)
        throw new RangeError(
          `sandbox: no cluster ${name}; there are ${[...members.keys()].join(', ')}`,
        );
      return handleOf(member, options.log);
    },
    save: () => ({
      schemaVersion: 1,
      certificate,
      clusters: all.map(({ spec, world, token, listener }) => ({
        name: spec.name,
        token,
        port: listener.port,
        ...world.store.dump(),
      })),
    }),
    close: async () => {
      for (const member of all) member.stopControllers();
      await Promise.all(all.map((member) => member.listener.close()));
    },
  };
}

async function startMember(
  spec: ClusterSpec,
  index: number,
  time: Time,
  certificate: Certificate,
  saved: SavedCluster | undefined,
): Promise<Member> {
  const world: World = { name: spec.name, index, store: new Store(), kinds: new Registry(), time };
  const stopCrds = serveCrds(world);
  if (saved !== undefined) {
    world.store.load(saved);
    for (const crd of world.store.list({
      group: 'apiextensions.k8s.io',
      resource: 'customresourcedefinitions',
    }))
      world.kinds.serve(crd);
  } else {
    furnish(world, spec);
  }
  const stopControllers = runControllers(world, allControllers());
  const token = saved?.token ?? randomBytes(24).toString('base64url');
  const viewerToken = randomBytes(24).toString('base64url');
  const access = { token, viewerToken, certificate };
  const listener = await listen(world, access, saved?.port);
  const stop = (): void => {
    stopControllers();
    stopCrds();
  };
  return { spec, world, token, viewerToken, listener, stopControllers: stop, isUp: true };
}

function furnish(world: World, spec: ClusterSpec): void {
  const create = (object: JsonObject): JsonObject => {
    const kind = world.kinds.byKind(String(object['apiVersion']), String(object['kind']));
    if (kind === undefined)
      throw new RangeError(`sandbox: ${String(object['kind'])} is not served`);
    const created = createObject(world, kind, object, { manager: 'sandbox' });
    if (object['status'] === undefined) return created;
    return replaceObject(
      world,
      kind,
      created,
      { ...created, status: object['status'] },
      { manager: 'kubelet', subresource: 'status' },
    );
  };
  for (const name of NAMESPACES)
    create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  for (const node of nodesOf(spec)) create(node);
  create({
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: {
      name: 'standard',
      annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' },
    },
    provisioner: 'fleetwright.dev/sandbox',
  });
}

function handleOf(member: Member, log: ((line: string) => void) | undefined): SandboxCluster {
  const { listener, world, spec } = member;
  return {
    name: spec.name,
    server: `https://127.0.0.1:${listener.port}`,
    token: member.token,
    viewerToken: member.viewerToken,
    requests: listener.requests,
    objects: () => [...world.store.all()].map(([, object]) => object as unknown as KubeObject),
    faults: { inject: (fault) => listener.inject(fault) },
    stop: async (options) => {
      member.isUp = false;
      await listener.stop(options);
      log?.(`${spec.name} stopped`);
    },
    start: async () => {
      await listener.start();
      member.isUp = true;
      log?.(`${spec.name} started`);
    },
    compact: () => world.store.compact(),
  };
}
