import { spawn } from 'node:child_process';
import {
  readdirSync,
  readlinkSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';

const ROOT = resolve(__dirname, '../../..');

/** What one `pulumi` command did. */
export interface Outcome {
  readonly code: number | null;
  /** Standard output and error, in the order in which they came. */
  readonly text: string;
}

/** A Pulumi project in a folder of its own, with a state of its own, on the built package. */
export class PulumiProject {
  /** Everything that any command has said. */
  said = '';
  readonly folder = mkdtempSync(join(tmpdir(), 'fleetwright-pulumi-'));
  private readonly bin: string;

  constructor(bin: string) {
    this.bin = bin;
    if (!existsSync(join(ROOT, 'dist/lib/providers/pulumi/provider.js'))) {
      throw new Error('the package is not built: `npm test` builds it, or run `npm run build`');
    }
    mkdirSync(join(this.folder, 'state'));
    mkdirSync(join(this.folder, 'docs'));
    mkdirSync(join(this.folder, 'node_modules/@pulumi'), { recursive: true });
    for (const name of ['cdk8s', 'constructs', '@pulumi/pulumi']) {
      symlinkSync(join(ROOT, 'node_modules', name), join(this.folder, 'node_modules', name));
    }
    symlinkSync(ROOT, join(this.folder, 'node_modules/fleetwright'));
    this.write('package.json', JSON.stringify({ name: 'shop', main: 'index.js' }));
    this.write(
      'Pulumi.yaml',
      'name: shop\nruntime: { name: nodejs, options: { typescript: false } }\n',
    );
  }

  write(file: string, text: string): void {
    writeFileSync(join(this.folder, file), text);
  }

  read(file: string): string {
    return readFileSync(join(this.folder, file), 'utf8');
  }

  /** Run `pulumi` to its end. `onLine` may look at the output while it runs; `kill` ends the CLI at once. */
  run(
    args: readonly string[],
    options: {
      readonly env?: Record<string, string>;
      readonly onText?: (text: string, kill: () => void) => void;
    } = {},
  ): Promise<Outcome> {
    return new Promise((done, failed) => {
      const child = spawn('pulumi', [...args, '--non-interactive', '--color', 'never'], {
        cwd: this.folder,
        stdio: ['ignore', 'pipe', 'pipe'],
        env: {
          PATH: [this.bin, join(ROOT, 'node_modules/.bin'), process.env['PATH'] ?? ''].join(
            delimiter,
          ),
          HOME: this.folder,
          PULUMI_BACKEND_URL: `file://${join(this.folder, 'state')}`,
          PULUMI_CONFIG_PASSPHRASE: '',
          PULUMI_HOME: join(this.folder, 'home'),
          PULUMI_SKIP_UPDATE_CHECK: 'true',
          PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: 'true',
          ...options.env,
        },
      });
      let text = '';
      const kill = (): void => void child.kill('SIGKILL');
      const take = (chunk: Buffer): void => {
        text += chunk.toString();
        this.said += chunk.toString();
        options.onText?.(text, kill);
      };
      child.stdout.on('data', take);
      child.stderr.on('data', take);
      child.on('error', failed);
      // `exit`, not `close`: a killed CLI leaves children behind that keep the pipes open.
      child.on('exit', (code) => done({ code, text }));
    });
  }

  async up(
    args: readonly string[] = [],
    options: Parameters<PulumiProject['run']>[1] = {},
  ): Promise<Outcome> {
    return this.run(['up', '--yes', '--skip-preview', ...args], options);
  }

  /** The stack's state as it is stored. */
  async state(): Promise<string> {
    return (await this.run(['stack', 'export'])).text;
  }

  async outputs(): Promise<Record<string, unknown>> {
    return JSON.parse((await this.run(['stack', 'output', '--json'])).text) as Record<
      string,
      unknown
    >;
  }

  /** Every file of the backend: the state, its backups, the history of updates. */
  backend(): string {
    return readdirSync(join(this.folder, 'state'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
      .join('\n');
  }

  /** Processes that work in the project's folder, by their working directory; Linux only, elsewhere none are seen. */
  processes(): string[] {
    if (!existsSync('/proc/self/cwd')) return [];
    return readdirSync('/proc').filter((pid) => {
      try {
        return /^\d+$/.test(pid) && readlinkSync(`/proc/${pid}/cwd`) === this.folder;
      } catch {
        return false; // it has ended, or is somebody else's
      }
    });
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
