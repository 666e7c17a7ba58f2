/**
 * `npm run bench [NAME …] [-- --write]`: runs the measurements of this folder and prints one table a file; without names, all
 * of them. Figures depend on the machine; the first line says which. `--write` puts them into docs/performance.md.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';
import { resolve } from 'node:path';
import { describeFigure, toRow, type Bench } from './bench.js';

const OTHERS: ReadonlySet<string> = new Set(['main.ts', 'bench.ts']);
const REPORT = resolve(__dirname, '../../docs/performance.md');
/** What follows it in the report is written by this program. */
const MARKER = '<!-- Written by `npm run bench -- --write`; do not edit below. -->';

async function main(args: readonly string[]): Promise<void> {
  const names = args.filter((arg) => !arg.startsWith('--'));
  const machine = describeMachine();
  write(machine);
  const sections: string[] = [];
  for (const name of benchNames()) {
    if (names.length > 0 && !names.includes(name)) continue;
    const { bench } = (await import(`./${name}.js`)) as { bench: Bench };
    write(`\n${bench.title}`);
    const rows: string[] = [];
    for (const figure of await bench.run()) {
      write(describeFigure(figure));
      rows.push(toRow(figure));
    }
    sections.push(
      `## ${bench.title}\n\n| work | measured | target |\n| --- | ---: | ---: |\n${rows.join('')}`,
    );
  }
  if (args.includes('--write')) writeReport([machine, ...sections]);
}

/** Other processes slow each other down even in processor time: caches and memory are shared. */
function describeMachine(): string {
  const [cpu] = cpus();
  const memory = Math.round(totalmem() / 2 ** 30);
  const [load = 0] = loadavg();
  const date = new Date().toISOString().slice(0, 10);
  return `${cpus().length} × ${cpu?.model ?? 'unknown'}, ${memory} GiB, Node ${process.versions.node}, ${date}, load average at the start ${load.toFixed(1)}`;
}

function writeReport(sections: readonly string[]): void {
  const [head = ''] = readFileSync(REPORT, 'utf8').split(MARKER);
  writeFileSync(REPORT, `${head}${MARKER}\n\n${sections.join('\n\n').trimEnd()}\n`);
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
