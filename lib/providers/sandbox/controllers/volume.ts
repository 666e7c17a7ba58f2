import { listAt, objectAt, type JsonObject } from '../merge/json.js';
import { storageKey } from '../schema/kinds.js';
import { PROTECTION } from '../schema/strategy.js';
import { isDeleted, keyOf, ownKey, type Controller, type Reach } from './controller.js';

const PODS = storageKey({ group: '', resource: 'pods' });

/** Binds PersistentVolumeClaims, as a provisioner without limits would, and lets them go when no pod uses them. */
export function volumeController(): Controller {
  return {
    name: 'persistentvolume-binder',
    concerns: (event) => {
      if (event.storage !== PODS || event.type !== 'DELETED')
        return ownKey(event, '', 'persistentvolumeclaims');
      const { namespace } = keyOf(event.object);
      return claimsOf(event.object).map((name) => ({ namespace, name }));
    },
    reconcile: (key, reach) => {
      const kind = reach.kind('v1', 'PersistentVolumeClaim');
      const claim = reach.get(kind, key);
      if (claim === undefined) return;
      if (isDeleted(claim)) return letGo(claim, reach);
      if (objectAt(claim, 'status')['phase'] === 'Bound') return;
      const spec = objectAt(claim, 'spec');
      const volumeName = `pvc-${String(objectAt(claim, 'metadata')['uid'])}`;
      const storageClassName = spec['storageClassName'] ?? 'standard';
      const bound = reach.update(kind, claim, {
        ...claim,
        spec: { ...spec, volumeName, storageClassName },
      });
      reach.setStatus(kind, bound, {
        phase: 'Bound',
        accessModes: listAt(spec, 'accessModes'),
        capacity: objectAt(spec, 'resources', 'requests'),
      });
    },
  };
}

function letGo(claim: JsonObject, reach: Reach): void {
  const { namespace, name } = keyOf(claim);
  const pods = reach.world.store.list({ group: '', resource: 'pods' }, namespace);
  const finalizers = listAt(claim, 'metadata', 'finalizers');
  if (!finalizers.includes(PROTECTION) || pods.some((pod) => claimsOf(pod).includes(name))) return;
  const metadata = {
    ...objectAt(claim, 'metadata'),
    finalizers: finalizers.filter((each) => each !== PROTECTION),
  };
  reach.update(reach.kind('v1', 'PersistentVolumeClaim'), claim, { ...claim, metadata });
}

function claimsOf(pod: JsonObject): string[] {
  return listAt(pod, 'spec', 'volumes').flatMap((volume) => {
    const { claimName } = objectAt(volume, 'persistentVolumeClaim');
    return typeof claimName === 'string' ? [claimName] : [];
  });
}
