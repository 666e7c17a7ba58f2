import { listAt, objectAt } from '../merge/json.js';
import { isDeleted, ownKey, type Controller } from './controller.js';

/** Binds PersistentVolumeClaims, as a provisioner without limits would. */
export function volumeController(): Controller {
  return {
    name: 'persistentvolume-binder',
    concerns: (event) => ownKey(event, '', 'persistentvolumeclaims'),
    reconcile: (key, reach) => {
      const kind = reach.kind('v1', 'PersistentVolumeClaim');
      const claim = reach.get(kind, key);
      if (claim === undefined || isDeleted(claim) || objectAt(claim, 'status')['phase'] === 'Bound')
        return;
      const spec = objectAt(claim, 'spec');
      const bound = reach.update(kind, claim, {
        ...claim,
        spec: {
          ...spec,
          volumeName: `pvc-${String(objectAt(claim, 'metadata')['uid'])}`,
          storageClassName: spec['storageClassName'] ?? 'standard',
        },
      });
      reach.setStatus(kind, bound, {
        phase: 'Bound',
        accessModes: listAt(spec, 'accessModes'),
        capacity: objectAt(spec, 'resources', 'requests'),
      });
    },
  };
}
