const UNIT_SECONDS = { h: 3600, m: 60, s: 1 } as const;

/**
 * Whole seconds of Go's duration text as Kubernetes writes it (`90s`, `5m`, `1h30m`), rounded up.
 * `undefined` for anything else, also for the empty text.
 */
export function durationSeconds(text: string): number | undefined {
  if (!/^(\d+(\.\d+)?(h|m|s))+$/.test(text)) return undefined;
  let seconds = 0;
  for (const [, amount, unit] of text.matchAll(/(\d+(?:\.\d+)?)(h|m|s)/g)) {
    seconds += Number(amount) * UNIT_SECONDS[unit as keyof typeof UNIT_SECONDS];
  }
  return Math.ceil(seconds);
}
