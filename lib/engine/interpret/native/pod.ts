import { fieldAt, listAt, textAt, withField, withoutField } from '../field.js';
import type { Interpreter } from '../interpreter.js';
import { namespaceOf, podReferences } from '../pod/references.js';
import { podRequirements } from '../pod/requirements.js';
import { firstPhase } from '../aggregate/phase.js';
import type { KubeObject } from '../../../api/object.js';

export const pod: Interpreter = {
  kinds: [{ apiVersion: 'v1', kind: 'Pod' }],

  interpretReplica(object) {
    const requirements = podRequirements(fieldAt(object, 'spec'));
    return { replicas: 1, ...(requirements !== undefined && { requirements }) };
  },

  interpretDependency(object) {
    return podReferences(fieldAt(object, 'spec'), namespaceOf(object));
  },

  interpretHealth(object) {
    const phase = textAt(object, 'status', 'phase');
    const isReady = listAt(object, 'status', 'conditions').some(
      (c) => textAt(c, 'type') === 'Ready' && textAt(c, 'status') === 'True',
    );
    return phase === 'Succeeded' || (phase === 'Running' && isReady);
  },

  /** What admission and the scheduler of the cluster filled in, none of which can be changed. */
  retain(desired, observed) {
    let kept: KubeObject = desired;
    for (const field of ['nodeName', 'serviceAccountName', 'volumes']) {
      const value = fieldAt(observed, 'spec', field);
      kept =
        value === undefined
          ? withoutField(kept, ['spec', field])
          : withField(kept, ['spec', field], value);
    }
    for (const list of ['containers', 'initContainers']) {
      const observedByName = new Map(
        listAt(observed, 'spec', list).map((c) => [textAt(c, 'name'), c]),
      );
      const containers = listAt(desired, 'spec', list);
      if (containers.length === 0) continue;
      kept = withField(
        kept,
        ['spec', list],
        containers.map((c) => withMounts(c, observedByName.get(textAt(c, 'name')))),
      );
    }
    return kept;
  },

  aggregateStatus(object, items) {
    if (items === undefined) return object;
    const phase = firstPhase(['Failed', 'Pending', 'Running', 'Succeeded'], items);
    const statuses = (list: string): readonly unknown[] =>
      items
        .flatMap(({ status }) => listAt(status, list))
        .map((entry) => ({
          ...EMPTY_CONTAINER_STATUS,
          ready: fieldAt(entry, 'ready') ?? false,
          ...(fieldAt(entry, 'state') !== undefined && { state: fieldAt(entry, 'state') }),
        }));
    const containerStatuses = statuses('containerStatuses');
    const initContainerStatuses = statuses('initContainerStatuses');
    return {
      ...object,
      status: {
        ...(phase !== '' && { phase }),
        ...(containerStatuses.length > 0 && { containerStatuses }),
        ...(initContainerStatuses.length > 0 && { initContainerStatuses }),
      },
    };
  },
};

/** The API requires these; Karmada reports only readiness and state of each container. */
const EMPTY_CONTAINER_STATUS = { name: '', image: '', imageID: '', restartCount: 0 };

function withMounts(container: unknown, observed: unknown): unknown {
  if (observed === undefined) return container;
  const mounts = fieldAt(observed, 'volumeMounts');
  const target = container as object;
  return mounts === undefined
    ? withoutField(target, ['volumeMounts'])
    : withField(target, ['volumeMounts'], mounts);
}
