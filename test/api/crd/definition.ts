import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

/** OpenAPI v3 schema as CustomResourceDefinitions use it; only the keywords that Karmada's have. */
export interface OpenApi {
  readonly type?: 'array' | 'boolean' | 'integer' | 'object' | 'string';
  readonly format?: string;
  readonly enum?: readonly string[];
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, OpenApi>>;
  readonly required?: readonly string[];
  readonly items?: OpenApi;
  readonly additionalProperties?: OpenApi;
  readonly 'x-kubernetes-int-or-string'?: boolean;
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean;
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
}

export interface Definition {
  readonly group: string;
  readonly kind: string;
  readonly plural: string;
  readonly namespaced: boolean;
  readonly versions: readonly {
    readonly name: string;
    readonly schema: OpenApi;
    /** What is stored is in this version, so fields that it does not have are lost. */
    readonly storage: boolean;
  }[];
  /** The whole document. */
  readonly document: CustomResourceDefinition;
}

export interface CustomResourceDefinition {
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly group: string;
    readonly names: { readonly kind: string; readonly plural: string };
    readonly scope: 'Namespaced' | 'Cluster';
    readonly versions: readonly {
      readonly name: string;
      readonly storage: boolean;
      readonly schema: { readonly openAPIV3Schema: OpenApi };
    }[];
  };
}

const FOLDER = join(__dirname, '../../fixtures/crds');

/** All CustomResourceDefinitions of the fixtures, sorted by name. */
export function definitions(): readonly Definition[] {
  read ??= readDefinitions();
  return read;
}

let read: readonly Definition[] | undefined;

function readDefinitions(): readonly Definition[] {
  return readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => parse(readFileSync(join(FOLDER, file), 'utf8')) as CustomResourceDefinition)
    .sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1))
    .map((document) => ({
      group: document.spec.group,
      kind: document.spec.names.kind,
      plural: document.spec.names.plural,
      namespaced: document.spec.scope === 'Namespaced',
      versions: document.spec.versions.map(({ name, schema, storage }) => ({
        name,
        storage,
        schema: schema.openAPIV3Schema,
      })),
      document,
    }));
}
