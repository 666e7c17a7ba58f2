import type { Diagnostic } from './diagnostic.js';
import type { SourcedObject } from './input.js';
import { fieldAt, listAt, textAt } from './interpret/field.js';
import { describeRef, groupOf, refOf } from './object.js';
import type { Snapshot } from './snapshot.js';
import { about } from './validate.js';

/**
 * Services that are made reachable across clusters in a way that cannot work.
 *
 * - SERVICE_EXPORTED_TWICE: by a MultiClusterService and by a ServiceExport, or a MultiClusterIngress, which is served from
 *   exported slices. Both collect the same endpoints, so callers see each of them twice (karmada#6522).
 * - SERVICE_HEADLESS_EXPORTED: a MultiClusterService of a headless Service. Its pods are told apart by name, which is the same
 *   in every cluster, and DNS mixes them (karmada#4604).
 *
 * Errors in profile `default`; in profile `karmada` warnings, since a control plane takes them. Source: autoscaling and
 * services reference §4.
 */
export function findExportFaults(snapshot: Snapshot): readonly Diagnostic[] {
  const { federated, templates, options } = snapshot;
  const severity = options.profile === 'karmada' ? 'warning' : 'error';
  const crossing = federated.filter(isCrossCluster);
  if (crossing.length === 0) return [];
  const exporters = [...templates.filter(isServiceExport), ...federated.filter(isIngress)];
  const headless = new Set(
    templates
      .filter(({ object }) => object.apiVersion === 'v1' && object.kind === 'Service')
      .filter(({ object }) => textAt(object, 'spec', 'clusterIP') === 'None')
      .map(({ object }) => keyOf(object.metadata.namespace, object.metadata.name)),
  );
  return crossing.flatMap((document) => {
    const { name, namespace } = document.object.metadata;
    const key = keyOf(namespace, name);
    const others = exporters
      .filter(({ object }) =>
        servicesOf(object).some((service) => keyOf(object.metadata.namespace, service) === key),
      )
      .map(({ object }) => describeRef(refOf(object)));
    const service = describeRef({
      apiVersion: 'v1',
      kind: 'Service',
      name: name ?? '',
      ...(namespace !== undefined && { namespace }),
    });
    const own = describeRef(refOf(document.object));
    return [
      ...(others.length === 0
        ? []
        : [
            about(document, {
              code: 'SERVICE_EXPORTED_TWICE',
              severity,
              summary: `${service} is made reachable across clusters by ${own} and by ${others.join(', ')}: every endpoint would be there twice.`,
              hint: 'Keep one of them.',
            }),
          ]),
      ...(headless.has(key)
        ? [
            about(document, {
              code: 'SERVICE_HEADLESS_EXPORTED',
              severity,
              summary: `${own} spreads the endpoints of ${service}, which is headless: pods of the same name in several clusters cannot be told apart.`,
              hint: 'Give the Service an address of its own for callers in other clusters, or name each pod with a Service.',
            }),
          ]
        : []),
    ];
  });
}

function isCrossCluster({ object }: SourcedObject): boolean {
  return (
    object.kind === 'MultiClusterService' &&
    listAt(object, 'spec', 'types').includes('CrossCluster')
  );
}

function isServiceExport({ object }: SourcedObject): boolean {
  return object.kind === 'ServiceExport' && groupOf(object.apiVersion) === 'multicluster.x-k8s.io';
}

function isIngress({ object }: SourcedObject): boolean {
  return object.kind === 'MultiClusterIngress';
}

/** Names in the namespace of the document. */
function servicesOf(object: SourcedObject['object']): readonly string[] {
  if (object.kind === 'ServiceExport') return [object.metadata.name ?? ''];
  const backends = [
    fieldAt(object, 'spec', 'defaultBackend'),
    ...listAt(object, 'spec', 'rules').flatMap((rule) =>
      listAt(rule, 'http', 'paths').map((path) => fieldAt(path, 'backend')),
    ),
  ];
  return backends.map((backend) => textAt(backend, 'service', 'name'));
}

function keyOf(namespace = 'default', name = ''): string {
  return `${namespace}/${name}`;
}
