/**
 * The clusters of a soak run, in a process of their own, so that the memory measured is the client's alone.
 *
 * Prints its kubeconfig as one JSON line, then answers each line of standard input with one JSON line: `connections` says how many
 * there were at once and in all, by cluster; `bounce NAME` takes a cluster down for a moment. Ends with standard input.
 */
import { subscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { startSandbox } from '../../lib/providers/sandbox/index.js';

export interface Connections {
  /** The most at the same time. */
  readonly peak: number;
  readonly opened: number;
}

const MOMENT_MS = 200;

async function main(count: number): Promise<void> {
  const open = new Map<number, { now: number; peak: number; opened: number }>();
  subscribe('net.server.socket', (message) => {
    const { socket } = message as { readonly socket: Socket };
    const port = socket.localPort ?? 0;
    const known = open.get(port) ?? { now: 0, peak: 0, opened: 0 };
    open.set(port, known);
    known.now += 1;
    known.opened += 1;
    known.peak = Math.max(known.peak, known.now);
    socket.once('close', () => (known.now -= 1));
  });
  const names = Array.from({ length: count }, (_, index) => `c${index + 1}`);
  const sandbox = await startSandbox({ clusters: names.map((name) => ({ name, nodes: 1 })) });
  const say = (value: unknown): void => void process.stdout.write(`${JSON.stringify(value)}\n`);
  say({ kubeconfig: sandbox.kubeconfig, names });
  for await (const line of createInterface({ input: process.stdin })) {
    const [word, name = ''] = line.split(' ');
    if (word === 'bounce') {
      await sandbox.cluster(name).stop();
      await new Promise((resolve) => setTimeout(resolve, MOMENT_MS));
      await sandbox.cluster(name).start();
      say({ bounced: name });
    } else {
      // An hour of logs would fill this process.
      for (const one of names) (sandbox.cluster(one).requests as unknown[]).length = 0;
      const portOf = (one: string): number => Number(new URL(sandbox.cluster(one).server).port);
      say(
        Object.fromEntries(
          names.map((one) => {
            const { peak = 0, opened = 0 } = open.get(portOf(one)) ?? {};
            return [one, { peak, opened } satisfies Connections];
          }),
        ),
      );
    }
  }
  await sandbox.close();
}

void main(Number(process.argv[2] ?? 100));
