/**
 * `npm run bench [NAME …]`: runs the measurements of this folder and prints one table a file; without names, all of them.
 * Figures depend on the machine; the first line says which.
 */
import { readdirSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { describeFigure, type Bench } from './bench.js';

const OTHERS: ReadonlySet<string> = new Set(['main.ts', 'bench.ts']);

async function main(names: readonly string[]): Promise<void> {
  const [cpu] = cpus();
  const memory = Math.round(totalmem() / 2 ** 30);
  write(
    `${cpus().length} × ${cpu?.model ?? 'unknown'}, ${memory} GiB, Node ${process.versions.node}`,
  );
  for (const name of benchNames()) {
    if (names.length > 0 && !names.includes(name)) continue;
    const { bench } = (await import(`./${name}.js`)) as { bench: Bench };
    write(`\n${bench.title}`);
    for (const figure of await bench.run()) write(describeFigure(figure));
  }
}

function benchNames(): string[] {
  return readdirSync(__dirname)
    .filter((file) => file.endsWith('.ts') && !OTHERS.has(file))
    .filter((file) => !file.includes('-data'))
    .map((file) => file.slice(0, -'.ts'.length))
    .sort();
}

function write(line: string): void {
  process.stdout.write(`${line}\n`);
}

void main(process.argv.slice(2));
