import type { FieldPath, Finding } from '../finding.js';
import { isDns1035Label, isDnsSubdomain, isIp, isPortName, isPortNumber } from '../format.js';
import type { IngressBackend, IngressPath, MultiClusterIngress } from '../multi-cluster-ingress.js';
import { conflicting, each, needed, refused } from './report.js';
import { segmentRules } from './scale-target.js';

const PATH_TYPES = ['Exact', 'Prefix', 'ImplementationSpecific'];

export function multiClusterIngressRules(ingress: MultiClusterIngress): readonly Finding[] {
  const { defaultBackend, ingressClassName, rules, tls } = ingress.spec ?? {};
  return [
    ...(defaultBackend === undefined && (rules ?? []).length === 0
      ? [conflicting(['spec'], 'needs defaultBackend or rules')]
      : []),
    ...backendRules(['spec', 'defaultBackend'], defaultBackend),
    ...each(['spec', 'rules'], rules, (rule, at) => [
      ...hostRules([...at, 'host'], rule.host),
      ...(rule.http?.paths.length === 0 ? [needed([...at, 'http', 'paths'])] : []),
      ...each([...at, 'http', 'paths'], rule.http?.paths, pathRules),
    ]),
    ...each(['spec', 'tls'], tls, (entry, at) => [
      ...each([...at, 'hosts'], entry.hosts, (host, place) => hostRules(place, host, false)),
      ...subdomainRules([...at, 'secretName'], entry.secretName),
    ]),
    ...subdomainRules(['spec', 'ingressClassName'], ingressClassName),
  ];
}

function subdomainRules(path: FieldPath, text: string | undefined): readonly Finding[] {
  if (text === undefined || text === '' || isDnsSubdomain(text)) return [];
  return [refused(path, 'must be a DNS subdomain', text)];
}

function hostRules(path: FieldPath, host: string | undefined, refuseIp = true): readonly Finding[] {
  if (host === undefined || host === '') return [];
  if (refuseIp && isIp(host)) return [refused(path, 'must be a DNS name', host)];
  const name = host.includes('*') && host.startsWith('*.') ? host.slice(2) : host;
  return isDnsSubdomain(name)
    ? []
    : [refused(path, 'must be a DNS subdomain, or "*." and one', host)];
}

function backendRules(path: FieldPath, backend: IngressBackend | undefined): readonly Finding[] {
  if (backend === undefined) return [];
  const { service, resource } = backend;
  if ((service === undefined) === (resource === undefined)) {
    return [conflicting(path, 'needs exactly one of service and resource')];
  }
  return [
    ...(service === undefined ? [] : serviceRules([...path, 'service'], service)),
    ...(resource === undefined
      ? []
      : [
          ...subdomainRules([...path, 'resource', 'apiGroup'], resource.apiGroup),
          ...segmentRules([...path, 'resource', 'kind'], resource.kind),
          ...segmentRules([...path, 'resource', 'name'], resource.name),
        ]),
  ];
}

function serviceRules(
  path: FieldPath,
  service: NonNullable<IngressBackend['service']>,
): readonly Finding[] {
  const { name = '', number = 0 } = service.port ?? {};
  const port = [...path, 'port'];
  return [
    ...(service.name === '' ? [needed([...path, 'name'])] : []),
    ...(service.name !== '' && !isDns1035Label(service.name)
      ? [refused([...path, 'name'], 'must be the name of a Service', service.name)]
      : []),
    ...(name !== '' && number !== 0
      ? [conflicting(port, 'must have a name or a number, not both')]
      : []),
    ...(name === '' && number === 0 ? [needed(port, 'Set port.name or port.number.')] : []),
    ...(name !== '' && number === 0 && !isPortName(name)
      ? [refused([...port, 'name'], 'must be the name of a port', name)]
      : []),
    ...(number !== 0 && !isPortNumber(number)
      ? [refused([...port, 'number'], 'must be 1 to 65535', number)]
      : []),
  ];
}

function pathRules(entry: IngressPath, path: FieldPath): readonly Finding[] {
  const { path: url = '', pathType } = entry;
  const at = [...path, 'path'];
  const found = backendRules([...path, 'backend'], entry.backend);
  if (pathType === '') return [...found, needed([...path, 'pathType'])];
  if (!PATH_TYPES.includes(pathType)) {
    const must = `must be one of ${PATH_TYPES.join(', ')}`;
    return [...found, refused([...path, 'pathType'], must, pathType)];
  }
  if (pathType === 'ImplementationSpecific') {
    const isAbsolute = url === '' || url.startsWith('/');
    return isAbsolute ? found : [...found, refused(at, 'must start with "/"', url)];
  }
  const isClean = url.startsWith('/') && !/\/\/|\/\.\.?(\/|$)|%2f/i.test(url);
  return isClean
    ? found
    : [...found, refused(at, 'must be an absolute path without "//", "/./" and "/../"', url)];
}
