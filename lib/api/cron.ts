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
/** The five fields as the controller reads them. */
const STANDARD: readonly CronField[] = FIELDS.map(({ special: _special, ...field }) => ({
  ...field,
  max: field.max === 7 ? 6 : field.max,
}));
const YEAR: CronField = { min: 1, max: 9999 };

/** Shorthands that both the webhook and the controller know. */
const SHORTHANDS = ['@yearly', '@annually', '@monthly', '@weekly', '@daily', '@hourly'];

/** Shorthands that only the webhook knows. */
const ADMITTED_SHORTHANDS = [
  ...['@always', '@everysecond', '@everyminute'],
  ...['@5minutes', '@10minutes', '@15minutes', '@30minutes'],
];

/**
 * What becomes of a schedule. Karmada's webhook and controller read it with different parsers: `runs` where both
 * take it, `never runs` where only the webhook does (seconds, years, `L`, `W`, `#`, day 7), else `refused`.
 * The webhook's verdict on some expressions depends on the minute it is asked; here a wrong part is always refused.
 */
export function judgeCron(text: string): 'runs' | 'never runs' | 'refused' {
  const trimmed = text.trim();
  if (trimmed.startsWith('@')) {
    if (SHORTHANDS.includes(trimmed)) return 'runs';
    const known = [...SHORTHANDS, ...ADMITTED_SHORTHANDS].includes(trimmed.toLowerCase());
    return known ? 'never runs' : 'refused';
  }
  const fields = trimmed.toUpperCase().split(/\s+/);
  const shape = shapeOf(fields);
  if (shape === undefined || !fields.every((field, i) => isCronField(field, shape[i] ?? SECOND))) {
    return 'refused';
  }
  const runs =
    fields.length === 5 && fields.every((field, i) => isCronField(field, STANDARD[i] ?? SECOND));
  return runs ? 'runs' : 'never runs';
}

function shapeOf(fields: readonly string[]): readonly CronField[] | undefined {
  if (fields.length === 5) return FIELDS;
  if (fields.length === 7) return [SECOND, ...FIELDS, YEAR];
  if (fields.length !== 6) return undefined;
  return /^\d{4}/.test(fields[5] ?? '') ? [...FIELDS, YEAR] : [SECOND, ...FIELDS];
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
