/**
 * Records the lives in lives.ts from a real API server: `npx tsx test/recorded/record.ts [KIND...]` writes
 * native/<Kind>/<life>.json. Minutes the first time, when the rig has to be built; seconds afterwards.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { KubeObject } from '../../lib/engine/object.js';
import type { ApiServer } from './api-server.js';
import { startApiServer } from './api-server.js';
import type { Act, Life } from './lives.js';
import { LIVES, NAMESPACE } from './lives.js';

interface Recorded {
  readonly step: string;
  readonly object: KubeObject;
}

const SECONDS = 30;

async function main(kinds: readonly string[]): Promise<void> {
  const server = await startApiServer();
  try {
    await server.send('POST', '/api/v1/namespaces', { metadata: { name: NAMESPACE } });
    for (const life of LIVES) {
      if (kinds.length > 0 && !kinds.includes(life.object.kind)) continue;
      const folder = join(__dirname, 'native', life.object.kind);
      mkdirSync(folder, { recursive: true });
      const states = await record(server, life);
      writeFileSync(
        join(folder, `${life.file ?? 'life'}.json`),
        `${JSON.stringify(states, null, 1)}\n`,
      );
      process.stderr.write(`${life.object.kind}: ${states.map(({ step }) => step).join(', ')}\n`);
    }
  } finally {
    await server.close();
  }
}

/** Each step's state: the first that the server shows after the act and that the step is waiting for. */
async function record(server: ApiServer, life: Life): Promise<Recorded[]> {
  const { name = '' } = life.object.metadata;
  const seen: KubeObject[] = [];
  let wake = (): void => undefined;
  const stop = server.watch(
    `${life.path}?watch=1&fieldSelector=metadata.name%3D${name}`,
    (state) => {
      seen.push(state);
      wake();
    },
  );
  const states: Recorded[] = [];
  try {
    await server.send('POST', life.path, life.object);
    for (const { name: step, act, until } of life.steps) {
      if (act !== undefined) {
        // What came before the act cannot be its effect.
        seen.length = 0;
        await perform(server, life, act);
      }
      const deadline = Date.now() + SECONDS * 1000;
      for (;;) {
        const state = seen.shift();
        if (state !== undefined && until(state)) {
          states.push({ step, object: bare(state) });
          break;
        }
        if (state !== undefined) continue;
        if (Date.now() > deadline) throw new Error(`${life.object.kind}: no state for ${step}`);
        await new Promise<void>((resolve) => {
          wake = resolve;
          setTimeout(resolve, 1000).unref();
        });
      }
    }
  } finally {
    stop();
  }
  return states;
}

async function perform(server: ApiServer, life: Life, act: Act): Promise<void> {
  const { name = '' } = life.object.metadata;
  const path =
    act.on === 'object' ? `${life.path}/${name}` : await podPath(server, life.pods ?? name);
  const suffix = act.subresource === undefined ? '' : `/${act.subresource}`;
  await server.send('PATCH', `${path}${suffix}`, act.patch);
}

async function podPath(server: ApiServer, app: string): Promise<string> {
  const pods = `/api/v1/namespaces/${NAMESPACE}/pods`;
  const list = await server.send('GET', `${pods}?labelSelector=app%3D${app}`);
  const running = (list['items'] as KubeObject[]).filter(
    ({ metadata }) => metadata.deletionTimestamp === undefined,
  );
  return `${pods}/${running[0]?.metadata.name ?? ''}`;
}

/** Without what differs from run to run and says nothing. */
function bare(object: KubeObject): KubeObject {
  const {
    managedFields: _m,
    uid: _u,
    resourceVersion: _r,
    creationTimestamp: _c,
    ...metadata
  } = object.metadata as Record<string, unknown>;
  return { ...object, metadata };
}

void main(process.argv.slice(2));
