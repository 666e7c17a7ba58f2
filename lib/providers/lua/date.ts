const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

/**
 * `os.date` of Lua, always in UTC: a text for a strftime format, or a table for `*t`. A leading `!` changes nothing.
 * Verbs that are not known stay as they are.
 */
export function formatDate(format: string, seconds: number): unknown {
  const date = new Date(seconds * 1000);
  if (Number.isNaN(date.getTime())) throw new Error('the time is out of range');
  const pattern = format.replace(/^!/, '');
  if (pattern.startsWith('*t')) return partsOf(date);
  return expand(pattern, date);
}

/** `os.time` of a table with year, month, day and, where they are not noon, hour, min, sec; all in UTC. */
export function secondsOf(parts: unknown): number {
  const {
    year,
    month,
    day,
    hour = 12,
    min = 0,
    sec = 0,
  } = parts as Partial<Record<string, unknown>>;
  const milliseconds = Date.UTC(
    Number(year),
    Number(month) - 1,
    Number(day),
    Number(hour),
    Number(min),
    Number(sec),
  );
  if (Number.isNaN(milliseconds)) throw new Error('year, month and day must be numbers');
  return Math.floor(milliseconds / 1000);
}

function partsOf(date: Date): Record<string, number | boolean> {
  return {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    hour: date.getUTCHours(),
    min: date.getUTCMinutes(),
    sec: date.getUTCSeconds(),
    wday: date.getUTCDay() + 1,
    yday: dayOfYear(date),
    isdst: false,
  };
}

function expand(pattern: string, date: Date): string {
  return pattern.replace(/%(.)/g, (whole, verb: string) => VERBS[verb]?.(date) ?? whole);
}

function dayOfYear(date: Date): number {
  return Math.floor((date.getTime() - Date.UTC(date.getUTCFullYear(), 0, 1)) / 86_400_000) + 1;
}

const two = (value: number): string => String(value).padStart(2, '0');

const VERBS: Readonly<Record<string, (date: Date) => string>> = {
  '%': () => '%',
  A: (date) => DAYS[date.getUTCDay()] ?? '',
  B: (date) => MONTHS[date.getUTCMonth()] ?? '',
  H: (date) => two(date.getUTCHours()),
  I: (date) => two(date.getUTCHours() % 12 || 12),
  M: (date) => two(date.getUTCMinutes()),
  S: (date) => two(date.getUTCSeconds()),
  X: (date) => expand('%H:%M:%S', date),
  Y: (date) => String(date.getUTCFullYear()),
  Z: () => 'UTC',
  a: (date) => (DAYS[date.getUTCDay()] ?? '').slice(0, 3),
  b: (date) => (MONTHS[date.getUTCMonth()] ?? '').slice(0, 3),
  c: (date) => expand('%d %b %y %H:%M UTC', date),
  d: (date) => two(date.getUTCDate()),
  j: (date) => String(dayOfYear(date)).padStart(3, '0'),
  m: (date) => two(date.getUTCMonth() + 1),
  p: (date) => (date.getUTCHours() < 12 ? 'AM' : 'PM'),
  x: (date) => expand('%m/%d/%y', date),
  y: (date) => two(date.getUTCFullYear() % 100),
  z: () => '+0000',
};
