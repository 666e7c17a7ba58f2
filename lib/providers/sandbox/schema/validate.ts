import type { Cause } from '../api/status.js';
import { isObject, listAt, objectAt, type JsonObject } from '../merge/json.js';
import type { Kind } from './kinds.js';
import { itemsOf } from './pod-defaults.js';
import { toNano } from './quantity.js';
import { typeFaults } from './validate-types.js';

const NAME = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const LABEL_VALUE = /^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$/;
const SUBDOMAIN_HELP =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const LABEL_HELP =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";

/**
 * What a kube-apiserver would refuse about an object, as causes of a 422. Covers names, labels, the fields without
 * which an object means nothing (selectors, containers, ports), CRD schemas; not every rule of every kind.
 */
export function causesOf(kind: Kind, object: JsonObject): readonly Cause[] {
  const causes = [...metadataCauses(kind, object)];
  if (kind.custom !== undefined) return [...causes, ...kind.custom.faults(object)];
  for (const fault of typeFaults(object, kind.schema)) {
    if (fault.reason === 'type') causes.push(invalidValue(fault.path.slice(1), fault.message));
  }
  if (causes.length === 0) RULES[kind.kind]?.(object, objectAt(object, 'spec'), causes);
  return causes;
}

const HANDLERS = ['httpGet', 'tcpSocket', 'exec', 'grpc'];

type Rule = (object: JsonObject, spec: JsonObject, causes: Cause[]) => void;

const RULES: Readonly<Record<string, Rule>> = {
  Pod: (_, spec, causes) => podCauses(spec, 'spec', causes),
  Deployment: (object, spec, causes) => {
    workloadCauses(object, spec, causes);
    const strategy = objectAt(spec, 'strategy');
    if (strategy['type'] === 'Recreate' && strategy['rollingUpdate'] !== undefined) {
      const message = "Forbidden: may not be specified when strategy `type` is 'Recreate'";
      causes.push({ reason: 'FieldValueForbidden', field: 'spec.strategy.rollingUpdate', message });
    }
  },
  ReplicaSet: workloadCauses,
  StatefulSet: workloadCauses,
  DaemonSet: workloadCauses,
  Job: (_, spec, causes) => {
    podCauses(objectAt(spec, 'template', 'spec'), 'spec.template.spec', causes);
    const policy = objectAt(spec, 'template', 'spec')['restartPolicy'];
    if (policy === 'Always') {
      causes.push({
        reason: 'FieldValueRequired',
        field: 'spec.template.spec.restartPolicy',
        message: 'Required value: valid values: "OnFailure", "Never"',
      });
    }
  },
  CronJob: (_, spec, causes) => {
    if (typeof spec['schedule'] !== 'string') causes.push(required('spec.schedule'));
    podCauses(
      objectAt(spec, 'jobTemplate', 'spec', 'template', 'spec'),
      'spec.jobTemplate.spec.template.spec',
      causes,
    );
  },
  Service: (_, spec, causes) => {
    const ports = itemsOf(spec, 'ports');
    const names = new Set<unknown>();
    if (ports.length === 0 && spec['type'] !== 'ExternalName' && spec['clusterIP'] !== 'None')
      causes.push(required('spec.ports'));
    ports.forEach((port, index) => {
      if (!isPort(port['port']))
        causes.push(
          invalidValue(
            `spec.ports[${index}].port`,
            `${shown(port['port'])}: must be between 1 and 65535, inclusive`,
          ),
        );
      if (port['name'] !== undefined && names.has(port['name'])) {
        const message = `Duplicate value: ${shown(port['name'])}`;
        causes.push({ reason: 'FieldValueDuplicate', field: `spec.ports[${index}].name`, message });
      }
      names.add(port['name']);
      if (ports.length > 1 && port['name'] === undefined)
        causes.push(required(`spec.ports[${index}].name`));
    });
  },
  PersistentVolumeClaim: (_, spec, causes) => {
    if (listAt(spec, 'accessModes').length === 0)
      causes.push(required('spec.accessModes', 'at least 1 access mode is required'));
    if (objectAt(spec, 'resources', 'requests')['storage'] === undefined)
      causes.push(required('spec.resources[storage]'));
  },
  HorizontalPodAutoscaler: (_, spec, causes) => {
    if (typeof spec['maxReplicas'] !== 'number')
      causes.push(invalidValue('spec.maxReplicas', '0: must be greater than 0'));
    if (!isObject(spec['scaleTargetRef'])) causes.push(required('spec.scaleTargetRef.kind'));
  },
  CustomResourceDefinition: (object, spec, causes) => {
    const expected = `${String(objectAt(spec, 'names')['plural'])}.${String(spec['group'])}`;
    const name = objectAt(object, 'metadata')['name'];
    if (name !== expected) {
      causes.push(
        invalidValue('metadata.name', `${shown(name)}: must be spec.names.plural+"."+spec.group`),
      );
    }
  },
};

