import { objectAt } from '../merge/json.js';
import { isDeleted, ownKey, type Controller } from './controller.js';

const AGAIN_MS = 60;

/** Gives every namespace its service account, and empties one that is deleted before it goes. */
export function namespaceController(): Controller {
  return {
    name: 'namespace',
    concerns: (event) => ownKey(event, '', 'namespaces'),
    reconcile: (key, reach) => {
      const kind = reach.kind('v1', 'Namespace');
      const namespace = reach.get(kind, key);
      if (namespace === undefined) return undefined;
      if (!isDeleted(namespace)) {
        const account = reach.kind('v1', 'ServiceAccount');
        const at = { namespace: key.name, name: 'default' };
        if (reach.get(account, at) === undefined)
          reach.create(account, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: at });
        return undefined;
      }
      let left = 0;
      for (const each of reach.world.kinds.all()) {
        if (!each.namespaced) continue;
        for (const object of reach.world.store.list(each, key.name)) {
          if (!isDeleted(object)) reach.delete(each, object);
          if (
            reach.get(each, {
              namespace: key.name,
              name: String(objectAt(object, 'metadata')['name']),
            }) !== undefined
          )
            left++;
        }
      }
      // What has finalizers goes when they do; nothing tells this controller, so it looks again.
      if (left > 0) return AGAIN_MS;
      const { finalizers: _, ...spec } = objectAt(namespace, 'spec');
      reach.release(kind, { ...namespace, spec });
      return undefined;
    },
  };
}
