/** The earliest of RFC 3339 times; `undefined` when there is none. Ties: the first listed. */
export function earliest(times: readonly string[]): string | undefined {
  return extreme(times, (a, b) => a < b);
}

/** The latest of RFC 3339 times; `undefined` when there is none. Ties: the first listed. */
export function latest(times: readonly string[]): string | undefined {
  return extreme(times, (a, b) => a > b);
}

function extreme(
  times: readonly string[],
  isBetter: (a: number, b: number) => boolean,
): string | undefined {
  let best: string | undefined;
  for (const time of times) {
    if (time === '') continue;
    if (best === undefined || isBetter(Date.parse(time), Date.parse(best))) best = time;
  }
  return best;
}
