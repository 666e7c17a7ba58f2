import { fieldAt, withField } from '../../field.js';
import type { Interpreter } from '../../interpreter.js';

/** Whoever paused or resumed the object in the cluster keeps the last word: `spec.suspend`. */
export const retainSuspend: NonNullable<Interpreter['retain']> = (desired, observed) => {
  const suspend = fieldAt(observed, 'spec', 'suspend');
  return suspend === undefined ? desired : withField(desired, ['spec', 'suspend'], suspend);
};
