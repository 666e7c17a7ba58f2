import type { KubeObject } from '../../../api/object.js';
import type { Readiness } from './readiness.js';
import {
  count,
  describeCondition,
  findCondition,
  hasFailed,
  part,
  READY,
  waiting,
} from './readiness.js';

/** Complete. A Job that failed is a failure at once; a suspended one waits for whoever suspended it. */
export function jobReadiness(object: KubeObject): Readiness {
  const failure = findCondition(object, 'Failed') ?? findCondition(object, 'FailureTarget');
  if (failure?.status === 'True') return hasFailed(describeCondition(failure));
  if (findCondition(object, 'Complete')?.status === 'True') return READY;
  const spec = part(object, 'spec');
  if (spec['suspend'] === true) return waiting('the Job to be resumed (spec.suspend is true)');
  const done = count(part(object, 'status')['succeeded']);
  return waiting(`completion (${done} of ${count(spec['completions'], 1)} succeeded)`);
}
