import { objectAt, type JsonObject } from '../merge/json.js';
import { timestamp } from '../time.js';
import { withCondition } from './conditions.js';
import {
  isDeleted,
  ownedBy,
  ownerKey,
  ownKey,
  type Controller,
  type Key,
  type Reach,
} from './controller.js';
import { podFrom } from './replicaset.js';

/** Runs a Job's pods until enough have succeeded. Pods of the sandbox do not fail; those that never start keep the Job active. */
export function jobController(): Controller {
  return {
    name: 'job',
    concerns: (event) => [...ownKey(event, 'batch', 'jobs'), ...ownerKey(event, '', 'pods', 'Job')],
    reconcile: reconcileJob,
  };
}

function reconcileJob(key: Key, reach: Reach): undefined {
  const { world } = reach;
  const kind = reach.kind('batch/v1', 'Job');
  const podKind = reach.kind('v1', 'Pod');
  const job = reach.get(kind, key);
  if (
    job === undefined ||
    isDeleted(job) ||
    objectAt(job, 'status')['completionTime'] !== undefined
  )
    return undefined;
  const spec = objectAt(job, 'spec');
  const parallelism = Number(spec['parallelism'] ?? 1);
  const completions = Number(spec['completions'] ?? parallelism);
  const isSuspended = spec['suspend'] === true;
  const all = (): JsonObject[] => ownedBy(job, podKind, reach);
  const count = (pods: readonly JsonObject[]): number =>
    pods.filter((pod) => objectAt(pod, 'status')['phase'] === 'Succeeded').length;

  const succeeded = Math.min(completions, count(all()));
  const wanted = isSuspended ? 0 : Math.min(parallelism, completions - succeeded);
  const active = all().filter((pod) => objectAt(pod, 'status')['phase'] !== 'Succeeded');
  for (let running = active.length; running < wanted; running++)
    reach.create(podKind, podFrom(job));
  for (const pod of active.slice(wanted)) reach.delete(podKind, pod);

  const live = reach.get(kind, key);
  if (live === undefined) return undefined;
  const before = objectAt(live, 'status');
  let status: JsonObject = {
    ...(before['conditions'] !== undefined && { conditions: before['conditions'] }),
    ...(wanted > 0 && { active: wanted }),
    ...(succeeded > 0 && { succeeded }),
    ready: 0,
    terminating: 0,
    uncountedTerminatedPods: {},
    ...(!isSuspended && { startTime: before['startTime'] ?? timestamp(world.time) }),
  };
  if (isSuspended)
    status = withCondition(world, status, {
      type: 'Suspended',
      status: 'True',
      reason: 'JobSuspended',
      message: 'Job suspended',
    });
  if (succeeded >= completions && !isSuspended) {
    const reached = {
      status: 'True',
      reason: 'CompletionsReached',
      message: 'Reached expected number of succeeded pods',
    } as const;
    status = withCondition(world, status, { type: 'SuccessCriteriaMet', ...reached });
    status = {
      ...withCondition(world, status, { type: 'Complete', ...reached }),
      completionTime: timestamp(world.time),
    };
  }
  reach.setStatus(kind, live, status);
  return undefined;
}
