import type { KubeObject } from '../../../../api/object.js';
import { fieldAt, listAt, textAt, withField } from '../../field.js';
import type { DependentReference, Interpreter } from '../../interpreter.js';
import { namespaceOf, podReferences, referenceTo, uniqueReferences } from '../../pod/references.js';
import { replicasOf, specCount } from '../pattern/pod-template.js';
import { retainSuspend } from '../pattern/suspend.js';

export const workflow: Interpreter = {
  kinds: [{ apiVersion: 'argoproj.io/v1alpha1', kind: 'Workflow' }],
  reviseReplica: (object, replicas) => withField(object, ['spec', 'parallelism'], replicas),
  interpretDependency: workflowReferences,

  /** Where its pods may run counts, what they request does not. */
  interpretReplica(object) {
    const { affinity, nodeSelector, tolerations } = (fieldAt(object, 'spec') ?? {}) as Record<
      string,
      unknown
    >;
    return replicasOf(specCount(object, 'parallelism', 1), {
      spec: { affinity, nodeSelector, tolerations },
    });
  },

  interpretHealth(object) {
    return !['', 'Error', 'Failed'].includes(textAt(object, 'status', 'phase'));
  },

  retain(desired, observed) {
    const kept = retainSuspend(desired, observed);
    const status = fieldAt(observed, 'status');
    return status === undefined ? kept : { ...kept, status };
  },
};

/** What the workflow itself names; the containers of its templates are not looked into. */
function workflowReferences(object: KubeObject): readonly DependentReference[] {
  const namespace = namespaceOf(object);
  const spec = fieldAt(object, 'spec');
  const inPod = podReferences(
    {
      volumes: listAt(spec, 'volumes').map(withSecretByName),
      imagePullSecrets: listAt(spec, 'imagePullSecrets'),
      serviceAccountName: textAt(spec, 'serviceAccountName'),
    },
    namespace,
  );
  const claims = listAt(spec, 'volumeClaimTemplates').map((claim) =>
    textAt(claim, 'metadata', 'name'),
  );
  const executor = textAt(spec, 'executor', 'serviceAccountName');
  return uniqueReferences([
    ...inPod,
    ...claims
      .filter((name) => name !== '')
      .map((name) => referenceTo('v1', 'PersistentVolumeClaim', namespace, name)),
    ...(executor === '' ? [] : [referenceTo('v1', 'ServiceAccount', namespace, executor)]),
  ]);
}

/** Karmada looks for the secret of a volume under `secret.name`, so that ordinary ones are missed. */
function withSecretByName(volume: unknown): unknown {
  return withField(volume as object, ['secret'], { secretName: textAt(volume, 'secret', 'name') });
}