function workloadCauses(_: JsonObject, spec: JsonObject, causes: Cause[]): void {
  const selector = objectAt(spec, 'selector');
  const labels = objectAt(spec, 'template', 'metadata', 'labels');
  if (spec['selector'] === undefined) causes.push(required('spec.selector'));
  const wanted = objectAt(selector, 'matchLabels');
  const matches =
    spec['selector'] !== undefined &&
    Object.entries(wanted).every(([key, value]) => labels[key] === value);
  if (!matches) {
    const seen = Object.keys(labels).length === 0 ? 'null' : shown(labels);
    const text = `${seen}: \`selector\` does not match template \`labels\``;
    causes.push(invalidValue('spec.template.metadata.labels', text));
  }
  const { replicas } = spec;
  if (typeof replicas === 'number' && replicas < 0) {
    causes.push(invalidValue('spec.replicas', `${replicas}: must be greater than or equal to 0`));
  }
  podCauses(objectAt(spec, 'template', 'spec'), 'spec.template.spec', causes);
}

function podCauses(spec: JsonObject, field: string, causes: Cause[]): void {
  const containers = itemsOf(spec, 'containers');
  if (containers.length === 0) causes.push(required(`${field}.containers`));
  const names = new Set<unknown>();
  const volumes = new Set(itemsOf(spec, 'volumes').map((volume) => volume['name']));
  containers.forEach((container, index) => {
    const here = `${field}.containers[${index}]`;
    if (container['name'] === undefined) causes.push(required(`${here}.name`));
    if (container['name'] !== undefined && names.has(container['name'])) {
      const message = `Duplicate value: ${shown(container['name'])}`;
      causes.push({ reason: 'FieldValueDuplicate', field: `${here}.name`, message });
    }
    names.add(container['name']);
    if (container['image'] === undefined || container['image'] === '')
      causes.push(required(`${here}.image`));
    for (const probe of ['livenessProbe', 'readinessProbe', 'startupProbe']) {
      probeCauses(container[probe], `${here}.${probe}`, causes);
    }
    itemsOf(container, 'volumeMounts').forEach((mount, at) => {
      if (!volumes.has(mount['name'])) {
        causes.push({
          reason: 'FieldValueNotFound',
          field: `${here}.volumeMounts[${at}].name`,
          message: `Not found: ${shown(mount['name'])}`,
        });
      }
    });
    for (const list of ['requests', 'limits']) {
      for (const [name, amount] of Object.entries(objectAt(container, 'resources', list))) {
        if (toNano(String(amount)) === undefined)
          causes.push(
            invalidValue(
              `${here}.resources.${list}[${name}]`,
              `${shown(amount)}: must be a quantity`,
            ),
          );
      }
    }
  });
}

function probeCauses(probe: unknown, field: string, causes: Cause[]): void {
  if (!isObject(probe)) return;
  if (!HANDLERS.some((handler) => isObject(probe[handler]))) {
    causes.push(required(field, 'must specify a handler type'));
  }
  for (const handler of ['httpGet', 'tcpSocket']) {
    if (!isObject(probe[handler]) || objectAt(probe, handler)['port'] !== undefined) continue;
    const text = '0: must be between 1 and 65535, inclusive';
    causes.push(invalidValue(`${field}.${handler}.port`, text));
  }
}

function metadataCauses(kind: Kind, object: JsonObject): Cause[] {
  const metadata = objectAt(object, 'metadata');
  const name = String(metadata['name'] ?? '');
  const causes: Cause[] = [];
  const isRbac = kind.group === 'rbac.authorization.k8s.io';
  if (name === '') causes.push(required('metadata.name', 'name or generateName is required'));
  else if (!isRbac && (name.length > 253 || !NAME.test(name)))
    causes.push(invalidValue('metadata.name', `"${name}": ${SUBDOMAIN_HELP}`));
  for (const [, value] of Object.entries(objectAt(metadata, 'labels'))) {
    if (typeof value !== 'string' || value.length > 63 || !LABEL_VALUE.test(value)) {
      causes.push(invalidValue('metadata.labels', `${shown(value)}: ${LABEL_HELP}`));
    }
  }
  return causes;
}

function isPort(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) > 0 && Number(value) < 65536;
}

/** A value as messages quote it. */
export function shown(value: unknown): string {
  return value === undefined ? 'null' : JSON.stringify(value);
}

function required(field: string, help?: string): Cause {
  return {
    reason: 'FieldValueRequired',
    field,
    message: `Required value${help === undefined ? '' : `: ${help}`}`,
  };
}

export function invalidValue(field: string, text: string): Cause {
  return { reason: 'FieldValueInvalid', field, message: `Invalid value: ${text}` };
}
