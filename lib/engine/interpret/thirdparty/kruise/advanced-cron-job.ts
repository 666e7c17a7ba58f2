import { fieldAt, listAt, objectAt } from '../../field.js';
import { reporting } from '../../aggregate/counters.js';
import type { Interpreter } from '../../interpreter.js';
import { referencesOf } from '../pattern/pod-template.js';
import { lastOf, withStatus } from '../pattern/status.js';

export const advancedCronJob: Interpreter = {
  kinds: [{ apiVersion: 'apps.kruise.io/v1alpha1', kind: 'AdvancedCronJob' }],

  interpretDependency(object) {
    const job = fieldAt(object, 'spec', 'template', 'jobTemplate', 'spec', 'template');
    const broadcastJob = fieldAt(
      object,
      'spec',
      'template',
      'broadcastJobTemplate',
      'spec',
      'template',
    );
    return referencesOf(object, broadcastJob ?? job);
  },

  aggregateStatus(template, items) {
    if (items === undefined) return template;
    const active = reporting(items).flatMap(({ status }) => listAt(status, 'active'));
    return withStatus(template, {
      ...objectAt(template, 'status'),
      active,
      type: lastOf(items, 'type') ?? '',
      lastScheduleTime: lastOf(items, 'lastScheduleTime') ?? {},
    });
  },
};
