import { createReadStream, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createGunzip } from 'node:zlib';
import type { Area, Check, Companions, Row } from './area.js';

const SUFFIX = '.jsonl.gz';
const MISMATCHES_SHOWN = 5;

export interface FileResult {
  readonly area: string;
  /** Without `.jsonl.gz`. */
  readonly file: string;
  readonly passed: number;
  readonly failed: number;
  readonly milliseconds: number;
  /** Why nothing could be run, if so. */
  readonly problem?: string;
  /** The first few, `id: what differs`. */
  readonly mismatches: readonly string[];
}

export interface Listener {
  /** Called for each row; keep it cheap. */
  readonly row?: (area: string, file: string, done: number) => void;
  readonly file?: (result: FileResult) => void;
}

/**
 * Runs every `<area>/<file>.jsonl.gz` below `directory`, in the order of their names.
 *
 * Rows of a file that no area runs count as failed.
 *
 * @throws if the directory cannot be read or has no vectors
 */
export async function runVectors(
  directory: string,
  listener: Listener = {},
): Promise<FileResult[]> {
  const results: FileResult[] = [];
  for (const [area, files] of findVectors(directory)) {
    const companions = new Map<string, ReadonlyMap<string, Row>>();
    let runner: Area | undefined;
    let problem = 'no runner';
    try {
      runner = await loadArea(area);
      for (const file of runner?.companions ?? []) {
        companions.set(file, await readById(join(directory, area, file + SUFFIX)));
      }
    } catch (error) {
      // One broken area or companion file must not hide the others.
      runner = undefined;
      problem = `runner does not start: ${(error as Error).message}`;
    }
    for (const file of files) {
      if (companions.has(file)) continue;
      const path = join(directory, area, file + SUFFIX);
      const result = await runFile({ area, file, path, runner, problem, companions, listener });
      listener.file?.(result);
      results.push(result);
    }
  }
  return results;
}

/** Areas and their files, both sorted. */
export function findVectors(directory: string): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const entry of readdirSync(directory, { withFileTypes: true }).sort(byName)) {
    if (!entry.isDirectory()) continue;
    const files = readdirSync(join(directory, entry.name)).filter((name) => name.endsWith(SUFFIX));
    if (files.length === 0) continue;
    found.set(entry.name, files.map((name) => name.slice(0, -SUFFIX.length)).sort());
  }
  if (found.size === 0) throw new Error(`no <area>/<file>${SUFFIX} in it`);
  return found;
}

async function loadArea(name: string): Promise<Area | undefined> {
  if (!existsSync(join(__dirname, 'areas', `${name}.ts`))) return undefined;
  const module = (await import(`./areas/${name}.js`)) as { area: Area };
  return module.area;
}

async function runFile(job: {
  area: string;
  file: string;
  path: string;
  runner: Area | undefined;
  /** Why there is no runner. */
  problem: string;
  companions: Companions;
  listener: Listener;
}): Promise<FileResult> {
  const { area, file, path, companions, listener } = job;
  const check = job.runner?.checks[file];
  const started = performance.now();
  const mismatches: string[] = [];
  let passed = 0;
  let failed = 0;
  let problem = check === undefined ? job.problem : undefined;
  try {
    for await (const line of linesOf(path)) {
      const mismatch = check === undefined ? 'no runner' : runLine(line, check, companions);
      if (mismatch === undefined) passed += 1;
      else failed += 1;
      if (mismatch !== undefined && check !== undefined && mismatches.length < MISMATCHES_SHOWN) {
        mismatches.push(mismatch);
      }
      listener.row?.(area, file, passed + failed);
    }
  } catch (error) {
    problem = `unreadable: ${(error as Error).message}`;
    failed += 1;
  }
  const milliseconds = Math.round(performance.now() - started);
  return {
    area,
    file,
    passed,
    failed,
    milliseconds,
    mismatches,
    ...(problem !== undefined && { problem }),
  };
}

function runLine(line: string, check: Check, companions: Companions): string | undefined {
  let id = '?';
  try {
    const row = JSON.parse(line) as Row;
    id = row.id;
    const mismatch = check(row, companions);
    return mismatch === undefined ? undefined : `${id}: ${mismatch}`;
  } catch (error) {
    return `${id}: threw ${(error as Error).stack?.split('\n', 2).join(' ') ?? String(error)}`;
  }
}

async function readById(path: string): Promise<ReadonlyMap<string, Row>> {
  const rows = new Map<string, Row>();
  for await (const line of linesOf(path)) {
    const row = JSON.parse(line) as Row;
    rows.set(row.id, row);
  }
  return rows;
}

async function* linesOf(path: string): AsyncGenerator<string> {
  const source = createReadStream(path);
  const text = createGunzip();
  // Errors do not travel along a pipe by themselves, and readline's iterator would end as if the file were complete.
  source.on('error', (error) => text.destroy(error));
  const lines = createInterface({ input: source.pipe(text), crlfDelay: Infinity });
  const failures: Error[] = [];
  text.on('error', (error) => {
    failures.push(error);
    lines.close();
  });
  for await (const line of lines) if (line !== '') yield line;
  const [failure] = failures;
  if (failure !== undefined) throw failure;
}

function byName(a: { name: string }, b: { name: string }): number {
  return a.name < b.name ? -1 : 1;
}
