import { execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { FleetLock, LockedBinding } from '../../../lib/api/fleet-lock.js';
import { canonicalJson } from '../../../lib/engine/canonical.js';
import {
  fromResourceBindings,
  parseLock,
  printLock,
  readLock,
  toResourceBindings,
  writeLock,
} from '../../../lib/providers/lock/index.js';
import { printYaml } from '../../../lib/providers/source/index.js';

function aBinding(name: string, fields: Partial<LockedBinding> = {}): LockedBinding {
  return {
    resource: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name },
    policy: { kind: 'PropagationPolicy', namespace: 'shop', name: 'all' },
    generation: 1,
    template: 'aaaa',
    placement: { clusterAffinity: { clusterNames: ['eu-1'] } },
    seed: 'seed',
    decidedAt: '2026-01-01T00:00:00Z',
    replicas: 3,
    clusters: { 'eu-1': 2, 'us-1': 1 },
    render: { '*': 'bbbb' },
    ...fields,
  };
}

function aLock(bindings: readonly LockedBinding[], serial = 3): FleetLock {
  const head = {
    apiVersion: 'fleetwright.dev/v1alpha1',
    kind: 'FleetLock',
    metadata: { name: 'shop' },
  } as const;
  return { ...head, serial, bindings: [...bindings], tombstones: [] };
}

function parsed(text: string): FleetLock {
  const result = parseLock(text, 'fleet.lock.yaml');
  if (!result.ok) throw new Error(JSON.stringify(result.diagnostics));
  return result.value;
}

const folder = (): string => mkdtempSync(join(tmpdir(), 'fleetwright-lock-'));

describe('the committed form', () => {
  test('is one line a field, sorted, and YAML', () => {
    expect(printLock(aLock([aBinding('web'), aBinding('api', { replicas: 1 })]))).toMatchSnapshot();
  });

  test('any lock comes back as it was', () => {
    const name = fc.string({ minLength: 1, maxLength: 8 }).filter((key) => key !== '__proto__');
    const binding = fc.record({
      name,
      placement: fc.option(fc.dictionary(name, fc.jsonValue()), { nil: undefined }),
      clusters: fc.dictionary(name, fc.nat()),
      generation: fc.nat(),
    });
    fc.assert(
      fc.property(fc.uniqueArray(binding, { selector: (b) => b.name }), (entries) => {
        const bindings = entries.map(({ name: n, placement, ...rest }) => {
          const { placement: _none, ...plain } = aBinding(n, rest);
          return {
            ...plain,
            ...(placement !== undefined && {
              placement: JSON.parse(JSON.stringify(placement)) as object,
            }),
          };
        });
        const lock = aLock(bindings);

        const back = parsed(printLock(lock));

        expect(printLock(back)).toBe(printLock(lock));
        expect(canonicalJson(back.bindings.length)).toBe(canonicalJson(lock.bindings.length));
      }),
    );
  });

  test('the line parser and the YAML parser agree', () => {
    const lock = aLock([aBinding('api'), aBinding('web')]);

    expect(parsed(printYaml(lock))).toEqual(parsed(printLock(lock)));
  });

  test('two changed bindings merge line by line without a conflict', () => {
    const dir = folder();
    const base = aLock(['a', 'b', 'c'].map((name) => aBinding(name)));
    const change = (at: number): FleetLock => ({
      ...base,
      serial: 4,
      bindings: base.bindings.map((b, i) =>
        i === at
          ? aBinding(b.resource.name, {
              generation: 2,
              template: 'cccc',
              clusters: { 'ap-1': 3 },
              render: { '*': 'd' },
            })
          : (b as LockedBinding),
      ),
    });
    writeFileSync(join(dir, 'base'), printLock(base));
    writeFileSync(join(dir, 'ours'), printLock(change(0)));
    writeFileSync(join(dir, 'theirs'), printLock(change(1)));

    const merged = execFileSync('git', ['merge-file', '-p', 'ours', 'base', 'theirs'], {
      cwd: dir,
      encoding: 'utf8',
    });

    expect(parsed(merged).bindings.map((b) => b.generation)).toEqual([2, 2, 1]);
  });

  test('100,000 assignments are read in well under a second', () => {
    const clusters = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`cluster-${i}`, i]));
    const text = printLock(
      aLock(Array.from({ length: 1_000 }, (_, i) => aBinding(`app-${i}`, { clusters }))),
    );

    const before = process.cpuUsage();
    const lock = parsed(text);

    expect(lock.bindings).toHaveLength(1_000);
    // Time of this process, whatever else the machine does. Measured 0.15 s; the bound only catches the slow path.
    expect(process.cpuUsage(before).user / 1e6).toBeLessThan(1.5);
  });
});

