/**
 * `npm run vectors -- DIR`: runs recorded answers of Karmada against the engine, whatever directory they are in.
 * Prints one line a file and the totals; exit code 0 if every row passed, else 1.
 */
import { runVectors, type FileResult, type Listener } from './run.js';

const PROGRESS_EVERY = 250;

async function main(directory: string | undefined): Promise<number> {
  if (directory === undefined) {
    process.stderr.write('usage: npm run vectors -- DIR\n');
    return 1;
  }
  try {
    const results = await runVectors(directory, { ...progress(), file: print });
    const passed = results.reduce((sum, result) => sum + result.passed, 0);
    const failed = results.reduce((sum, result) => sum + result.failed, 0);
    process.stdout.write(`${passed} passed, ${failed} failed\n`);
    return failed === 0 ? 0 : 1;
  } catch (error) {
    process.stderr.write(`vectors: cannot read ${directory}: ${(error as Error).message}\n`);
    return 1;
  }
}

function print(result: FileResult): void {
  clearProgress();
  const verdict = result.failed === 0 && result.problem === undefined ? 'ok  ' : 'FAIL';
  const counts = `${result.passed} passed, ${result.failed} failed`;
  const problem = result.problem === undefined ? '' : `  ${result.problem}`;
  const head = `${verdict} ${result.area}/${result.file}  ${counts}  (${result.milliseconds} ms)${problem}`;
  process.stdout.write([head, ...result.mismatches.map((line) => `       ${line}`), ''].join('\n'));
}

function progress(): Listener {
  if (!process.stderr.isTTY) return {};
  return {
    row: (area, file, done) => {
      if (done % PROGRESS_EVERY === 0) process.stderr.write(`\r\u001b[K${area}/${file} ${done}`);
    },
  };
}

function clearProgress(): void {
  if (process.stderr.isTTY) process.stderr.write('\r\u001b[K');
}

void main(process.argv[2]).then((code) => {
  process.exitCode = code;
});
