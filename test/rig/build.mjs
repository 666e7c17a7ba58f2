#!/usr/bin/env node
/**
 * Builds the real parts of the test rig into a cache folder and prints that folder.
 *
 *   node test/rig/build.mjs [rig] [pulumi]     (default: both)
 *
 * `rig`     etcd, kube-apiservers and the workload controllers in one program (cluster/)
 * `pulumi`  the Pulumi CLI (pulumi-cli/) with a small nodejs language host beside it (pulumi-host/)
 *
 * Needs Go 1.26 or later and a few GB for Go's own cache: minutes when cold, seconds when warm. The folder is named by a hash of the
 * sources, so a change builds anew and an old checkout still finds its own. Two builds at once: the second waits for the first.
 */
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const KUBERNETES = '1.36.3';
const PULUMI = '3.274.1';
const minimumGo = [1, 26];

const version = 'k8s.io/component-base/version';
const [major, minor] = KUBERNETES.split('.');

/** What is built: a Go package of one module, and files that belong beside the program. */
const PARTS = {
  rig: {
    module: 'cluster',
    package: './cmd/rig',
    flags: ['-trimpath'],
    ldflags: `-s -w -X ${version}.gitVersion=v${KUBERNETES} -X ${version}.gitMajor=${major} -X ${version}.gitMinor=${minor} -X ${version}.gitCommit=rig -X ${version}.gitTreeState=clean`,
    beside: [],
  },
  pulumi: {
    module: 'pulumi-cli',
    package: 'github.com/pulumi/pulumi/pkg/v3/cmd/pulumi',
    flags: [],
    ldflags: `-s -w -X github.com/pulumi/pulumi/sdk/v3/go/common/version.Version=v${PULUMI}`,
    beside: [
      'pulumi-host/language-host.cjs',
      'pulumi-host/pulumi-language-nodejs',
      '../../node_modules/@pulumi/pulumi/pulumi-resource-pulumi-nodejs',
    ],
  },
};

export const parts = Object.keys(PARTS);

/** Where the parts of this checkout are, built or not. */
export function cacheFolder() {
  const root = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
  return join(root, 'fleetwright-rig', sourceHash());
}

/** `ready`, `buildable`, or why neither: one line for the message of a skipped test. */
export function stateOf(part) {
  if (existsSync(join(cacheFolder(), part))) return { state: 'ready' };
  const go = goVersion();
  if (go === undefined)
    return { state: 'missing', reason: 'Go is not installed (https://go.dev/dl, 1.26 or later)' };
  const tooOld = go[0] < minimumGo[0] || (go[0] === minimumGo[0] && go[1] < minimumGo[1]);
  if (tooOld)
    return { state: 'missing', reason: `Go ${go.join('.')} is too old: 1.26 or later is needed` };
  return { state: 'buildable' };
}

/** Builds what is missing of `wanted` and returns the folder. Progress goes to standard error. */
export async function build(wanted = parts) {
  const folder = cacheFolder();
  if (wanted.every((part) => existsSync(join(folder, part)))) return folder;
  mkdirSync(folder, { recursive: true });
  const release = await lock(`${folder}.lock`);
  try {
    for (const part of wanted) {
      if (existsSync(join(folder, part))) continue; // the build we waited for made it
      const { state, reason } = stateOf(part);
      if (state === 'missing') throw new Error(`test rig: cannot build ${part}: ${reason}`);
      await buildPart(part, folder);
    }
    forgetOldFolders(folder);
  } finally {
    release();
  }
  return folder;
}

async function buildPart(part, folder) {
  const { module, package: target, flags, ldflags, beside } = PARTS[part];
  const temporary = join(folder, `.${part}.${process.pid}`);
  const cwd = join(here, module);
  // The files beside come first: the program is what says that the part is complete.
  for (const file of beside) {
    const name = file.slice(file.lastIndexOf('/') + 1);
    const half = join(folder, `.${name}.${process.pid}`);
    copyFileSync(join(here, file), half);
    chmodSync(half, 0o755);
    renameSync(half, join(folder, name));
  }
  const progress = startProgress(part);
  try {
    progress.total(await goPackages(cwd, target, progress.line));
    await go(
      ['build', '-v', '-mod=mod', ...flags, '-ldflags', ldflags, '-o', temporary, target],
      cwd,
      progress.line,
    );
    renameSync(temporary, join(folder, part));
    progress.end('built');
  } catch (error) {
    rmSync(temporary, { force: true });
    progress.end('failed');
    throw error;
  }
}

/** How many packages the program has; also downloads the modules, which is the first half of a cold build. */
async function goPackages(cwd, target, onLine) {
  const out = await go(['list', '-mod=mod', '-deps', target], cwd, onLine);
  return out.split('\n').filter(Boolean).length;
}

