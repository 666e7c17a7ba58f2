import type { KubeObject } from '../../api/object.js';
import { fieldAt, fieldsOf, listAt, withField, withoutField } from '../interpret/field.js';
import { MARKS } from '../plan.js';
import { prune } from '../render/prune.js';
import { LEFT_BY_MARK, PRESERVE_MARK } from '../rollout/apply-set.js';
import { OBJECT_HINTS } from '../rollout/object-hints.js';
import { entriesOf } from '../rollout/ownership.js';
import { readiness } from '../rollout/readiness/index.js';

/** Annotations that tools and controllers keep for themselves. */
const FOREIGN_ANNOTATIONS: readonly string[] = [
  'kubectl.kubernetes.io/last-applied-configuration',
  'deprecated.daemonset.template.generation',
  'pv.kubernetes.io/bind-completed',
  'pv.kubernetes.io/bound-by-controller',
  'volume.beta.kubernetes.io/storage-provisioner',
  'volume.kubernetes.io/storage-provisioner',
  MARKS.revision,
  MARKS.application,
  MARKS.generation,
  LEFT_BY_MARK,
  PRESERVE_MARK,
];

/** What a cluster allocates to the object, so that it differs from cluster to cluster without anybody's wish. */
const ALLOCATED: Readonly<Record<string, readonly (readonly string[])[]>> = {
  'v1/PersistentVolumeClaim': [['spec', 'volumeName']],
  'v1/ServiceAccount': [['secrets']],
  'v1/Service': [
    ['spec', 'healthCheckNodePort'],
    ['spec', 'ipFamilies'],
    ['spec', 'ipFamilyPolicy'],
  ],
};

const POD_TEMPLATES = [
  ['spec', 'template', 'metadata'],
  ['spec', 'jobTemplate', 'metadata'],
  ['spec', 'jobTemplate', 'spec', 'template', 'metadata'],
] as const;

/**
 * A live object as somebody would have written it: without what the API server, controllers, tools and we ourselves put
 * there. Defaults stay: they say what runs.
 *
 * Node ports stay where some manager asked for them (`managedFields`), allocated ones go.
 */
export function bareObject(live: KubeObject): KubeObject {
  const pruned = prune(live);
  const metadata = {
    ...pruned.metadata,
    ...kept('annotations', pruned, FOREIGN_ANNOTATIONS),
    ...kept('labels', pruned, [MARKS.partOf]),
  };
  const { annotations, labels, ...rest } = metadata;
  let object: KubeObject = {
    ...pruned,
    metadata: {
      ...rest,
      ...(Object.keys(annotations ?? {}).length > 0 && { annotations }),
      ...(Object.keys(labels ?? {}).length > 0 && { labels }),
    } as KubeObject['metadata'],
  };
  for (const path of ALLOCATED[`${live.apiVersion}/${live.kind}`] ?? [])
    object = withoutField(object, path);
  for (const path of POD_TEMPLATES)
    if (fieldsOf(fieldAt(object, ...path))['creationTimestamp'] === null)
      object = withoutField(object, [...path, 'creationTimestamp']);
  const bare = isService(object) ? withoutNodePorts(object, live) : object;
  return waitsForAddress(live) ? withField(bare, WAIVER, 'ignore') : bare;
}

const WAIVER = ['metadata', 'annotations', OBJECT_HINTS.readiness] as const;

/** It does without an address today (bare metal): gates shall not wait for what it never had. */
function waitsForAddress(live: KubeObject): boolean {
  const isAddressed =
    (live.kind === 'Ingress' && live.apiVersion.startsWith('networking.k8s.io/')) ||
    isService(live);
  return isAddressed && !readiness(live).ready;
}

function kept(
  field: 'annotations' | 'labels',
  { metadata }: KubeObject,
  without: readonly string[],
): Readonly<Record<string, unknown>> {
  const members = Object.entries(metadata[field] ?? {});
  return { [field]: Object.fromEntries(members.filter(([name]) => !without.includes(name))) };
}

function isService({ apiVersion, kind }: KubeObject): boolean {
  return apiVersion === 'v1' && kind === 'Service';
}

function withoutNodePorts(service: KubeObject, live: KubeObject): KubeObject {
  const ports = listAt(service, 'spec', 'ports');
  if (ports.length === 0) return service;
  const wanted = entriesOf(live).flatMap(({ fieldsV1 }) =>
    Object.entries(fieldsOf(fieldAt(fieldsV1, 'f:spec', 'f:ports'))).flatMap(([key, fields]) =>
      key.startsWith('k:') && Object.hasOwn(fieldsOf(fields), 'f:nodePort')
        ? [fieldsOf(JSON.parse(key.slice(2)))['port']]
        : [],
    ),
  );
  return withField(
    service,
    ['spec', 'ports'],
    ports.map((port) => {
      const { nodePort, ...rest } = fieldsOf(port);
      return nodePort !== undefined && wanted.includes(rest['port']) ? port : rest;
    }),
  );
}
