import type { FieldPath, Finding } from '../finding.js';
import { isClusterName, isDns1035Label, isDnsLabel, isPortNumber } from '../format.js';
import type { ClusterSelector, MultiClusterService } from '../multi-cluster-service.js';
import { conflicting, duplicates, each, refused } from './report.js';

const TYPES = ['CrossCluster', 'LoadBalancer'];

export function multiClusterServiceRules(service: MultiClusterService): readonly Finding[] {
  const { name = '' } = service.metadata;
  const { consumerClusters, ports, providerClusters, types } = service.spec;
  return [
    ...(isDns1035Label(name)
      ? []
      : [refused(['metadata', 'name'], 'must be a DNS label that starts with a letter', name)]),
    ...each(['spec', 'ports'], ports, (port, at) => [
      ...(port.name === undefined || port.name === '' || isDnsLabel(port.name)
        ? []
        : [refused([...at, 'name'], 'must be a DNS label', port.name)]),
      ...(isPortNumber(port.port)
        ? []
        : [refused([...at, 'port'], 'must be 1 to 65535', port.port)]),
    ]),
    ...duplicates(['spec', 'ports'], ports, (port) => (port.name === '' ? undefined : port.name), [
      'name',
    ]),
    ...each(['spec', 'types'], types, (type, at) =>
      TYPES.includes(type) ? [] : [refused(at, `must be one of ${TYPES.join(', ')}`, type)],
    ),
    ...(new Set(types).size > 1
      ? [
          conflicting(
            ['spec', 'types'],
            'must name one type only',
            'Make two MultiClusterServices.',
          ),
        ]
      : []),
    ...each(['spec', 'providerClusters'], providerClusters, clusterRules),
    ...each(['spec', 'consumerClusters'], consumerClusters, clusterRules),
  ];
}

function clusterRules(cluster: ClusterSelector, path: FieldPath): readonly Finding[] {
  return isClusterName(cluster.name)
    ? []
    : [refused([...path, 'name'], 'must be the name of a cluster', cluster.name)];
}