/** A lock that ends in the middle, as after a full disk. */
function cutAt(place: RegExp): string {
  const text = printLock(aLock([aBinding('a'), aBinding('b')]));
  return text.slice(0, text.search(place));
}

describe('a lock that cannot be read', () => {
  test.each([
    [
      'merge conflict',
      `${printLock(aLock([aBinding('a')])).replace('serial: 3', '<<<<<<< ours\nserial: 3\n=======\nserial: 4\n>>>>>>> theirs')}`,
      /merge conflict/,
      6,
    ],
    ['broken YAML', 'apiVersion: [', /not valid YAML/, 1],
    [
      'unknown field',
      printLock(aLock([])).replace('serial: 3', 'serial: 3\nserials: 4'),
      /invalid field/,
      3,
    ],
    [
      'negative replicas of the serial',
      printLock(aLock([])).replace('serial: 3', 'serial: -1'),
      /serial/,
      6,
    ],
    [
      'duplicate field',
      printLock(aLock([])).replace('serial: 3', 'serial: 3\nserial: 4'),
      /unique/,
      7,
    ],
    ['empty file', '', /one document, found none/, 1],
    [
      'a negative share',
      printLock(aLock([aBinding('a')])).replace(/clusters: \{"([^"]*)":\d+/, 'clusters: {"$1":-1'),
      /invalid field bindings\.0\.clusters/,
      16,
    ],
    [
      'a form of later',
      printLock(aLock([])).replace('v1alpha1', 'v1beta1').replace('serial: 3', 'epoch: 3'),
      /has the form fleetwright\.dev\/v1beta1, which this version does not know/,
      3,
    ],
    ['cut off between two fields', cutAt(/^tombstones/m), /invalid field/, 3],
    ['cut off in a field', cutAt(/"bbbb"/), /not valid YAML/, 17],
  ])('%s is LOCK_INVALID with its line', (_name, text, summary, line) => {
    const result = parseLock(text, 'fleet.lock.yaml');

    expect(result.ok).toBe(false);
    expect(result.ok ? [] : result.diagnostics[0]).toMatchObject({
      code: 'LOCK_INVALID',
      file: 'fleet.lock.yaml',
      line,
    });
    expect(result.ok ? '' : result.diagnostics[0]?.summary).toMatch(summary);
    expect(result.ok ? [] : result.diagnostics).toHaveLength(1);
  });

  test('bytes that are no text are LOCK_INVALID', () => {
    const file = join(mkdtempSync(join(tmpdir(), 'fleetwright-lock-')), 'fleet.lock.yaml');
    writeFileSync(file, Buffer.from([0x61, 0x3a, 0x20, 0xe9, 0xff, 0x0a]));

    expect(readLock(file, 'fleet.lock.yaml')).toMatchObject({
      ok: false,
      diagnostics: [{ code: 'LOCK_INVALID', summary: 'The lock is not a UTF-8 text.' }],
    });
  });

  test.each(['/dev/full', '/dev/zero', '/dev/null'])('%s is LOCK_INVALID, and stays', (device) => {
    expect(readLock(device)).toMatchObject({
      ok: false,
      diagnostics: [{ code: 'LOCK_INVALID', summary: expect.stringMatching(/no file but/) }],
    });
    expect(() => writeLock(device, aLock([]))).toThrow(
      /a device, a pipe or a socket is in its place/,
    );
    expect(statSync(device).isCharacterDevice()).toBe(true);
  });

  test('a pipe that is named is read', () => {
    const pipe = join(folder(), 'pipe');
    const source = join(folder(), 'fleet.lock.yaml');
    execFileSync('mkfifo', [pipe]);
    writeLock(source, aLock([aBinding('a')]));
    spawn('sh', ['-c', 'cat "$1" > "$2"', 'sh', source, pipe]);

    expect(readLock(pipe)).toMatchObject({ ok: true, value: aLock([aBinding('a')]) });
  });

  test('a lock of later says to upgrade', () => {
    const text = printLock(aLock([]));
    const hintOf = (later: string): unknown => {
      const result = parseLock(later, 'fleet.lock.yaml');
      return result.ok ? undefined : result.diagnostics[0]?.hint;
    };

    expect(hintOf(text.replace('v1alpha1', 'v1'))).toMatch(/^Upgrade fleetwright/);
    expect(hintOf(text.replace('serial: 3', 'serial: 3\nepoch: 4'))).toMatch(/newer.*upgrade/);
  });
});

