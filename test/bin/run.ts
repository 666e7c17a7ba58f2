import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { main } from '../../bin/main.js';
import type { World } from '../../bin/world.js';

export const NOW = '2026-01-15T12:00:00Z';

export interface RunOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string | Uint8Array;
  /** What a person answers, in order; none: nobody is there. */
  readonly answers?: readonly string[];
  /** Gets the function that stands for Ctrl-C. */
  readonly onStart?: (interrupt: () => void) => void;
  /** Called with everything printed so far, after each print. */
  readonly onPrint?: (text: string) => void;
}

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Run a command line in this process. `args` is split at spaces. */
export async function run(args: string, options: RunOptions): Promise<Ran> {
  const printed = { stdout: '', stderr: '' };
  const answers = [...(options.answers ?? [])];
  const handlers = new Set<(times: number) => void>();
  let interrupts = 0;
  const output = (name: 'stdout' | 'stderr'): World['stdout'] => ({
    isTerminal: false,
    columns: 100,
    rows: 40,
    write: (text) => {
      printed[name] += text;
      options.onPrint?.(printed.stdout + printed.stderr);
    },
  });
  options.onStart?.(() => {
    interrupts += 1;
    for (const handler of [...handlers]) handler(interrupts);
  });
  const code = await main(
    args.split(' ').filter((word) => word !== ''),
    {
      cwd: options.cwd,
      env: { HOME: '/nonexistent', ...options.env },
      stdout: output('stdout'),
      stderr: output('stderr'),
      readStdin: () => Promise.resolve(Buffer.from(options.stdin ?? '')),
      ask: () => Promise.resolve(answers.shift()),
      now: () => NOW,
      onInterrupt: (handler) => {
        handlers.add(handler);
        return () => void handlers.delete(handler);
      },
      exit: (exitCode) => {
        throw new Error(`the process would end with ${exitCode}`);
      },
    },
  );
  return { code, ...printed };
}

/** A folder of its own with a copy of an example. */
export function copyOf(example: string): string {
  const cwd = mkdtempSync(join(tmpdir(), 'fleetwright-bin-'));
  cpSync(resolve(__dirname, '../../examples', example), cwd, { recursive: true });
  return cwd;
}

export function emptyFolder(): string {
  return mkdtempSync(join(tmpdir(), 'fleetwright-bin-'));
}

export function put(cwd: string, path: string, text: string): void {
  mkdirSync(dirname(join(cwd, path)), { recursive: true });
  writeFileSync(join(cwd, path), text);
}

export function read(cwd: string, path: string): string {
  return readFileSync(join(cwd, path), 'utf8');
}

/** All files below a folder, with their content: to see that nothing changed. */
export function contentsOf(cwd: string): Record<string, string> {
  const files = readdirSync(cwd, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return Object.fromEntries(
    files
      .map((entry) => join(entry.parentPath, entry.name))
      .sort()
      .map((file) => [file.slice(cwd.length + 1), readFileSync(file, 'utf8')]),
  );
}
