import type { World } from '../world.js';
import {
  aggregatedDiscovery,
  coreVersions,
  groupList,
  groupOf,
  resourceList,
  VERSION,
} from './discovery.js';
import { openApiDocument, openApiIndex } from './openapi.js';
import type { ApiRequest } from './request.js';
import { found, json, type ApiResponse } from './response.js';

/** What there is, of which version and schema, and whether the server is well; `undefined`: not asked for any of that. */
export function handleDiscovery(world: World, request: ApiRequest): ApiResponse | undefined {
  if (request.method !== 'GET') return undefined;
  const accept = String(request.headers['accept'] ?? '');
  const path = request.path.replace(/\/$/, '');
  const aggregated =
    /as=APIGroupDiscoveryList/.test(accept) && (path === '/api' || path === '/apis');
  if (aggregated) {
    const body = aggregatedDiscovery(world, path === '/api' ? 'api' : 'apis');
    return {
      kind: 'json',
      code: 200,
      body,
      contentType: 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList',
    };
  }
  if (path === '/version') return json(200, VERSION);
  if (path === '/healthz' || path === '/readyz' || path === '/livez')
    return { kind: 'text', code: 200, body: 'ok' };
  if (path === '/openapi/v3') return json(200, openApiIndex(world));
  if (path.startsWith('/openapi/v3/'))
    return found(openApiDocument(world, path.slice('/openapi/v3/'.length)));
  if (path === '/api') return json(200, coreVersions());
  if (path === '/apis') return json(200, groupList(world));
  const [, root, group, version, ...rest] = path.split('/');
  if (rest.length > 0 || group === undefined) return undefined;
  if (root === 'api' && version === undefined) return found(resourceList(world, '', group));
  if (root !== 'apis') return undefined;
  return found(version === undefined ? groupOf(world, group) : resourceList(world, group, version));
}
