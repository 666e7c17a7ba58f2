import type { KubeObject } from '../../api/object.js';
import { equalData } from '../../engine/canonical.js';
import type { Interpreter } from '../../engine/interpret/index.js';
import { refKey } from '../../engine/object.js';
import type { Manifest } from '../../engine/plan.js';
import { MARKS } from '../../engine/plan.js';
import { gateReadiness, isOnlyScaled, supersededBy } from '../../engine/rollout/index.js';
import type { ObjectResult, ReleaseProgress } from './result.js';

interface Entry {
  readonly manifest: Manifest;
  readonly action: ObjectResult['action'];
  readonly live?: KubeObject;
  /** As this run found or stored it at its revision. */
  readonly stored?: KubeObject;
  readonly ready: boolean;
  /** As it was when it was last ready. */
  readonly readyAs?: KubeObject;
  readonly failed?: string;
  /** With `failed`: the revision that another rollout wrote over ours. */
  readonly supersededBy?: string;
  readonly waitingFor: string;
  /** What its pods were found to suffer from, until it is ready. */
  readonly trouble?: Trouble;
}

/** Why the pods of an object are not ready. */
export interface Trouble {
  readonly pods: readonly string[];
  /** The last lines of one that crashes. */
  readonly log?: readonly string[];
}

/** All objects of one release and how far each is; fed by answers and watch events, asked by whoever waits. */
export class Board {
  private readonly entries = new Map<string, Entry>();
  private readonly report: (progress: ReleaseProgress) => void;
  private readonly listeners = new Set<() => void>();
  /** Keys of entries that are not ready, and of those that never will be: asked at every event. */
  private readonly unready = new Set<string>();
  private readonly doomed = new Set<string>();

  private readonly interpreters: readonly Interpreter[];

  constructor(
    manifests: readonly Manifest[],
    report: (progress: ReleaseProgress) => void,
    interpreters: readonly Interpreter[] = [],
  ) {
    this.report = report;
    this.interpreters = interpreters;
    for (const manifest of manifests) {
      const entry = { manifest, action: 'pending', ready: false, waitingFor: 'its turn' } as const;
      this.entries.set(refKey(manifest.resource), entry);
      this.unready.add(refKey(manifest.resource));
    }
  }

  /** The cluster has it now; `left` objects are somebody else's and need only be there. */
  wrote(key: string, action: ObjectResult['action'], live: KubeObject): void {
    const entry = this.entries.get(key);
    if (entry === undefined) return;
    this.report({ kind: 'written', resource: entry.manifest.resource, action });
    this.put(key, { ...entry, action, ...(action !== 'left' && { stored: live }) }, live);
  }

  /** A newer state of an object; `undefined`: it is gone. Objects that are not of the release are ignored. */
  saw(key: string, live: KubeObject | undefined): void {
    const entry = this.entries.get(key);
    // Before the object is written its state says nothing about this release.
    if (entry === undefined || entry.action === 'pending') return;
    this.put(key, entry, live);
  }

  /** More about why an object waits; it stands until the object is ready, or something else is found. */
  explain(key: string, trouble: Trouble): void {
    const entry = this.entries.get(key);
    if (entry === undefined || entry.ready) return;
    if (equalData(trouble, entry.trouble ?? { pods: [] })) return;
    this.put(key, { ...entry, trouble }, entry.live);
  }

  get isReady(): boolean {
    return this.unready.size === 0;
  }

  /** Whether some object will not become ready without a change. */
  get isHopeless(): boolean {
    return this.doomed.size > 0;
  }

  /** The objects that will not become ready without a change, in no particular order. */
  get hopeless(): readonly ObjectResult[] {
    return [...this.doomed].flatMap((key) => {
      const entry = this.entries.get(key);
      return entry === undefined ? [] : [toResult(entry)];
    });
  }

  /** In the order of the manifests. */
  get results(): readonly ObjectResult[] {
    return [...this.entries.values()].map(toResult);
  }

  /** Live objects that are not ready, to be looked at more closely. */
  get waiting(): readonly KubeObject[] {
    return [...this.unready].flatMap((key) => this.entries.get(key)?.live ?? []);
  }

