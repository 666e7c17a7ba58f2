import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { startSandbox, type Sandbox } from '../../lib/providers/sandbox/index.js';
import { run } from './command.js';
import { DESTROY, newProject, putVersion, UP, WAVES } from './project.js';
import { ALL_FAULTS, tallied } from './tally.js';

/** The built command when the system refuses to write. The judges are the folder and the clusters. */
let sandbox: Sandbox;
let cwd = '';
const mounted: string[] = [];
const folders: string[] = [];

beforeAll(async () => {
  sandbox = await startSandbox({ clusters: WAVES.map((name) => ({ name, region: name })) });
});
afterAll(async () => {
  await sandbox.close();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => {
  cwd = newProject(sandbox.fleet(), sandbox.kubeconfig);
  folders.push(cwd);
});
afterEach(() => {
  for (const folder of mounted.splice(0)) execFileSync('umount', [folder]);
});

/** A file system of its own, where that is permitted (root on Linux). */
function tryMount(folder: string, options: string): boolean {
  mkdirSync(folder, { recursive: true });
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder], { stdio: 'ignore' });
  } catch {
    return false;
  }
  mounted.push(folder);
  return true;
}

const probe = mkdtempSync(join(tmpdir(), 'fleetwright-mount-'));
const canMount = tryMount(probe, 'size=4k');
if (canMount) execFileSync('umount', [mounted.pop() ?? '']);
rmSync(probe, { recursive: true });
if (!canMount)
  process.stderr.write('skipped: disks that are really full: mounting needs root on Linux\n');
const onMounts = canMount ? test : test.skip;

/** Leave no room on a small file system. */
function fill(folder: string): void {
  const { bavail, bsize } = statfsSync(folder);
  for (let blocks = bavail; blocks > 0; blocks -= 1) {
    try {
      return writeFileSync(join(folder, 'ballast'), Buffer.alloc(blocks * bsize));
    } catch {
      rmSync(join(folder, 'ballast'), { force: true });
    }
  }
}

const writes = (): number =>
  WAVES.flatMap((name) => sandbox.cluster(name).requests).filter(({ method }) => method !== 'GET')
    .length;
/** `up` keeps its lock in a folder of its own. */
const up = (wrapper?: readonly string[]): ReturnType<typeof run> =>
  run([...UP, '--lock', 'locks/fleet.lock.yaml'], { cwd, ...(wrapper && { wrapper }) });
const lock = (): string => readFileSync(join(cwd, 'locks', 'fleet.lock.yaml'), 'utf8');
/** No regular file may grow at all: a full disk for whoever may not mount one. */
const LIMITED = ['bash', '-c', `trap '' XFSZ; ulimit -f 0; exec "$@"`, '-'];

describe('up, when the lock cannot be written', () => {
  const REFUSALS = [
    { fault: 'file size limit', says: /EFBIG[^]*ulimit -f/, wrapper: LIMITED, mount: false },
    { fault: 'disk full', says: /the disk is full \(ENOSPC\)/, mount: true },
    { fault: 'read-only file system', says: /read-only \(EROFS\)/, mount: true },
  ] as const;

  test.each(REFUSALS.filter(({ mount }) => (mount ? canMount && ALL_FAULTS : true)))(
    '$fault: says so and what to do, applies nothing, keeps the old lock whole, and the next run goes on',
    (refusal) =>
      tallied(`lock: ${refusal.fault}`, async () => {
        const folder = join(cwd, 'locks');
        if (refusal.mount) tryMount(folder, 'size=64k');
        putVersion(cwd, 1, 'shop');
        expect((await up()).code).toBe(0);
        const [before, written] = [lock(), writes()];
        putVersion(cwd, 2, 'shop');
        if (refusal.fault === 'disk full') fill(folder);
        if (refusal.fault === 'read-only file system')
          execFileSync('mount', ['-o', 'remount,ro', folder]);

        const refused = await up('wrapper' in refusal ? refusal.wrapper : undefined);

        expect(refused.stderr).toMatch(/FILE_NOT_WRITTEN .*fleet\.lock\.yaml cannot be written/);
        expect(refused.stderr).toMatch(refusal.says);
        expect(refused.stderr).toContain('run the same command again');
        expect(refused.code).toBe(1);
        expect(lock()).toBe(before);
        expect(writes()).toBe(written);
        expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([]);

        if (refusal.fault === 'disk full') rmSync(join(folder, 'ballast'));
        if (refusal.fault === 'read-only file system')
          execFileSync('mount', ['-o', 'remount,rw', folder]);
        const again = await up();
        expect([again.code, lock() === before]).toEqual([0, false]);
      }),
    60_000,
  );

  test('a lock that is a folder is refused in the same way', async () => {
    putVersion(cwd, 1, 'shop');
    mkdirSync(join(cwd, 'locks', 'fleet.lock.yaml'), { recursive: true });
    const written = writes();

    const { code, stderr } = await up();

    expect([code, writes()]).toEqual([1, written]);
    expect(stderr).toMatch(/lock.*EISDIR/i);
  }, 60_000);
});

