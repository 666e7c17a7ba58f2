#!/usr/bin/env node
/**
 * The two commands of a fresh clone, `npm run demo` and `npm test`, and `npm run fleetwright` for the command line itself.
 *
 * Plain Node without dependencies, since nothing is installed yet: installs what package-lock.json names, picks the Node that
 * the project pins, builds what is stale, then runs. Each step says what it does, and does nothing when there is nothing to do.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const MINIMUM_NODE = [22, 12];
const TASKS = { demo, test, cli };

const [task, ...args] = process.argv.slice(2);
if (!Object.hasOwn(TASKS, task ?? ''))
  stop(`usage: node scripts/run.mjs ${Object.keys(TASKS).join('|')} [argument…]`);
await install();
process.exitCode = await TASKS[task](findNode(), args);

/** The tour on simulated clusters. */
async function demo(node, rest) {
  await build(node);
  return run(node, ['--import', 'tsx', join('examples', 'demo', 'main.ts'), ...rest]);
}

/** The command line, from this clone. Runs where npm was called, so that paths mean what they say. */
async function cli(node, rest) {
  await build(node);
  return run(node, [join(ROOT, 'dist', 'bin', 'fleetwright.js'), ...rest], {
    cwd: process.env.INIT_CWD ?? process.cwd(),
  });
}

/** All tests; arguments go to jest. */
async function test(node, rest) {
  await build(node);
  if ((await buildRig(node)) !== 0) return 1;
  mkdirSync(join(ROOT, '.tmp'), { recursive: true });
  const summary = rest.some((a) => a.startsWith('--json'))
    ? []
    : ['--json', '--outputFile=.tmp/jest.json'];
  const jest = join('node_modules', 'jest', 'bin', 'jest.js');
  return run(node, ['--experimental-vm-modules', '--no-warnings', jest, ...summary, ...rest], {
    quietStdout: summary.length > 0,
  });
}

/** Real API servers for the end-to-end tests; without Go they are skipped and say so (with CI=true they fail). */
async function buildRig(node) {
  const script = join('test', 'rig', 'build.mjs');
  if (!existsSync(join(ROOT, script))) return 0;
  if (spawnSync('go', ['version'], { stdio: 'ignore' }).status !== 0) {
    say('Go is not installed: tests on real API servers are skipped.');
    return 0;
  }
  return run(node, [script]);
}

/** `npm ci`, when what is installed differs from package-lock.json. */
async function install() {
  const difference = installDifference();
  if (difference === undefined) return;
  say(`Installing packages (${difference}); a minute or two the first time …`);
  const npm = process.env.npm_execpath;
  const [command, first] = npm?.endsWith('.js') ? [process.execPath, [npm]] : ['npm', []];
  const code = await run(command, [...first, 'ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    shell: process.platform === 'win32' && command === 'npm',
  });
  if (code !== 0)
    stop(
      'npm ci failed. Check the network or the registry settings (`npm config get registry`), then run this again.',
    );
}

function installDifference() {
  const installed = readJson(join(ROOT, 'node_modules', '.package-lock.json'))?.packages;
  if (installed === undefined) return 'none yet';
  const wanted = readJson(join(ROOT, 'package-lock.json')).packages;
  for (const [path, entry] of Object.entries(wanted)) {
    // Optional packages depend on the platform; links are folders of ours.
    if (path === '' || entry.optional || entry.devOptional || entry.link || entry.inBundle)
      continue;
    if (installed[path]?.version !== entry.version) return 'package-lock.json changed';
  }
  return undefined;
}

/** The Node that package.json pins, else this one if it is new enough. */
function findNode() {
  const pinned = join(
    ROOT,
    'node_modules',
    'node',
    'bin',
    process.platform === 'win32' ? 'node.exe' : 'node',
  );
  if (existsSync(pinned) && spawnSync(pinned, ['--version'], { stdio: 'ignore' }).status === 0)
    return pinned;
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > MINIMUM_NODE[0] || (major === MINIMUM_NODE[0] && minor >= MINIMUM_NODE[1]))
    return process.execPath;
  return stop(
    `Node ${MINIMUM_NODE.join('.')} or newer is needed, this is ${process.versions.node}, and the package "node" is not installed.`,
  );
}

/** `tsc`, when a source is newer than the last build. */
async function build(node) {
  const stamp = join(ROOT, 'dist', '.built');
  const sources = ['bin', 'lib', 'package.json', 'tsconfig.json', 'tsconfig.build.json'].map(
    (path) => join(ROOT, path),
  );
  const builtAt = existsSync(stamp) ? statSync(stamp).mtimeMs : 0;
  const newest = Math.max(...sources.map(newestChange));
  if (newest <= builtAt) return;
  say('Building …');
  const code = await run(node, [
    join('node_modules', 'typescript', 'bin', 'tsc'),
    '-p',
    'tsconfig.build.json',
  ]);
  if (code !== 0) stop('The build failed; see the messages above.');
  // The time of the sources, not of the build: what changed while it ran is built again.
  writeFileSync(stamp, `${new Date(newest).toISOString()}\n`);
}

function newestChange(path) {
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.mtimeMs;
  return Math.max(stat.mtimeMs, ...readdirSync(path).map((name) => newestChange(join(path, name))));
}

/** Runs to the end and gives the exit code; Ctrl-C reaches the child, which decides. */
function run(command, rest, { cwd = ROOT, shell = false, quietStdout = false } = {}) {
  const path = [dirname(command), join(ROOT, 'node_modules', '.bin'), process.env.PATH].join(
    delimiter,
  );
  const env = { ...process.env, PATH: path };
  const child = spawn(command, rest, {
    cwd,
    env,
    shell,
    stdio: ['inherit', quietStdout ? 'ignore' : 'inherit', 'inherit'],
  });
  const wait = () => {};
  process.on('SIGINT', wait);
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  return new Promise((resolve) => {
    child.on('error', (error) => stop(`${command} cannot be started: ${error.message}`));
    child.on('close', (code, signal) => {
      process.off('SIGINT', wait);
      resolve(signal === null ? code : 1);
    });
  });
}

function readJson(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}

function say(text) {
  process.stderr.write(`${text}\n`);
}

function stop(text) {
  say(text);
  process.exit(1);
}
