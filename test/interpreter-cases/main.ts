/**
 * `npm run interpreter-cases -- DIR`: run recorded cases of Karmada's third-party interpreters, whatever directory they are
 * in. Prints one line a file and the totals; exit code 0 if every case passed, else 1.
 */
import { runCases } from './run.js';

function main(directory: string | undefined): number {
  if (directory === undefined) {
    process.stderr.write('usage: npm run interpreter-cases -- DIR\n');
    return 1;
  }
  try {
    const results = runCases(directory);
    for (const { file, passed, failures } of results) {
      const verdict = failures.length === 0 ? 'ok  ' : 'FAIL';
      process.stdout.write(`${verdict} ${file}  ${passed} passed, ${failures.length} failed\n`);
      for (const failure of failures) process.stdout.write(`       ${failure}\n`);
    }
    const passed = results.reduce((sum, result) => sum + result.passed, 0);
    const failed = results.reduce((sum, result) => sum + result.failures.length, 0);
    process.stdout.write(`${passed} passed, ${failed} failed\n`);
    return failed === 0 ? 0 : 1;
  } catch (error) {
    process.stderr.write(
      `interpreter-cases: cannot run ${directory}: ${(error as Error).message}\n`,
    );
    return 1;
  }
}

process.exitCode = main(process.argv[2]);
