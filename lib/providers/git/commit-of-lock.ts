import { spawnSync } from 'node:child_process';

/** Commits that are looked at before giving up: each takes a process. */
const MOST_COMMITS = 20;

/**
 * The abbreviated name of the newest commit on this branch in which a lock has a serial: the templates of that commit belong to it.
 * `undefined` when no commit has it, or there is no repository to ask.
 */
export function commitOfLock(cwd: string, file: string, serial: number): string | undefined {
  const line = `^serial: ${serial}$`;
  const touched = git(cwd, ['log', '--format=%h', `-G${line}`, '--', file]);
  // A commit that touches the line either brings the serial or takes it away; then its parent still has it.
  const candidates = (touched ?? '')
    .split('\n')
    .filter((name) => name !== '')
    .slice(0, MOST_COMMITS)
    .flatMap((name) => [name, git(cwd, ['rev-parse', '--short', `${name}^`])?.trim() ?? '']);
  return candidates.find(
    (name) =>
      name !== '' && new RegExp(line, 'm').test(git(cwd, ['show', `${name}:./${file}`]) ?? ''),
  );
}

function git(cwd: string, args: readonly string[]): string | undefined {
  const { status, stdout } = spawnSync('git', args, {
    cwd,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return status === 0 ? stdout : undefined;
}