  /** Called after every change; the result unsubscribes. */
  onChange(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  /** Wake up who waits, although no object changed. */
  touch(): void {
    for (const listener of [...this.listeners]) listener();
  }

  private put(key: string, entry: Entry, live: KubeObject | undefined): void {
    const found = supersession(entry, live) ?? stateOf(entry, live, this.interpreters);
    const state = isBeingScaled(entry, found, live) ? { ready: true, waitingFor: '' } : found;
    const { failed: _before, supersededBy: _by, live: _old, trouble, ...rest } = entry;
    const isTroubled = !state.ready && trouble !== undefined;
    this.set(key, {
      ...rest,
      ...state,
      ...(live !== undefined && { live }),
      ...(found.ready && live !== undefined && { readyAs: live }),
      ...(isTroubled && { trouble, waitingFor: [state.waitingFor, ...trouble.pods].join('; ') }),
    });
  }

  private set(key: string, entry: Entry): void {
    const before = this.entries.get(key);
    this.entries.set(key, entry);
    if (entry.ready) this.unready.delete(key);
    else this.unready.add(key);
    if (entry.failed === undefined) this.doomed.delete(key);
    else this.doomed.add(key);
    const { resource } = entry.manifest;
    if (entry.ready && before?.ready !== true) this.report({ kind: 'ready', resource });
    const isNews = before?.waitingFor !== entry.waitingFor || before.trouble !== entry.trouble;
    if (!entry.ready && isNews) this.report(waitingOf(entry));
    this.touch();
  }
}

/** Somebody else rolls out different content: waiting for ours to come back would last until the deadline. */
function supersession(
  { manifest, stored }: Entry,
  live: KubeObject | undefined,
): Pick<Entry, 'ready' | 'failed' | 'supersededBy' | 'waitingFor'> | undefined {
  if (live === undefined || stored === undefined) return undefined;
  const found = supersededBy(manifest.revision, stored, live);
  if (found === undefined) return undefined;
  const { message, revision } = found;
  const failed = `${message}: another rollout of it is under way. Agree on what shall run, then run again from there`;
  return { ready: false, failed, supersededBy: revision, waitingFor: failed };
}

/** An autoscaler at work: the release stays as ready as it was, and so does the soak that watches it. */
function isBeingScaled(
  { manifest, readyAs }: Entry,
  found: Pick<Entry, 'ready' | 'failed'>,
  live: KubeObject | undefined,
): boolean {
  if (found.ready || found.failed !== undefined) return false;
  if (readyAs === undefined || live === undefined) return false;
  if (live.metadata.annotations?.[MARKS.revision] !== manifest.revision) return false;
  return isOnlyScaled(readyAs, live);
}

/** Readiness of an object *at the planned revision*: anything older is not ready, however healthy. */
function stateOf(
  { manifest, action }: Entry,
  live: KubeObject | undefined,
  interpreters: readonly Interpreter[],
): Pick<Entry, 'ready' | 'failed' | 'waitingFor'> {
  if (live === undefined) return { ready: false, waitingFor: 'it to exist (it is gone)' };
  const revision = live.metadata.annotations?.[MARKS.revision];
  if (action !== 'left' && revision !== manifest.revision) {
    return {
      ready: false,
      waitingFor: `revision ${manifest.revision} (it has ${revision ?? 'none'})`,
    };
  }
  const {
    failed,
    mayRecover = false,
    ...state
  } = gateReadiness(manifest.object, live, interpreters);
  const isFinal = failed !== undefined && !(mayRecover && action === 'unchanged');
  return { ...state, ...(isFinal && { failed }) };
}

function waitingOf({ manifest, waitingFor, trouble }: Entry): ReleaseProgress {
  const { pods = [], log } = trouble ?? {};
  return {
    kind: 'waiting',
    resource: manifest.resource,
    waitingFor,
    ...(pods.length > 0 && { pods }),
    ...(log !== undefined && { log }),
  };
}

function toResult(entry: Entry): ObjectResult {
  const { manifest, action, live, ready, waitingFor, supersededBy: by } = entry;
  const observed = (live?.['status'] as { observedGeneration?: unknown } | undefined)
    ?.observedGeneration;
  const { uid, generation } = live?.metadata ?? {};
  return {
    resource: manifest.resource,
    revision: manifest.revision,
    action,
    ready,
    waitingFor,
    ...(by !== undefined && { supersededBy: by }),
    ...(uid !== undefined && { uid }),
    ...(generation !== undefined && { generation }),
    ...(typeof observed === 'number' && { observedGeneration: observed }),
  };
}
