import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import { parseDocuments, printDocuments } from '../lib/providers/source/index.js';
import { put } from './bin/run.js';

jest.setTimeout(60_000);

const ROOT = resolve(__dirname, '..');
const EXAMPLE = join(ROOT, 'examples/01-online-boutique');

/** Texts that languages sort, and change the case of, in their own ways. */
const WORDS = [
  'I',
  'i',
  'ı',
  'İ',
  'a',
  'Z',
  'z',
  'ä',
  'o',
  'ö',
  'ss',
  'ß',
  '10',
  '9',
  'ch',
  'c',
  'd',
];
const odd = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'words', namespace: 'default', annotations: { note: WORDS.join(' ') } },
  data: Object.fromEntries(
    ['I', 'i', 'a', 'Z', 'z', '10', '9', 'ch', 'c', 'd'].map((key) => [key, WORDS.join()]),
  ),
};

const oddPolicy = {
  apiVersion: 'policy.karmada.io/v1alpha1',
  kind: 'PropagationPolicy',
  metadata: { name: 'words', namespace: 'default' },
  spec: {
    resourceSelectors: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'words' }],
    placement: { clusterAffinity: { clusterNames: ['us-1', 'eu-1'] } },
  },
};

interface Answer {
  readonly locale: string;
  readonly minutesWest: number;
  readonly outputs: Readonly<Record<string, { code: number; stdout: string; stderr: string }>>;
  readonly files: Readonly<Record<string, string>>;
}

/** The example with each document in a file of its own; `order` says under which name the i-th stands. */
function aProject(order: (i: number, of: number) => string): string {
  const cwd = mkdtempSync(join(tmpdir(), 'fleetwright-same-'));
  cpSync(join(EXAMPLE, 'fleet.yaml'), join(cwd, 'fleet.yaml'));
  const documents = ['manifests.yaml', 'policies.yaml', 'rollout.yaml']
    .flatMap((file) => parseDocuments(readFileSync(join(EXAMPLE, file), 'utf8')))
    .map(({ value }) => value as object);
  const all = [...documents, odd, oddPolicy];
  for (const [i, document] of all.entries())
    put(cwd, `sources/${order(i, all.length)}.yaml`, printDocuments([document as never]));
  return cwd;
}

function ask(cwd: string, env: Readonly<Record<string, string>>): Promise<Answer> {
  const child = spawn(process.execPath, ['--import', 'tsx', 'test/determinism/child.ts', cwd], {
    cwd: ROOT,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
  return new Promise((done, fail) =>
    child.once('close', (code) =>
      code === 0
        ? // Findings name the files, which have other names here.
          done(JSON.parse(text.replace(/sources\/[^":\\]*\.yaml/g, 'sources/FILE')) as Answer)
        : fail(new Error(`child ended with ${code}`)),
    ),
  );
}

const padded = (n: number): string => String(n).padStart(3, '0');

/** Locale, time zone, names and order of files; the first is what the others are compared with. */
const MACHINES = [
  {
    name: 'plain',
    locale: 'en-US',
    LC_ALL: 'C',
    TZ: 'UTC',
    minutesWest: 0,
    order: (i: number) => padded(i),
  },
  {
    name: 'in Turkish, in Apia, files in reverse',
    locale: 'tr-TR',
    LC_ALL: 'tr_TR.UTF-8',
    TZ: 'Pacific/Apia',
    minutesWest: -780,
    order: (i: number, of: number) => padded(of - i),
  },
  {
    name: 'in German, in Kathmandu, files shuffled over folders',
    locale: 'de-DE',
    LC_ALL: 'de_DE.UTF-8',
    TZ: 'Asia/Kathmandu',
    minutesWest: -345,
    order: (i: number, of: number) =>
      `${['Ä', 'b', 'I'][i % 3] ?? ''}/${padded((i * 17) % of)}-${i}`,
  },
] as const;

describe('the same input gives the same bytes', () => {
  const answers: Answer[] = [];
  beforeAll(async () => {
    const asked = MACHINES.map(({ LC_ALL, TZ, order }) =>
      ask(aProject(order), { LC_ALL, LANG: LC_ALL, TZ }),
    );
    answers.push(...(await Promise.all(asked)));
  });

  test('and what is compared is a plan, a lock and rendered files', () => {
    const [plain] = answers;

    expect(Object.values(plain?.outputs ?? {}).map(({ code }) => code)).toEqual([0, 0, 0, 0, 0]);
    expect(Object.keys(plain?.files ?? {})).toContain('fleet.lock.yaml');
    expect(Object.keys(plain?.files ?? {}).length).toBeGreaterThan(4);
    expect(JSON.stringify(plain?.files)).toContain('ı');
  });

  test.each(MACHINES.map(({ name }, i) => ({ name, i })))('on a machine $name', ({ i }) => {
    const [plain] = answers;
    const answer = answers[i];
    const machine = MACHINES[i];

    expect(answer).toMatchObject({ locale: machine?.locale, minutesWest: machine?.minutesWest });
    expect(answer?.outputs).toEqual(plain?.outputs);
    expect(answer?.files).toEqual(plain?.files);
  });
});
