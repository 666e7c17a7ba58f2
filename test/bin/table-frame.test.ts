import { describe, expect, test } from '@jest/globals';
import { frameOf, type TableRow, type TableWave } from '../../bin/table-frame.js';

const row = (cluster: string, phase: string, facts: Partial<TableRow> = {}): TableRow => ({
  cluster,
  phase,
  ready: phase === 'ready' ? 4 : 1,
  total: 4,
  note: '',
  ...facts,
});
const wave = (name: string, phase: string, rows: readonly TableRow[], note = ''): TableWave => ({
  name,
  phase,
  note,
  rows,
});
const many = (count: number, phase: string, from = 0): TableRow[] =>
  Array.from({ length: count }, (_, i) => row(`c-${String(from + i).padStart(3, '0')}`, phase));
const frame = (waves: readonly TableWave[], columns = 80, rows = 24): readonly string[] =>
  frameOf(waves, 12, { color: false, columns, rows });

describe('the live table', () => {
  test('folds waves that are done or have not begun, and shows the clusters at work', () => {
    const waves = [
      wave('canary', 'passed', [row('eu-1', 'ready')]),
      wave('half', 'observing', [
        row('us-1', 'ready'),
        row('us-2', 'observing', { note: 'Deployment shop/web: 1 of 3 replicas available' }),
      ]),
      wave('rest', 'pending', many(3, 'waiting')),
    ];

    expect(frame(waves)).toEqual([
      '✓ canary  passed · 1 cluster',
      '▸ half  observing · 2 clusters, 1 observing, 1 ready',
      '    ✓ us-1  ready     4/4 ready',
      '    ▸ us-2  observing 1/4 ready  Deployment shop/web: 1 of 3 replicas available',
      '· rest  pending · 3 clusters',
      '12 s',
    ]);
  });

  test('of a hundred clusters shows what matters, counts the rest, and never scrolls', () => {
    const rows = [
      ...many(60, 'ready'),
      ...many(10, 'observing', 60),
      row('c-070', 'failed', { note: 'CLUSTER_UNREACHABLE' }),
      ...many(29, 'waiting', 71),
    ];

    const lines = frame([wave('all', 'applying', rows)], 80, 14);

    expect(lines).toHaveLength(13);
    expect(lines.filter((line) => line.includes('✗'))).toEqual([
      '    ✗ c-070  failed    1/4 ready  CLUSTER_UNREACHABLE',
    ]);
    expect(lines.filter((line) => line.includes('observing 1/4'))).toHaveLength(9);
    expect(lines.at(-2)).toBe('    · 90 more: 1 observing, 60 ready, 29 waiting');
  });

  test.each([20, 40, 60])('no line is wider than a terminal of %i columns', (columns) => {
    const name = 'gke_a-project-with-a-long-name_europe-west1_cluster-one';
    const lines = frame(
      [
        wave('a wave of many words', 'observing', [
          row(name, 'observing', { note: 'x'.repeat(200) }),
        ]),
      ],
      columns,
    );

    expect(Math.max(...lines.map((line) => [...line].length))).toBeLessThanOrEqual(columns);
  });

  test('long names keep both ends', () => {
    const [, line] = frame([
      wave('all', 'applying', [
        row('gke_a-project-with-a-long-name_europe-west1_cluster-one', 'applying'),
      ]),
    ]);

    expect(line).toContain('gke_a-project-w…st1_cluster-one');
  });

  test('colours the mark alone, and only when asked', () => {
    const waves = [wave('all', 'failed', [row('a', 'failed')], '1 of 1 clusters failed')];
    const colored = frameOf(waves, 1, { color: true, columns: 30, rows: 24 });

    expect(colored[0]).toBe('\u001b[31m✗\u001b[0m all  failed · 1 of 1 clust…');
    expect(frame(waves).join('')).not.toContain('\u001b');
  });

  test('what a cluster says does nothing to the terminal', () => {
    const note = 'bad\u001b[2J\u001b[31m\r\nnews\u0007';
    const [, line] = frame([wave('all', 'observing', [row('a', 'observing', { note })])]);

    expect(line).toBe('    ▸ a  observing 1/4 ready  bad   news');
  });
});
