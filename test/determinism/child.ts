import { contentsOf, NOW, run } from '../bin/run.js';

/** Plans, locks and renders the project in a folder, and prints everything that came of it as JSON. */
async function answer(cwd: string): Promise<void> {
  const commands = [
    'plan --json',
    'plan',
    'lock',
    'synth --layout argocd --repo https://example.com/repo',
    'plan --json',
  ];
  const outputs: Record<string, unknown> = {};
  for (const [i, command] of commands.entries()) {
    const { code, stdout, stderr } = await run(`${command} -f sources --app shop`, { cwd });
    outputs[`${i} ${command}`] = { code, stdout, stderr };
  }
  const files = Object.entries(contentsOf(cwd)).filter(([path]) => !path.startsWith('sources/'));
  // What the settings of this process really are: a test that sets none would prove nothing.
  const { locale } = Intl.DateTimeFormat().resolvedOptions();
  const minutesWest = new Date(NOW).getTimezoneOffset();
  process.stdout.write(
    JSON.stringify({ locale, minutesWest, outputs, files: Object.fromEntries(files) }),
  );
}

void answer(process.argv[2] ?? '');
