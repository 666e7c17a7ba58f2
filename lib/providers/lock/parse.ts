import { type FleetLock, fleetLock } from '../../api/fleet-lock.js';
import { compareDiagnostics, type Diagnostic } from '../../engine/diagnostic.js';
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
  if (checked?.success === true) return ok(checked.data);
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
        block[field[2]] = JSON.parse(field[3]);
        continue;
      }
      const top = TOP_LINE.exec(line);
      if (top?.[1] === undefined || top[1] in lock) return undefined;
      lock[top[1]] = topValue(top[1], top[2]);
      if (top[2] === undefined) lock[top[1]] = list = [];
    }
  } catch {
    return undefined; // not JSON: the YAML parser says what is wrong, and where
  }
  return lock;
}

function topValue(key: string, text: string | undefined): unknown {
  if (text === undefined) return [];
  return key === 'apiVersion' || key === 'kind' ? text : (JSON.parse(text) as unknown);
}

function parseAnyYaml(text: string, file: string): Result<FleetLock> {
  const [document, second] = parseDocuments(text);
  if (document === undefined || second !== undefined) {
    const found = document === undefined ? 'none' : 'several';
    return failed([invalid(file, `The lock must be one document, found ${found}.`, 1, 1)]);
  }
  if (document.problems.length > 0) {
    return failed(
      document.problems.map((p) =>
        invalid(file, `The lock is not valid YAML: ${p.message}.`, p.line, p.column),
      ),
    );
  }
  const checked = fleetLock.safeParse(document.value);
  if (checked.success) return ok(checked.data);
  return failed(
    checked.error.issues
      .slice(0, 10)
      .map((issue) => invalidField(file, document, issue))
      .sort(compareDiagnostics),
  );
}

function invalidField(
  file: string,
  document: YamlDocument,
  issue: { readonly path: readonly PropertyKey[]; readonly message: string },
): Diagnostic {
  const path = issue.path.map((step) => (typeof step === 'symbol' ? String(step) : step));
  const { line, column } = document.locate(path);
  return {
    ...invalid(
      file,
      `The lock has an invalid field ${path.join('.') || '(root)'}: ${issue.message}.`,
      line,
      column,
    ),
    path,
  };
}

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
    hint:
      hint ??
      'Restore the committed lock (`git checkout -- FILE`); decisions that are lost would be made anew.',
    file,
    ...(line !== undefined && { line }),
    ...(column !== undefined && { column }),
  };
}
