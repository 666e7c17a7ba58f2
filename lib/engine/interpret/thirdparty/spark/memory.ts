import type { KubeObject } from '../../../../api/object.js';
import { fieldAt, textAt } from '../../field.js';
import { InterpretError } from '../../interpret-error.js';
import { numberOf } from '../pattern/number.js';

/** Binary units, smallest first: Spark's letter and Kubernetes' suffix. */
const UNITS = [
  ['b', ''],
  ['k', 'Ki'],
  ['m', 'Mi'],
  ['g', 'Gi'],
  ['t', 'Ti'],
  ['p', 'Pi'],
] as const;

const MEBI = 2;
const LEAST_OVERHEAD_MEBI = 384;

interface Memory {
  readonly bytes: number;
  /** Position in {@link UNITS}. */
  readonly unit: number;
}

/**
 * What a Spark role's container requests: its memory and the overhead beside the JVM, with six decimals in the smaller
 * of the two units.
 *
 * Without `memoryOverhead` the overhead is a factor of the memory, at least 384 Mi; the factor is 0.1 for Java and Scala,
 * else 0.4.
 */
export function requestedMemory(object: KubeObject, role: unknown): string {
  const memory = parseMemory(textAt(role, 'memory') || '1g');
  const overhead = overheadOf(object, role, memory);
  const unit = Math.min(memory.unit, overhead.unit);
  const amount = (memory.bytes + overhead.bytes) / 1024 ** unit;
  return `${amount.toFixed(6)}${UNITS[unit]?.[1] ?? ''}`;
}

function overheadOf(object: KubeObject, role: unknown, memory: Memory): Memory {
  const fixed = textAt(role, 'memoryOverhead');
  if (fixed !== '') return parseMemory(fixed);
  const isJvm = ['Java', 'Scala'].includes(textAt(object, 'spec', 'type'));
  const factor = numberOf(fieldAt(object, 'spec', 'memoryOverheadFactor'), isJvm ? 0.1 : 0.4);
  const least = LEAST_OVERHEAD_MEBI * 1024 ** MEBI;
  return { bytes: Math.max(memory.bytes * factor, least), unit: MEBI };
}

/** @throws {@link InterpretError} for a text that is no amount of memory */
function parseMemory(text: string): Memory {
  const match = /^\s*(\d+(?:\.\d+)?)\s*([bkmgtp]?)(?:i?b)?\s*$/i.exec(text);
  if (match === null) throw new InterpretError(`${JSON.stringify(text)} is no amount of memory`);
  const letter = match[2]?.toLowerCase() ?? '';
  const unit = letter === '' ? 0 : UNITS.findIndex(([own]) => own === letter);
  return { bytes: Number(match[1]) * 1024 ** unit, unit };
}
