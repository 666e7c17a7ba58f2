import { objectAt, type JsonObject } from '../merge/json.js';

/** Name and namespace of an object; an absent name is the empty string. */
export function identityOf(object: JsonObject): {
  readonly name: string;
  readonly namespace?: string;
} {
  const { name, namespace } = objectAt(object, 'metadata');
  return {
    name: String(name ?? ''),
    ...(typeof namespace === 'string' && namespace !== '' && { namespace }),
  };
}
