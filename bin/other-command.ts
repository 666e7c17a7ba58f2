/** A command line of ours as a shell takes it. */
export function commandOf(args: readonly string[]): string {
  const words = args.map((word) =>
    /^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`,
  );
  return ['fleetwright', ...words].join(' ');
}

/** What says which application, from what, and how to reach its clusters: every command that plans or reaches clusters takes it. */
const SHARED_WITH_VALUE: ReadonlySet<string> = new Set([
  '-f',
  '--file',
  '--fleet',
  '--lock',
  '--app',
  '--env',
  '--profile',
  '--target',
  '--kubeconfig',
  '--context-map',
  '--karmada-context',
]);

const SHARED: ReadonlySet<string> = new Set(['--frozen', '--no-frozen']);

/**
 * Another command about the same: the flags of this run that say what it is about, without those that were a decision for this
 * run only (`--yes`, `--approve`, `--acknowledge`, `--to`, …). As a shell takes it; `words` come first, then the flags in the
 * order given.
 */
export function otherCommand(args: readonly string[], ...words: readonly string[]): string {
  return commandOf([...words, ...sharedFlags(args)]);
}

function sharedFlags(args: readonly string[]): string[] {
  const kept: string[] = [];
  for (let i = 0; i < args.length; i += 1) {
    const word = args[i] ?? '';
    const [name = ''] = word.split('=', 1);
    if (!SHARED_WITH_VALUE.has(name) && !SHARED.has(word) && !/^-f./.test(word)) continue;
    kept.push(word);
    const value = args[i + 1];
    if (SHARED_WITH_VALUE.has(word) && value !== undefined) {
      kept.push(value);
      i += 1;
    }
  }
  return kept;
}

/** The same command again, without `--approve all`: what comes next has been seen by nobody. */
export function sameCommand(args: readonly string[], ...more: readonly string[]): string {
  const kept = args.filter((word, i) => {
    if (word === '--approve=all') return false;
    if (word === '--approve') return args[i + 1] !== 'all';
    return word !== 'all' || args[i - 1] !== '--approve';
  });
  return commandOf([...kept, ...more]);
}
