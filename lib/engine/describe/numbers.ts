import type { DivisionStep, Explanation } from '../schedule/explanation.js';
import { clip, pad, type Style } from './style.js';

/** Candidates and parties beyond this are counted: nobody reads a thousand rows. */
const MOST = 40;
const UNLIMITED = 2147483647;

/** The numbers behind a decision: candidates in order, the choice of regions, the selection, each division. */
export function describeNumbers(explanation: Explanation | undefined, style: Style): string[] {
  if (explanation === undefined) return [];
  const { candidates, regions, selected, division } = explanation;
  return [
    '',
    style.bold('Candidates, best first'),
    ...table(
      ['CLUSTER', 'SCORE', 'ROOM FOR', 'WITH ITS OWN'],
      candidates.map((c) => [
        c.cluster,
        String(c.score),
        amount(c.allocatable),
        amount(c.available),
      ]),
    ),
    ...(regions === undefined ? [] : describeRegions(regions, style)),
    '',
    `${style.bold('Selected')}  ${clip(selected.join(', '), 200)}`,
    ...division.flatMap((step) => describeDivision(step, style)),
  ];
}

function describeRegions(
  { scored, chosen }: NonNullable<Explanation['regions']>,
  style: Style,
): string[] {
  const rows = scored.map((r) => [
    r.name,
    String(r.value),
    String(r.weight),
    chosen.includes(r.name) ? 'chosen' : '',
  ]);
  return ['', style.bold('Regions'), ...table(['REGION', 'CLUSTERS', 'SCORE', ''], rows)];
}

function describeDivision(
  { title, replicas, parties, lastSeat }: DivisionStep,
  style: Style,
): string[] {
  const rows = parties.map((p) => [p.cluster, amount(p.weight), String(p.got)]);
  const lines = [
    '',
    `${style.bold('Division')}  ${title}: ${replicas} to give`,
    ...table(['CLUSTER', 'WEIGHT', 'GOT'], rows),
  ];
  if (lastSeat === undefined) return lines;
  const { cluster, priority, wasTie, next } = lastSeat;
  const after =
    next === undefined ? '' : `; next in line was ${next.cluster} with ${next.priority.toFixed(3)}`;
  const tie = wasTie ? ' (a tie: fewer replicas, then the name and the tie seed decide)' : '';
  return [
    ...lines,
    `  the last one went to ${cluster} with weight / (2 × got + 1) = ${priority.toFixed(3)}${tie}${after}`,
  ];
}

function amount(value: number): string {
  return value === UNLIMITED ? 'any' : String(value);
}

/** Left-aligned first column, right-aligned numbers. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const all = [head, ...rows.slice(0, MOST)];
  const widths = head.map((_, i) => Math.max(...all.map((row) => (row[i] ?? '').length)));
  const lines = all.map((row) =>
    `  ${row.map((cell, i) => pad(cell, widths[i] ?? 0, i === 0 ? 'left' : 'right')).join('  ')}`.trimEnd(),
  );
  return rows.length > MOST ? [...lines, `  and ${rows.length - MOST} more`] : lines;
}
