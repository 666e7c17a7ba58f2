import { isObject, listAt, objectAt, type JsonObject } from '../merge/json.js';
import { BUILTIN, type Kind } from './kinds.js';
import { completed, rootSchema, schemaFaults } from './structural.js';

/** The kinds one cluster serves: the built-in ones, and those of its CRDs. */
export class Registry {
  private readonly custom = new Map<string, readonly Kind[]>();
  private index = indexOf(BUILTIN);

  /** In the order of discovery: built-in first, then by CRD name. */
  all(): readonly Kind[] {
    return this.index.all;
  }

  byResource(group: string, version: string, resource: string): Kind | undefined {
    return this.index.byResource.get(`${group}/${version}/${resource}`);
  }

  byKind(apiVersion: string, kind: string): Kind | undefined {
    return this.index.byKind.get(`${apiVersion}/${kind}`);
  }

  /** Serve what a CRD declares, replacing what it declared before. */
  serve(crd: JsonObject): void {
    this.custom.set(crdName(crd), kindsOf(crd));
    this.rebuild();
  }

  withdraw(crd: JsonObject): void {
    this.custom.delete(crdName(crd));
    this.rebuild();
  }

  private rebuild(): void {
    const names = [...this.custom.keys()].sort();
    this.index = indexOf([...BUILTIN, ...names.flatMap((name) => this.custom.get(name) ?? [])]);
  }
}

interface Index {
  readonly all: readonly Kind[];
  readonly byResource: ReadonlyMap<string, Kind>;
  readonly byKind: ReadonlyMap<string, Kind>;
}

function indexOf(all: readonly Kind[]): Index {
  return {
    all,
    byResource: new Map(
      all.map((kind) => [`${kind.group}/${kind.version}/${kind.resource}`, kind]),
    ),
    byKind: new Map(all.map((kind) => [`${kind.apiVersion}/${kind.kind}`, kind])),
  };
}

/** The kinds of a CRD, one per served version. */
export function kindsOf(crd: JsonObject): readonly Kind[] {
  const spec = objectAt(crd, 'spec');
  const names = objectAt(spec, 'names');
  const group = String(spec['group']);
  return listAt(spec, 'versions')
    .filter(isObject)
    .filter((version) => version['served'] === true)
    .map((version) => {
      const openApi = objectAt(version, 'schema', 'openAPIV3Schema');
      const schema = rootSchema(openApi);
      const subresources = objectAt(version, 'subresources');
      const scale = objectAt(subresources, 'scale');
      return {
        group,
        version: String(version['name']),
        apiVersion: `${group}/${String(version['name'])}`,
        kind: String(names['kind']),
        resource: String(names['plural']),
        singular: String(names['singular'] ?? ''),
        namespaced: spec['scope'] === 'Namespaced',
        shortNames: listAt(names, 'shortNames').map(String),
        categories: listAt(names, 'categories').map(String),
        subresources: new Set(Object.keys(subresources)),
        counted: true,
        schema,
        custom: {
          crd: crdName(crd),
          columns: listAt(version, 'additionalPrinterColumns')
            .filter(isObject)
            .map((column) => ({
              name: String(column['name']),
              type: String(column['type']),
              jsonPath: String(column['jsonPath']),
            })),
          ...('scale' in subresources && {
            scale: {
              spec: String(scale['specReplicasPath']),
              status: String(scale['statusReplicasPath']),
            },
          }),
          withDefaults: (object) => completed(object, openApi, schema),
          faults: (object) => schemaFaults(object, openApi),
        },
      };
    });
}

function crdName(crd: JsonObject): string {
  return String(objectAt(crd, 'metadata')['name']);
}
