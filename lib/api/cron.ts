/** What one field of a cron expression may hold: numbers, names, and the letters that days take. */
interface CronField {
  readonly min: number;
  readonly max: number;
  readonly names?: readonly string[];
  readonly special?: RegExp;
}

const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
const DAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];

const SECOND: CronField = { min: 0, max: 59 };
const FIELDS: readonly CronField[] = [
  { min: 0, max: 59 },
  { min: 0, max: 23 },
  { min: 1, max: 31, special: /^(L|\d{1,2}W)$/ },
  { min: 1, max: 12, names: MONTHS },
  { min: 0, max: 7, names: DAYS, special: /^([0-7]L|[0-7]#[1-5])$/ },
];
const YEAR: CronField = { min: 1, max: 9999 };

const SHORTHANDS = new Set([
  '@always',
  '@everysecond',
  '@everyminute',
  '@5minutes',
  '@10minutes',
  '@15minutes',
  '@30minutes',
  '@hourly',
  '@daily',
  '@weekly',
  '@monthly',
  '@yearly',
  '@annually',
]);

/**
 * Whether Karmada takes it as a schedule: five fields, with a leading seconds field (six) and a trailing year
 * (seven), or a shorthand such as `@hourly`.
 */
export function isCron(text: string): boolean {
  const trimmed = text.trim();
  if (trimmed.startsWith('@')) return SHORTHANDS.has(trimmed.toLowerCase());
  const fields = trimmed.split(/\s+/);
  if (fields.length < 5 || fields.length > 7) return false;
  const shape =
    fields.length === 5
      ? FIELDS
      : fields.length === 6
        ? [SECOND, ...FIELDS]
        : [SECOND, ...FIELDS, YEAR];
  return fields.every((field, i) => isCronField(field.toUpperCase(), shape[i] ?? SECOND));
}

function isCronField(text: string, field: CronField): boolean {
  return text.split(',').every((item) => {
    const [range = '', step, ...rest] = item.split('/');
    if (rest.length > 0 || (step !== undefined && !/^[1-9]\d*$/.test(step))) return false;
    return range === '*' || range === '?' || isRange(range, field);
  });
}

function isRange(text: string, field: CronField): boolean {
  if (field.special?.test(text) === true) return true;
  const bounds = text.split('-').map((bound) => numberOf(bound, field));
  if (bounds.length > 2) return false;
  const [from, to = from] = bounds;
  return from !== undefined && to !== undefined && from <= to;
}

function numberOf(text: string, field: CronField): number | undefined {
  const name = field.names?.indexOf(text) ?? -1;
  if (name >= 0) return field.min === 0 ? name : name + 1;
  if (!/^\d+$/.test(text)) return undefined;
  const value = Number(text);
  return value >= field.min && value <= field.max ? value : undefined;
}
