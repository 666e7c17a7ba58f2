/**
 * The one process of a test run that owns the rig. It listens on a socket from the start, which costs nothing, and builds and starts
 * the real parts when the first test asks: a run of unit tests alone pays for none of it. All tests that ask get the same answer.
 *
 * A request is one word (`rig` or `pulumi`), the answer one JSON line: `{ ok: true, value }` or `{ ok: false, error }`.
 * Plain JavaScript, as build.mjs is: jest loads its global set-up without the mapping that lets TypeScript files import each other.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { build } from './build.mjs';

/** `clusters`: how many API servers, each with controllers of its own. */
export async function startBroker(clusters = 5) {
  const folder = mkdtempSync(join(tmpdir(), 'fleetwright-rig-'));
  const address = join(folder, 'socket');
  const answers = new Map();
  let rig;
  const start = async (request) => {
    const bin = await build([request]);
    if (request === 'pulumi') return { bin };
    rig = spawn(join(bin, 'rig'), ['-clusters', String(clusters), '-dir', join(folder, 'data')], {
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    return firstLine(rig);
  };
  const once = (request) => {
    if (!answers.has(request)) answers.set(request, start(request));
    return answers.get(request);
  };
  const server = createServer((socket) => serve(socket, once));
  await new Promise((resolve, reject) => server.once('error', reject).listen(address, resolve));
  server.unref();
  return { address, start: once, close: () => close(server, rig, folder) };
}

function serve(socket, once) {
  socket.on('error', () => socket.destroy()); // the test file was stopped: nobody waits for the answer
  socket.once('data', (data) => {
    const send = (reply) => void socket.end(`${JSON.stringify(reply)}\n`);
    once(data.toString().trim()).then(
      (value) => send({ ok: true, value }),
      (error) => send({ ok: false, error: error.message }),
    );
  });
}

/** The JSON line that the rig prints when all of it is up. */
function firstLine(child) {
  return new Promise((resolve, reject) => {
    let out = '';
    let errors = '';
    child.stderr.on('data', (chunk) => (errors = (errors + chunk).slice(-4000)));
    child.stdout.on('data', (chunk) => {
      out += chunk;
      const end = out.indexOf('\n');
      if (end >= 0) resolve(JSON.parse(out.slice(0, end)));
    });
    child.once('error', reject);
    child.once('close', (code) => reject(new Error(`the rig stopped (${code}): ${errors}`)));
  });
}

async function close(server, rig, folder) {
  server.close();
  if (rig !== undefined && rig.exitCode === null && rig.signalCode === null) {
    const gone = new Promise((resolve) => rig.once('close', resolve));
    rig.stdin.end(); // it serves until its standard input closes
    const force = setTimeout(() => rig.kill('SIGKILL'), 10_000);
    await gone;
    clearTimeout(force);
  }
  rmSync(folder, { recursive: true, force: true });
}
