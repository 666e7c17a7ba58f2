import { reporting } from '../aggregate/counters.js';
import { latest } from '../aggregate/time.js';
import { fieldAt, listAt, textAt } from '../field.js';
import type { Interpreter } from '../interpreter.js';
import { namespaceOf, podReferences } from '../pod/references.js';

export const cronJob: Interpreter = {
  kinds: [{ apiVersion: 'batch/v1', kind: 'CronJob' }],

  interpretDependency(object) {
    return podReferences(
      fieldAt(object, 'spec', 'jobTemplate', 'spec', 'template', 'spec'),
      namespaceOf(object),
    );
  },

  aggregateStatus(object, items) {
    const statuses = reporting(items).map(({ status }) => status);
    const active = statuses.flatMap((status) => listAt(status, 'active'));
    const lastScheduleTime = latest(statuses.map((status) => textAt(status, 'lastScheduleTime')));
    const lastSuccessfulTime = latest(
      statuses.map((status) => textAt(status, 'lastSuccessfulTime')),
    );
    return {
      ...object,
      status: {
        ...(active.length > 0 && { active }),
        ...(lastScheduleTime && { lastScheduleTime }),
        ...(lastSuccessfulTime && { lastSuccessfulTime }),
      },
    };
  },
};