describe('the file', () => {
  test('absent is not an error', () => {
    expect(readLock(join(folder(), 'fleet.lock.yaml'))).toMatchObject({
      ok: true,
      value: undefined,
    });
  });

  test('unchanged content is not written again, changed content keeps the mode and leaves no temporary file', () => {
    const file = join(folder(), 'fleet.lock.yaml');
    expect(writeLock(file, aLock([aBinding('a')]))).toBe(true);
    chmodSync(file, 0o640);
    const { mtimeNs, ino } = statSync(file, { bigint: true });

    expect(writeLock(file, aLock([aBinding('a')]))).toBe(false);
    expect(statSync(file, { bigint: true })).toMatchObject({ mtimeNs, ino });
    expect(writeLock(file, aLock([aBinding('b')]))).toBe(true);

    expect(statSync(file).mode & 0o777).toBe(0o640);
    expect(readdirSync(join(file, '..'))).toEqual(['fleet.lock.yaml']);
    expect(readFileSync(file, 'utf8')).toContain('"name":"b"');
  });
});

describe('ResourceBinding', () => {
  test('export and import keep policy, placement, clusters, replicas and affinity', () => {
    const lock = aLock([
      aBinding('web', { affinity: 'primary' }),
      aBinding('shop', {
        resource: { apiVersion: 'v1', kind: 'Namespace', name: 'shop' },
        policy: { kind: 'ClusterPropagationPolicy', name: 'c' },
      }),
    ]);

    const bindings = toResourceBindings(lock);
    const back = fromResourceBindings('shop', bindings, '2026-01-01T00:00:00Z');

    expect(bindings.map((b) => [b.kind, b.metadata.name])).toEqual([
      ['ResourceBinding', 'web-deployment'],
      ['ClusterResourceBinding', 'shop-namespace'],
    ]);
    expect(
      back.bindings.map(({ resource, policy, placement, clusters, replicas, affinity }) => ({
        resource,
        policy,
        placement,
        clusters,
        replicas,
        affinity,
      })),
    ).toEqual(
      lock.bindings.map(({ resource, policy, placement, clusters, replicas, affinity }) => ({
        resource,
        policy,
        placement,
        clusters,
        replicas,
        affinity,
      })),
    );
  });
});

test('what a killed process left half-written goes with a later write, what is fresh stays', () => {
  const cwd = folder();
  const [stale, fresh] = ['.0123456789ab.tmp', '.ba9876543210.tmp'];
  for (const name of [stale, fresh]) writeFileSync(join(cwd, name), 'half');
  const anHourAgo = Date.now() / 1000 - 3600;
  utimesSync(join(cwd, stale), anHourAgo, anHourAgo);

  writeLock(join(cwd, 'fleet.lock.yaml'), aLock([]));

  expect(readdirSync(cwd).sort()).toEqual([fresh, 'fleet.lock.yaml']);
});
