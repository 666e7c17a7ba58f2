/**
 * The provider process's entry: what the constant in every resource loads. Pulumi starts this process with the engine's
 * address as its argument, and calls these functions for every resource of ours.
 *
 * @module
 */
import { homedir } from 'node:os';
import { rememberGate } from './earlier-waves.js';
import { linkToEngine } from './engine-link.js';
import type { GateOutputs } from './gate-lifecycle.js';
import { diffGate, passGate } from './gate-lifecycle.js';
import { checkLock, diffLock } from './lock-lifecycle.js';
import type { CheckFailure } from './release-lifecycle.js';
import {
  applyReleaseResource,
  checkRelease,
  deleteRelease,
  diffRelease,
  keptInputs,
  readRelease,
} from './release-lifecycle.js';
import type { Session } from './session.js';
import { openSession } from './session.js';
import type { SettleOutputs } from './settle-lifecycle.js';
import { diffSettle, settle } from './settle-lifecycle.js';
import { askAll } from './silent-clusters.js';
import type { Inputs, LockInputs, ReleaseInputs, ReleaseOutputs } from './wire.js';
import { isUnknown } from './wire.js';

let opened: Session | undefined;

/** One per process; the only place under lib that looks at the process it runs in (style guide, rule 2.3). */
function session(): Session {
  if (opened !== undefined) return opened;
  // eslint-disable-next-line no-restricted-properties -- Pulumi gives the engine's address and the environment this way
  const { argv, env } = process;
  const link = linkToEngine({ engine: argv[2], parent: () => process.ppid });
  // Nobody will call this process any more: work stops at the signal, then the process ends.
  link.signal.addEventListener('abort', () => setTimeout(() => process.exit(1), GRACE_MS));
  opened = openSession(link, { home: homedir(), variables: env });
  return opened;
}

/** For requests that are under way when the engine is gone. */
const GRACE_MS = 3000;

/** For tests: work with this session from now on. @internal */
export function useSession(replacement: Session): void {
  opened = replacement;
}

type Kinded = { readonly kind?: string };

export async function check(
  olds: Kinded,
  news: Inputs,
): Promise<{ inputs: Inputs; failures: CheckFailure[] }> {
  switch (news.kind) {
    case 'lock': {
      const { __clusters: toAsk, ...kept } = news;
      if (toAsk !== undefined) askAll(session(), toAsk);
      return { inputs: kept, failures: [...checkLock(olds as Partial<LockInputs>, news)] };
    }
    case 'release':
      if (news.held)
        return { inputs: keptInputs(olds as Partial<ReleaseInputs>, news), failures: [] };
      return { inputs: news, failures: [...(await checkRelease(session(), news))] };
    case 'gate':
      rememberGate(session(), news);
      return { inputs: news, failures: [] };
    default:
      return { inputs: news, failures: [] };
  }
}

export interface DiffResult {
  readonly changes: boolean;
  readonly replaces: string[];
  readonly deleteBeforeReplace: boolean;
}

/** From data alone: opens no connection. */
export async function diff(_id: string, olds: Kinded, news: Inputs): Promise<DiffResult> {
  const answer = (changes: boolean, replaces: string[] = []): DiffResult => ({
    changes,
    replaces,
    deleteBeforeReplace: replaces.length > 0,
  });
  switch (news.kind) {
    case 'lock':
      return answer(diffLock(olds as Partial<LockInputs>, news).changes);
    case 'release': {
      const { changes, replaces } = diffRelease(olds as ReleaseOutputs, news);
      return answer(changes, replaces);
    }
    case 'gate':
      return answer(isUnknown(news.hash) || diffGate(olds as GateOutputs, news).changes);
    case 'settle':
      return answer(isUnknown(news.hash) || diffSettle(olds as SettleOutputs, news).changes);
  }
}

export async function create(news: Inputs): Promise<{ id: string; outs: object }> {
  return { id: idOf(news), outs: await bringAbout(news, undefined) };
}

export async function update(_id: string, olds: object, news: Inputs): Promise<{ outs: object }> {
  return { outs: await bringAbout(news, olds) };
}

export async function read(id: string, props: Kinded): Promise<{ id?: string; props?: object }> {
  if (props.kind !== 'release') return { id, props };
  const found = await readRelease(session(), props as ReleaseOutputs);
  return found === undefined ? {} : { id, props: found };
}

/** Gates, guards and settle own nothing on any cluster. */
async function remove(_id: string, props: Kinded): Promise<void> {
  if (props.kind === 'release') await deleteRelease(session(), props as ReleaseOutputs);
}
export { remove as delete };

async function bringAbout(news: Inputs, olds: object | undefined): Promise<object> {
  switch (news.kind) {
    case 'lock':
      return news;
    case 'release':
      return applyReleaseResource(session(), news, olds as ReleaseOutputs | undefined);
    case 'gate':
      return passGate(session(), news, olds as GateOutputs | undefined);
    case 'settle':
      return settle(session(), news, olds as SettleOutputs | undefined);
  }
}

function idOf(news: Inputs): string {
  const owner =
    news.environment === '' ? news.application : `${news.application}-${news.environment}`;
  switch (news.kind) {
    case 'release':
      return `${owner}/${news.cluster}`;
    case 'gate':
      return `${owner}/gate/${news.wave}`;
    default:
      return `${owner}/${news.kind}`;
  }
}
