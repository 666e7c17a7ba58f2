import { readFileSync } from 'node:fs';
import { Agent, request } from 'undici';
import { parse } from 'yaml';
import type { Rig } from '../../rig/rig.js';
import type { CustomResourceDefinition, Definition } from './definition.js';

/** The definitions get a group of their own, so that the rig's other tests may install the real ones. */
const SUFFIX = 'parity.test';

export interface Answer {
  readonly status: number;
  readonly message: string;
  readonly object: unknown;
}

/** An API server that judges objects by the definitions, and stores none. */
export interface ParityServer {
  install(definition: Definition): Promise<void>;
  /** Create with strict field validation, as a dry run. */
  create(
    definition: Definition,
    version: string,
    object: Readonly<Record<string, unknown>>,
  ): Promise<Answer>;
  close(): Promise<void>;
}

export function parityServer(rig: Rig, cluster: string): ParityServer {
  const url = rig.server(cluster);
  const connect = { ca: certificateOf(rig, cluster) };
  const dispatcher = new Agent({ connect, connections: 12, allowH2: false });
  const headers = { authorization: `Bearer ${rig.adminToken}`, 'content-type': 'application/json' };
  const send = async (method: 'GET' | 'POST', path: string, body?: object): Promise<Answer> => {
    const text = body === undefined ? null : JSON.stringify(body);
    const reply = await request(`${url}${path}`, { method, headers, body: text, dispatcher });
    const answer = await reply.body.text();
    // Before it serves a group the server answers in plain text.
    const object = answer.startsWith('{') ? (JSON.parse(answer) as { message?: string }) : {};
    return { status: reply.statusCode, message: object.message ?? answer, object };
  };
  return {
    async install(definition) {
      const crd = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
      const { status, message } = await send('POST', crd, installable(definition.document));
      if (status !== 201 && status !== 409) throw new Error(`${definition.kind}: ${message}`);
      for (const { name } of definition.versions) {
        await served(() => send('GET', pathOf(definition, name)));
      }
    },
    create(definition, version, object) {
      const apiVersion = `${definition.group}.${SUFFIX}/${version}`;
      const path = `${pathOf(definition, version)}?dryRun=All&fieldValidation=Strict`;
      const metadata = object['metadata'];
      const isObject = typeof metadata === 'object' && metadata !== null;
      const { namespace: _namespace, ...kept } = (isObject ? metadata : {}) as {
        namespace?: unknown;
      };
      return send('POST', path, { ...object, apiVersion, metadata: isObject ? kept : metadata });
    },
    close: () => dispatcher.close(),
  };
}

function pathOf(definition: Definition, version: string): string {
  const place = definition.namespaced ? '/namespaces/default' : '';
  return `/apis/${definition.group}.${SUFFIX}/${version}${place}/${definition.plural}`;
}

/** Without the status subresource, so that creating judges the status too; without conversion, which needs a webhook. */
function installable(document: CustomResourceDefinition): object {
  const { spec } = document;
  const { conversion: _conversion, ...rest } = spec as typeof spec & { conversion?: unknown };
  const versions = spec.versions.map((version) => {
    const { subresources: _subresources, ...kept } = version as typeof version & {
      subresources?: unknown;
    };
    return kept;
  });
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${spec.names.plural}.${spec.group}.${SUFFIX}` },
    spec: { ...rest, group: `${spec.group}.${SUFFIX}`, versions },
  };
}

/** Asks until the server serves the kind; it says so a moment after it took the definition. */
async function served(ask: () => Promise<Answer>): Promise<void> {
  const deadline = Date.now() + 60_000;
  while ((await ask()).status !== 200) {
    if (Date.now() > deadline) throw new Error('the server does not serve the kind');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function certificateOf(rig: Rig, cluster: string): Buffer {
  const config = parse(readFileSync(rig.kubeconfig, 'utf8')) as {
    readonly clusters: readonly {
      readonly name: string;
      readonly cluster: {
        readonly 'certificate-authority-data'?: string;
        readonly 'certificate-authority'?: string;
      };
    }[];
  };
  const entry = config.clusters.find(({ name }) => name === cluster)?.cluster;
  const file = entry?.['certificate-authority'];
  if (file !== undefined) return readFileSync(file);
  return Buffer.from(entry?.['certificate-authority-data'] ?? '', 'base64');
}
