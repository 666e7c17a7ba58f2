import { type FleetLock, fleetLock } from '../../api/fleet-lock.js';
import { compareDiagnostics, type Diagnostic } from '../../engine/diagnostic.js';
import { lockRepeats } from '../../engine/lock-repeats.js';
import { failed, ok, type Result } from '../../engine/result.js';
import { parseDocuments, type YamlDocument } from '../source/yaml.js';
import { BINDING_FIELDS, POLICY_FIELDS, TOMBSTONE_FIELDS } from './print.js';

const CONFLICT = /^(?:<{7}|\|{7}|={7}|>{7})(?: |$)/;
const TOP_LINE = /^(apiVersion|kind|metadata|serial|bindings|policies|tombstones):(?: (.*))?$/;
const BLOCK_LINE = /^(- | {2})([a-zA-Z]+): (.*)$/;
const BLOCK_FIELDS: ReadonlySet<string> = new Set([
  ...BINDING_FIELDS,
  ...POLICY_FIELDS,
  ...TOMBSTONE_FIELDS,
]);

/**
 * Read a lock. Our own layout is read line by line (100,000 assignments take a few hundredths of a second); any other
 * YAML that means the same is accepted too. Everything wrong is one or more `LOCK_INVALID` with file and line.
 */
export function parseLock(text: string, file: string): Result<FleetLock> {
  const lines = text.split('\n');
  const conflict = lines.findIndex((line) => CONFLICT.test(line.replace(/\r$/, '')));
  if (conflict >= 0) {
    return failed([
      invalid(
        file,
        'The lock has unresolved merge conflicts.',
        conflict + 1,
        1,
        'Keep either side (`git checkout --theirs` or `--ours`), then run `fleetwright lock` to decide again.',
      ),
    ]);
  }
  const fast = parseLines(lines);
  const checked = fast === undefined ? undefined : fleetLock.safeParse(fast);
  if (checked?.success === true && lockRepeats(checked.data).length === 0) return ok(checked.data);
  return parseAnyYaml(text, file);
}

/** Our layout; `undefined` when a line is not ours, so that the YAML parser decides. */
function parseLines(lines: readonly string[]): unknown {
  const lock: Record<string, unknown> = {};
  let list: Record<string, unknown>[] = [];
  let block: Record<string, unknown> = {};
  try {
    for (const line of lines) {
      if (line === '' || line.startsWith('#')) continue;
      const field = BLOCK_LINE.exec(line);
      if (field?.[2] !== undefined && field[3] !== undefined) {
        if (field[1] === '- ') list.push((block = {}));
        if (!BLOCK_FIELDS.has(field[2]) || field[2] in block) return undefined;
        block[field[2]] = jsonOf(field[3]);
        continue;
      }
      const top = TOP_LINE.exec(line);
      if (top?.[1] === undefined || top[1] in lock) return undefined;
      lock[top[1]] = topValue(top[1], top[2]);
      if (top[2] === undefined) lock[top[1]] = list = [];
    }
  } catch {
    return undefined; // not our JSON: the YAML parser says what is wrong, and where
  }
  return lock;
}

function topValue(key: string, text: string | undefined): unknown {
  if (text === undefined) return [];
  return key === 'apiVersion' || key === 'kind' ? text : jsonOf(text);
}

/**
 * A value written the way we write it. One that grew shorter had blanks, or a key twice, of which only the last would count.
 *
 * @throws SyntaxError for anything else
 */
function jsonOf(text: string): unknown {
  const value = JSON.parse(text) as unknown;
  if (JSON.stringify(value).length !== text.length) throw new SyntaxError('not our form');
  return value;
}

function parseAnyYaml(text: string, file: string): Result<FleetLock> {
  const [document, second] = parseDocuments(text);
  if (document === undefined || second !== undefined) {
    const found = document === undefined ? 'none' : 'several';
    return failed([invalid(file, `The lock must be one document, found ${found}.`, 1, 1)]);
  }
  // One finding is enough: after the first, a text that was cut off only has more of the same.
  const [problem] = document.problems;
  if (problem !== undefined) {
    const { message, line, column } = problem;
    return failed([invalid(file, `The lock is not valid YAML: ${message}.`, line, column)]);
  }
  const newer = newerForm(document);
  if (newer !== undefined) {
    const summary = `The lock has the form ${newer}, which this version does not know.`;
    const { line, column } = document.locate(['apiVersion']);
    return failed([invalid(file, summary, line, column, UPGRADE)]);
  }
  const checked = fleetLock.safeParse(document.value);
  if (checked.success) return withoutRepeats(checked.data, document, file);
  const [first, ...others] = checked.error.issues
    .map((issue) => invalidField(file, document, issue))
    .sort(compareDiagnostics);
  if (first === undefined) return failed([invalid(file, 'The lock is not valid.', 1, 1)]);
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
  return failed([{ ...first, summary: first.summary.replace(/\.$/, `${more}.`) }]);
}

function withoutRepeats(lock: FleetLock, document: YamlDocument, file: string): Result<FleetLock> {
  const [first] = lockRepeats(lock);
  if (first === undefined) return ok(lock);
  const { line, column } = document.locate(first.path);
  return failed([{ ...first.diagnostic, file, line, column }]);
}

const FORM = 'fleetwright.dev/v1alpha1';
const UPGRADE = 'Upgrade fleetwright to the version that wrote the lock.';

/** The apiVersion of a lock of ours that is not the one we write. */
function newerForm({ value }: YamlDocument): string | undefined {
  const { apiVersion, kind } = (value ?? {}) as { apiVersion?: unknown; kind?: unknown };
  const isOurs = typeof apiVersion === 'string' && apiVersion.startsWith('fleetwright.dev/');
  return isOurs && kind === 'FleetLock' && apiVersion !== FORM ? apiVersion : undefined;
}

function invalidField(
  file: string,
  document: YamlDocument,
  issue: {
    readonly code?: string;
    readonly path: readonly PropertyKey[];
    readonly message: string;
  },
): Diagnostic {
  const path = issue.path.map((step) => (typeof step === 'symbol' ? String(step) : step));
  const { line, column } = document.locate(path);
  return {
    ...invalid(
      file,
      `The lock has an invalid field ${path.join('.') || '(root)'}: ${issue.message}.`,
      line,
      column,
      issue.code === 'unrecognized_keys'
        ? `If a newer fleetwright wrote it, upgrade; else ${RESTORE.replace('Restore', 'restore')}`
        : undefined,
    ),
    path,
  };
}

const RESTORE =
  'Restore the committed lock (`git checkout -- FILE`); decisions that are lost would be made anew.';

function invalid(
  file: string,
  summary: string,
  line?: number,
  column?: number,
  hint?: string,
): Diagnostic {
  return {
    code: 'LOCK_INVALID',
    severity: 'error',
    summary,
    hint: hint ?? RESTORE,
    file,
    ...(line !== undefined && { line }),
    ...(column !== undefined && { column }),
  };
}
