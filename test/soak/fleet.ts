import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Connections } from './clusters.js';

/** The clusters of `clusters.ts`, from outside. */
export interface SoakFleet {
  readonly kubeconfig: string;
  readonly names: readonly string[];
  connections(): Promise<Readonly<Record<string, Connections>>>;
  /** Away for a moment, and back. */
  bounce(cluster: string): Promise<void>;
  close(): Promise<void>;
}

export async function startFleet(count: number): Promise<SoakFleet> {
  const child = spawn(
    process.execPath,
    ['--import', 'tsx', join(__dirname, 'clusters.ts'), String(count)],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  const gone = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async (): Promise<unknown> => {
    const { value, done } = await lines.next();
    if (done === true) throw new Error('the clusters are gone');
    return JSON.parse(value);
  };
  const { kubeconfig, names } = (await next()) as Pick<SoakFleet, 'kubeconfig' | 'names'>;
  // One question after the other: answers come in their order.
  let turn: Promise<unknown> = Promise.resolve();
  const ask = (line: string): Promise<unknown> => {
    turn = turn.then(() => {
      child.stdin.write(`${line}\n`);
      return next();
    });
    return turn;
  };
  return {
    kubeconfig,
    names,
    connections: () => ask('connections') as ReturnType<SoakFleet['connections']>,
    bounce: async (cluster) => void (await ask(`bounce ${cluster}`)),
    close: async () => {
      child.stdin.end();
      await gone;
    },
  };
}
