/**
 * Our schemas against Karmada's own: each CustomResourceDefinition is installed in a real API server, a document with
 * every field that it knows is changed in every way that tells two schemas apart, and both verdicts are compared.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { withTable } from '../../lib/api/defaults/table.js';
import { KINDS, validateDocument } from '../../lib/api/index.js';
import { withoutNulls } from '../../lib/api/shape.js';
import { describeWithRig } from '../rig/rig.js';
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

  const versions = definitions().flatMap((definition) =>
    definition.versions.map(({ name, schema, storage }) => ({
      name: `${definition.group}/${name} ${definition.kind}`,
      definition,
      version: name,
      schema,
      storage,
    })),
  );

  test.each(versions)(
    '$name',
    async ({ definition, version, schema, storage }) => {
      const { group, kind } = definition;
      const identity = { apiVersion: `${group}/${version}`, kind, metadata: { name: 'rich' } };
      const rich = richObjectOf(schema, identity);
      const changes = mutations(schema, rich);

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
      for (const { name, stored } of answers) {
        expect({ name, stored: stored?.ours }).toEqual({ name, stored: stored?.theirs });
      }
    },
    10 * minutes,
  );
});