function go(args, cwd, onLine) {
  return new Promise((resolve, reject) => {
    const child = spawn('go', args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
    let out = '';
    let rest = '';
    const tail = [];
    child.stdout.on('data', (chunk) => (out += chunk));
    child.stderr.on('data', (chunk) => {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop();
      for (const line of lines) {
        tail.push(line);
        if (tail.length > 40) tail.shift();
        onLine(line);
      }
    });
    child.on('error', reject);
    child.on('close', (code) =>
      code === 0
        ? resolve(out)
        : reject(
            new Error(`test rig: go ${args[0]} failed (${code}):\n${tail.join('\n')}\n${rest}`),
          ),
    );
  });
}

/** One line that is rewritten on a terminal; elsewhere a plain line every 15 s. */
function startProgress(part) {
  const started = Date.now();
  const terminal = process.stderr.isTTY === true;
  let compiled = 0;
  let downloaded = 0;
  let packages = 0;
  const text = () => {
    const seconds = Math.round((Date.now() - started) / 1000);
    const doing =
      packages === 0
        ? `fetching modules${downloaded > 0 ? ` (${downloaded})` : ''}`
        : `compiling${compiled > 0 ? ` ${compiled} of at most ${packages} packages` : ''}`;
    return `test rig: ${part}: ${doing}, ${seconds} s`;
  };
  const show = () => process.stderr.write(terminal ? `\r\x1b[K${text()}` : `${text()}\n`);
  process.stderr.write(`test rig: building ${part} (minutes the first time, cached afterwards)\n`);
  const timer = setInterval(show, terminal ? 500 : 15_000);
  return {
    total: (n) => (packages = n),
    line: (line) => (line.startsWith('go: ') ? downloaded++ : compiled++),
    end: (how) => {
      clearInterval(timer);
      const seconds = ((Date.now() - started) / 1000).toFixed(1);
      process.stderr.write(
        `${terminal ? '\r\x1b[K' : ''}test rig: ${part} ${how} in ${seconds} s\n`,
      );
    },
  };
}

/** A folder as lock: creating one is atomic everywhere. A lock whose owner is gone is taken over. */
async function lock(path) {
  for (let waited = 0; ; waited++) {
    try {
      mkdirSync(path);
      writeFileSync(join(path, 'pid'), String(process.pid));
      return () => rmSync(path, { recursive: true, force: true });
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    const owner = lockOwner(path);
    if (owner === 'gone') {
      rmSync(path, { recursive: true, force: true });
      continue;
    }
    if (waited % 15 === 0)
      process.stderr.write(`test rig: waiting for another build (process ${owner}), ${waited} s\n`);
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
}

function lockOwner(path) {
  try {
    const pid = Number(readFileSync(join(path, 'pid'), 'utf8'));
    if (pid > 0) process.kill(pid, 0);
    return pid;
  } catch (error) {
    if (error.code === 'EPERM') return 'of another user';
    if (error.code === 'ESRCH') return 'gone';
    // No pid yet: the owner is between its two calls, unless the folder is old.
    const age = existsSync(path) ? Date.now() - statSync(path).mtimeMs : 0;
    return age > 10_000 ? 'gone' : 'unknown';
  }
}

/** Folders of other checkouts that nobody built or used for two weeks go: each holds 230 MB. */
function forgetOldFolders(current) {
  const root = dirname(current);
  const limit = Date.now() - 14 * 24 * 3600 * 1000;
  for (const name of readdirSync(root)) {
    const folder = join(root, name);
    if (!/^[0-9a-f]{16}$/.test(name) || folder === current) continue;
    if (statSync(folder).mtimeMs < limit) rmSync(folder, { recursive: true, force: true });
  }
}

let hash;
function sourceHash() {
  if (hash !== undefined) return hash;
  const digest = createHash('sha256').update(JSON.stringify(PARTS));
  const files = ['cluster', 'pulumi-cli', 'pulumi-host'].flatMap((dir) =>
    filesBelow(join(here, dir)),
  );
  for (const file of files)
    digest
      .update(`${file}\0`)
      .update(readFileSync(join(here, file)))
      .update('\0');
  hash = digest.digest('hex').slice(0, 16);
  return hash;
}

function filesBelow(dir) {
  return readdirSync(dir, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(here, join(entry.parentPath ?? entry.path, entry.name)))
    .sort();
}

function goVersion() {
  try {
    const match = /go(\d+)\.(\d+)/.exec(
      execFileSync('go', ['env', 'GOVERSION'], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      }),
    );
    return match ? [Number(match[1]), Number(match[2])] : undefined;
  } catch {
    return undefined; // not in PATH
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const wanted = process.argv.slice(2);
  const unknown = wanted.filter((part) => !parts.includes(part));
  if (unknown.length > 0) {
    console.error(`test rig: unknown part ${unknown.join(', ')}; parts are ${parts.join(', ')}`);
    process.exit(2);
  }
  build(wanted.length > 0 ? wanted : parts).then(
    (folder) => console.log(folder),
    (error) => {
      console.error(error.message);
      process.exit(1);
    },
  );
}
