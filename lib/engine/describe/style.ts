/** How text is shown: plain, or with ANSI colours. */
export interface Style {
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly red: (text: string) => string;
  readonly green: (text: string) => string;
  readonly yellow: (text: string) => string;
}

const same = (text: string): string => text;
const code =
  (on: number, off: number) =>
  (text: string): string =>
    text === '' ? '' : `\u001b[${on}m${text}\u001b[${off}m`;

export const PLAIN: Style = { bold: same, dim: same, red: same, green: same, yellow: same };
export const COLOURED: Style = {
  bold: code(1, 22),
  dim: code(2, 22),
  red: code(31, 39),
  green: code(32, 39),
  yellow: code(33, 39),
};

/** Cuts at `width` with an ellipsis; measures code points, so use it before colouring. */
export function clip(text: string, width: number): string {
  const points = [...text];
  return points.length <= width ? text : `${points.slice(0, Math.max(0, width - 1)).join('')}…`;
}

/** Pads to `width` code points. */
export function pad(text: string, width: number, side: 'left' | 'right' = 'left'): string {
  const fill = ' '.repeat(Math.max(0, width - [...text].length));
  return side === 'left' ? text + fill : fill + text;
}

/** `1 binding`, `2 bindings`. */
export function count(n: number, noun: string, plural = `${noun}s`): string {
  return `${n} ${n === 1 ? noun : plural}`;
}

/** `5 m`, `1 h 30 m`, `45 s`, `2 d 3 h`: at most two units. */
export function describeSeconds(seconds: number): string {
  const units: readonly (readonly [number, string])[] = [
    [86_400, 'd'],
    [3_600, 'h'],
    [60, 'm'],
    [1, 's'],
  ];
  const parts: string[] = [];
  let rest = Math.max(0, Math.round(seconds));
  for (const [size, unit] of units) {
    const amount = Math.floor(rest / size);
    rest -= amount * size;
    if (amount > 0) parts.push(`${amount} ${unit}`);
  }
  return parts.length === 0 ? '0 s' : parts.slice(0, 2).join(' ');
}
