import type { KubeObject } from '../../../api/object.js';
import type { Readiness } from './readiness.js';
import { count, notObserved, part, reached } from './readiness.js';

/** As many healthy pods as it demands. */
export function disruptionBudgetReadiness(object: KubeObject): Readiness {
  const status = part(object, 'status');
  return (
    notObserved(object) ??
    reached(['healthy pods', count(status['currentHealthy']), count(status['desiredHealthy'])])
  );
}