describe('destroy, when the lock cannot be written', () => {
  test(
    'has removed everything, and the next one brings the lock in line',
    () =>
      tallied('lock: file size limit, at destroy', async () => {
        putVersion(cwd, 1, 'shop');
        // Earlier tests have left the application there, with the lock in another folder.
        expect((await run([...UP, '--acknowledge', 'LOCK_LOST'], { cwd })).code).toBe(0);
        const held = (): readonly string[] =>
          WAVES.flatMap((name) => sandbox.cluster(name).objects())
            .filter(({ kind, metadata }) => kind === 'Deployment' && metadata.name === 'web')
            .map(({ metadata }) => metadata.name ?? '');
        const text = (): string => readFileSync(join(cwd, 'fleet.lock.yaml'), 'utf8');
        const before = text();

        const refused = await run(DESTROY, { cwd, wrapper: LIMITED });
        const [left, unchanged] = [held(), text() === before];
        const again = await run(DESTROY, { cwd });

        expect([refused.code, left, unchanged]).toEqual([1, [], true]);
        expect(refused.stderr).toContain('FILE_NOT_WRITTEN');
        expect([again.code, text() === before]).toEqual([0, false]);
      }),
    60_000,
  );
});

describe('synth, when the disk is full', () => {
  onMounts(
    'has the files and the lock of the run before, and completes when there is room',
    () =>
      tallied('synth: disk full', async () => {
        const out = join(cwd, 'out');
        tryMount(out, 'size=64k');
        const synth = (): ReturnType<typeof run> =>
          run(
            [
              'synth',
              '-f',
              'shop.yaml',
              '--app',
              'shop',
              '--out',
              'out',
              '--lock',
              'out/lock.yaml',
            ],
            { cwd },
          );
        const files = (): Record<string, string> =>
          Object.fromEntries(
            readdirSync(out, { recursive: true, encoding: 'utf8' })
              .sort()
              .filter((name) => /\.yaml$|staging|tmp/.test(name))
              .map((name) => [name, readFileSync(join(out, name), 'utf8')]),
          );
        putVersion(cwd, 1, 'shop');
        expect((await synth()).code).toBe(0);
        const before = files();
        putVersion(cwd, 2, 'shop');
        fill(out);

        const refused = await synth();

        expect(refused.stderr).toMatch(/FILE_NOT_WRITTEN .*the disk is full \(ENOSPC\)/);
        expect(refused.code).toBe(1);
        expect(files()).toEqual(before);

        rmSync(join(out, 'ballast'));
        expect((await synth()).code).toBe(0);
        expect(Object.keys(files())).toEqual(Object.keys(before));
        expect(existsSync(join(out, 'clusters/member1/shop/manifest.yaml'))).toBe(true);
        expect(files()).not.toEqual(before);
      }),
    60_000,
  );
});
