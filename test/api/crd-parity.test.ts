/**
 * Our schemas against Karmada's own: each CustomResourceDefinition is installed in a real API server, a document with
 * every field that it knows is changed in every way that tells two schemas apart, and both verdicts are compared.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { isDeepStrictEqual } from 'node:util';
import { withTable } from '../../lib/api/defaults/table.js';
import { KINDS, validateDocument } from '../../lib/api/index.js';
import { withoutNulls } from '../../lib/api/shape.js';
import { describeWithRig } from '../rig/rig.js';
import { REFUSED, TAKEN } from './admission-cases.js';
import { definitions } from './crd/definition.js';
import { mutations } from './crd/mutation.js';
import { richObjectOf } from './crd/rich.js';
import { type ParityServer, parityServer } from './crd/server.js';

const minutes = 60_000;

/** What a schema alone refuses: no rules of webhooks, no advice on fields that Karmada ignores. */
function oursRefuses(document: object): string | undefined {
  const found = validateDocument(document).filter(
    ({ admission, ignored }) => admission !== true && ignored !== true,
  );
  return found[0]?.summary;
}

const [definition] = definitions().filter(({ kind }) => kind === 'Remedy');

/** Metadata, on the smallest kind: the same for all. */
const METADATA: readonly { readonly name: string; readonly metadata: unknown }[] = [
  {
    name: 'all that it may hold',
    metadata: { name: 'a.b-c', labels: { 'a.b/c': '', d: 'E_f.1' }, annotations: { A: '' } },
  },
  { name: 'no value for labels', metadata: { name: 'a', labels: null } },
  { name: 'no metadata', metadata: null },
  { name: 'metadata that is a text', metadata: 'a' },
  { name: 'no name', metadata: {} },
  { name: 'a generated name', metadata: { generateName: 'a-' } },
  { name: 'a number as name', metadata: { name: 7 } },
  { name: 'capitals in the name', metadata: { name: 'Web' } },
  { name: 'an unknown field', metadata: { name: 'a', label: {} } },
  { name: 'a number as label', metadata: { name: 'a', labels: { v: 1 } } },
  { name: 'a label without value', metadata: { name: 'a', labels: { v: null } } },
  { name: 'a label key that is none', metadata: { name: 'a', labels: { 'a b': '' } } },
  { name: 'a label value that is none', metadata: { name: 'a', labels: { a: 'b c' } } },
  { name: 'labels as a list', metadata: { name: 'a', labels: ['a'] } },
  { name: 'true as annotation', metadata: { name: 'a', annotations: { v: true } } },
  { name: 'an annotation key that is none', metadata: { name: 'a', annotations: { 'a/b/c': '' } } },
];

/** The document as our schema's defaults complete it, without what the server adds to metadata. */
function oursStores(document: Readonly<Record<string, unknown>>): object {
  const entry = KINDS[`${String(document['apiVersion'])}/${String(document['kind'])}`];
  if (entry === undefined) throw new Error('unknown kind');
  return withoutIdentity(withTable(withoutNulls(entry.schema, document), entry.defaults));
}

function withoutIdentity(document: unknown): object {
  const {
    apiVersion: _version,
    metadata: _metadata,
    ...rest
  } = document as Record<string, unknown>;
  return rest;
}

describeWithRig('parity with the CustomResourceDefinitions', (rig) => {
  let server: ParityServer;
  beforeAll(async () => {
    server = parityServer(rig(), 'member1');
    await Promise.all(definitions().map((definition) => server.install(definition)));
  }, 2 * minutes);
  afterAll(() => server.close());

  const specs = new Set<string>();
  /** The cluster-wide kinds have the spec of the namespaced ones: in full it is tried once. */
  const isTwin = (spec: unknown): boolean => {
    const key = JSON.stringify(spec) ?? '';
    const known = key !== '' && specs.has(key);
    specs.add(key);
    return known;
  };
  const versions = definitions().flatMap((definition) =>
    definition.versions.map(({ name, schema, storage }) => ({
      name: `${definition.group}/${name} ${definition.kind}`,
      definition,
      version: name,
      schema,
      storage,
      dropsOnly: isTwin(schema.properties?.['spec']),
    })),
  );

  test.each(versions)(
    '$name',
    async ({ definition, version, schema, storage, dropsOnly }) => {
      const { group, kind } = definition;
      const identity = { apiVersion: `${group}/${version}`, kind, metadata: { name: 'rich' } };
      const rich = richObjectOf(schema, identity);
      const changes = mutations(schema, rich, { dropsOnly });

      const answers = await Promise.all(
        [{ name: 'unchanged', document: rich }, ...changes].map(async ({ name, document }) => {
          const { status, message, object } = await server.create(definition, version, document);
          const ours = oursRefuses(document);
          if (status !== 201) return { name, theirs: message, ours };
          if (!storage) return { name, theirs: undefined, ours };
          const stored = { theirs: withoutIdentity(object), ours: oursStores(document) };
          return { name, theirs: undefined, ours, stored };
        }),
      );

      const [unchanged, ...changed] = answers;
      const differences = changed.filter(
        ({ theirs, ours }) => (theirs === undefined) !== (ours === undefined),
      );
      expect(unchanged).toMatchObject({ theirs: undefined, ours: undefined });
      expect(changed.filter(({ theirs }) => theirs !== undefined).length).toBeGreaterThan(3);
      expect(differences).toEqual([]);
      const unequal = answers.filter(
        ({ stored }) => stored !== undefined && !isDeepStrictEqual(stored.ours, stored.theirs),
      );
      expect(unequal).toEqual([]);
    },
    10 * minutes,
  );

  test.each(METADATA)(
    'metadata: $name',
    async ({ metadata }) => {
      if (definition === undefined) throw new Error('no definition to judge metadata with');
      const document = {
        apiVersion: 'remedy.karmada.io/v1alpha1',
        kind: 'Remedy',
        metadata,
        spec: {},
      };

      const { status, message } = await server.create(definition, 'v1alpha1', document);

      const theirs = status === 201 ? undefined : message;
      const ours = oursRefuses(document);
      expect({ theirs, ours, same: (theirs === undefined) === (ours === undefined) }).toMatchObject(
        {
          same: true,
        },
      );
    },
    minutes,
  );

  test(
    'what only webhooks refuse, the schema takes',
    async () => {
      const documents = [...REFUSED.map((refused) => refused.document), ...TAKEN];

      const refused = await Promise.all(
        documents.map(async (document) => {
          const found = definitions().find(({ kind }) => kind === document['kind']);
          const version = String(document['apiVersion']).split('/')[1] ?? '';
          if (found === undefined) throw new Error(`no definition of ${String(document['kind'])}`);
          const { status, message } = await server.create(found, version, document);
          return status === 201 ? [] : [message];
        }),
      );

      expect(refused.flat()).toEqual([]);
    },
    minutes,
  );
});
