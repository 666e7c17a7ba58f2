import type { Kind } from '../schema/kinds.js';
import type { World } from '../world.js';

/**
 * Just enough of `/openapi/v3` for `kubectl apply`: which documents there are, and that the server validates fields itself
 * (`fieldValidation`), so that the client need not. No schemas: `kubectl explain` does not work on the sandbox.
 */
export function openApiIndex(world: World): object {
  const paths = world.kinds
    .all()
    .map((kind) => [rootOf(kind), { serverRelativeURL: `/openapi/v3/${rootOf(kind)}` }]);
  return { paths: Object.fromEntries(paths) as object };
}

/** The document of one group and version, `undefined` if none is served: `apis/apps/v1`. */
export function openApiDocument(world: World, root: string): object | undefined {
  const kinds = world.kinds.all().filter((kind) => rootOf(kind) === root);
  if (kinds.length === 0) return undefined;
  const paths = kinds.map((kind) => {
    const scope = kind.namespaced ? 'namespaces/{namespace}/' : '';
    return [`/${root}/${scope}${kind.resource}/{name}`, { patch: operationOf(kind) }];
  });
  return {
    openapi: '3.0.0',
    info: { title: 'Kubernetes', version: 'v1.36.3' },
    paths: Object.fromEntries(paths) as object,
  };
}

function operationOf(kind: Kind): object {
  const parameter = (name: string): object => ({ name, in: 'query', schema: { type: 'string' } });
  return {
    parameters: ['dryRun', 'fieldManager', 'fieldValidation', 'force'].map(parameter),
    responses: {},
    'x-kubernetes-action': 'patch',
    'x-kubernetes-group-version-kind': {
      group: kind.group,
      version: kind.version,
      kind: kind.kind,
    },
  };
}

function rootOf(kind: Kind): string {
  return kind.group === '' ? `api/${kind.version}` : `apis/${kind.group}/${kind.version}`;
}
