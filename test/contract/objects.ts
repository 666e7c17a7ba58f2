import type { KubeObject } from '../../lib/api/object.js';

type Fields = Readonly<Record<string, unknown>>;

export function aConfigMap(
  namespace: string,
  name: string,
  data: Readonly<Record<string, string>> = { key: 'value' },
  labels?: Readonly<Record<string, string>>,
): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { namespace, name, ...(labels && { labels }) },
    data,
  };
}

export interface DeploymentShape {
  readonly replicas?: number | undefined;
  readonly image?: string;
  /** More fields of the first container. */
  readonly container?: Fields;
  /** More containers. */
  readonly containers?: readonly Fields[];
  readonly labels?: Readonly<Record<string, string>>;
  readonly podAnnotations?: Readonly<Record<string, string>>;
  readonly podSpec?: Fields;
}

/** One container `app`; one replica unless `replicas` says otherwise (`undefined`: not said). */
export function aDeployment(
  namespace: string,
  name: string,
  shape: DeploymentShape = {},
): KubeObject {
  const replicas = 'replicas' in shape ? shape.replicas : 1;
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { namespace, name, ...(shape.labels && { labels: shape.labels }) },
    spec: {
      ...(replicas !== undefined && { replicas }),
      selector: { matchLabels: { app: name } },
      template: podTemplate(name, shape),
    },
  };
}

/** The part of a Deployment that another manager would apply: these fields and nothing else. */
export function aDeploymentPart(namespace: string, name: string, spec: Fields): KubeObject {
  return { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { namespace, name }, spec };
}

export function podTemplate(name: string, shape: DeploymentShape = {}): Fields {
  const {
    image = 'registry.example/app:1',
    container = {},
    containers = [],
    podAnnotations,
    podSpec = {},
  } = shape;
  return {
    metadata: { labels: { app: name }, ...(podAnnotations && { annotations: podAnnotations }) },
    spec: { ...podSpec, containers: [{ name: 'app', image, ...container }, ...containers] },
  };
}

export function aService(namespace: string, name: string): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { namespace, name },
    spec: { selector: { app: name }, ports: [{ port: 80, targetPort: 8080 }] },
  };
}

/** A namespaced kind `Widget` with a status subresource, a default, a required field and a list that merges by `name`. */
export function aWidgetDefinition(group: string): KubeObject {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `widgets.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          subresources: { status: {} },
          schema: { openAPIV3Schema: WIDGET },
        },
      ],
    },
  };
}

const WIDGET = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      required: ['size'],
      properties: {
        size: { type: 'integer', minimum: 1 },
        color: { type: 'string', default: 'grey' },
        parts: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['name'],
          items: {
            type: 'object',
            required: ['name'],
            properties: { name: { type: 'string' }, weight: { type: 'integer' } },
          },
        },
        tags: { type: 'array', items: { type: 'string' } },
      },
    },
    status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  },
} as const;

export function aWidget(group: string, namespace: string, name: string, spec: Fields): KubeObject {
  return { apiVersion: `${group}/v1`, kind: 'Widget', metadata: { namespace, name }, spec };
}
