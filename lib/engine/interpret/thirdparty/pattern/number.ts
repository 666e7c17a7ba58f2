/** What a script takes for a number: a number or a text that is one; anything else gives the fallback. */
export function numberOf(value: unknown, fallback: number): number {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string' || value.trim() === '') return fallback;
  const number = Number(value);
  return Number.isFinite(number) ? number : fallback;
}
