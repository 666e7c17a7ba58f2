import { createHash } from 'node:crypto';
import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { asWriteFailed, makeFolder, writeFileAtomic } from '../lib/providers/lock/index.js';
import type { ClusterSpec, Sandbox, SavedSandbox } from '../lib/providers/sandbox/index.js';
import { printDocuments } from '../lib/providers/source/index.js';
import { isSampleFleet } from './templates/sample-fleet.js';

/** What a sandbox writes, relative to its folder. */
export const SANDBOX_FILES = {
  kubeconfig: 'sandbox.kubeconfig',
  fleet: 'fleet.yaml',
  /** Where `fleet.yaml` is somebody else's. */
  ownFleet: 'sandbox.fleet.yaml',
  state: join('.fleetwright', 'sandbox.json'),
  running: join('.fleetwright', 'sandbox.pid'),
} as const;

/** Where the fleet of the sandbox is, and what became of the file that had its name. */
export interface WrittenFleet {
  readonly file: string;
  /** `sample`: that of `fleetwright init` was replaced. `kept`: `fleet.yaml` is not the sandbox's, and was left alone. */
  readonly before: 'nothing' | 'own' | 'sample' | 'kept';
}

/**
 * Take a folder for one sandbox: two in one folder would write the same kubeconfig and keep the same state. What a process left
 * that is gone counts for nothing. Returns how to give the folder back.
 *
 * @throws Error with the process that has it
 */
export function claimFolder(root: string): () => void {
  const file = join(root, SANDBOX_FILES.running);
  const release = (): void => rmSync(file, { force: true });
  for (;;) {
    try {
      makeFolder(dirname(file));
      writeFileSync(file, `${process.pid}\n`, { flag: 'wx' });
      return release;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw asWriteFailed(file, error);
    }
    const pid = Number(readFileSync(file, 'utf8'));
    if (isAlive(pid))
      throw new Error(
        `A sandbox is already running in this folder, pid ${pid}: stop it, or give another folder with --dir. (If ${pid} is something else, remove ${SANDBOX_FILES.running}.)`,
      );
    release();
  }
}

/** This process has not begun yet: its number in a file is that of an earlier one. */
function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0 || pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Somebody else's process is one all the same.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** `sandbox.kubeconfig` and the fleet in a folder. */
export function writeSandboxFiles(root: string, sandbox: Sandbox): WrittenFleet {
  savePrivate(join(root, SANDBOX_FILES.kubeconfig), sandbox.kubeconfig);
  const before = fleetBefore(join(root, SANDBOX_FILES.fleet));
  const file = before === 'kept' ? SANDBOX_FILES.ownFleet : SANDBOX_FILES.fleet;
  writeFileAtomic(join(root, file), sealed(printDocuments(sandbox.fleet())));
  return { file, before };
}

/** A fleet of real clusters, or one that somebody has edited, is worth more than a sandbox. */
function fleetBefore(file: string): WrittenFleet['before'] {
  if (!existsSync(file)) return 'nothing';
  const text = readFileSync(file, 'utf8').replaceAll('\r\n', '\n');
  if (isSampleFleet(text)) return 'sample';
  const body = text.replace(/^.*\n.*\n/, '');
  return text === sealed(body) ? 'own' : 'kept';
}

/** With a heading that holds for this text alone. */
function sealed(body: string): string {
  const seal = createHash('sha256').update(body).digest('hex').slice(0, 16);
  return `# Simulated clusters of \`fleetwright sandbox\`, which replaces this file as long as nobody has edited it.\n# seal: ${seal}\n${body}`;
}

/** A sandbox between two runs: what its clusters are, and what they hold. */
export interface KeptSandbox {
  readonly clusters: readonly ClusterSpec[];
  readonly state: SavedSandbox;
}

/** For the next `fleetwright sandbox` in this folder. */
export function keepSandbox(
  root: string,
  clusters: readonly ClusterSpec[],
  sandbox: Sandbox,
): void {
  const kept: KeptSandbox = { clusters, state: sandbox.save() };
  savePrivate(join(root, SANDBOX_FILES.state), `${JSON.stringify(kept)}\n`);
}

/** What an earlier sandbox in this folder left, if it can still be read. */
export function readKept(root: string): KeptSandbox | undefined {
  const file = join(root, SANDBOX_FILES.state);
  if (!existsSync(file)) return undefined;
  const kept = JSON.parse(readFileSync(file, 'utf8')) as Partial<KeptSandbox>;
  const { clusters, state } = kept;
  return clusters !== undefined && state?.schemaVersion === 1 ? { clusters, state } : undefined;
}

/** For files with tokens. */
function savePrivate(file: string, text: string): void {
  writeFileAtomic(file, '');
  chmodSync(file, 0o600);
  writeFileAtomic(file, text);
}
