import type { FieldPath, Finding } from '../finding.js';
import { isDnsLabel, isLabelKey } from '../format.js';
import type { MetricSpec, MetricTarget } from '../metric.js';
import { quantityNano } from '../quantity.js';
import { conflicting, needed, refused } from './report.js';
import { scaleTargetRules, segmentRules } from './scale-target.js';

/** Metric types and the field each is described in. */
const SOURCES = {
  ContainerResource: 'containerResource',
  Object: 'object',
  Pods: 'pods',
  Resource: 'resource',
} as const;

type Source = keyof typeof SOURCES;

/** What Karmada's webhook refuses in a metric of a FederatedHPA; the rules of Kubernetes' HPA without External. */
export function metricRules(metric: MetricSpec, path: FieldPath): readonly Finding[] {
  if (metric.type === '') return [needed([...path, 'type'])];
  if (!Object.hasOwn(SOURCES, metric.type)) {
    const must = `must be one of ${Object.keys(SOURCES).join(', ')}`;
    return [refused([...path, 'type'], must, metric.type)];
  }
  const field = SOURCES[metric.type as Source];
  const others = [...Object.values(SOURCES), 'external' as const].filter(
    (other) => other !== field,
  );
  return [
    ...(metric[field] === undefined ? [needed([...path, field])] : []),
    ...others
      .filter((other) => metric[other] !== undefined)
      .map((other) => conflicting([...path, other], `must be left out for type ${metric.type}`)),
    ...sourceRules(path, metric, field),
  ];
}

function sourceRules(
  path: FieldPath,
  metric: MetricSpec,
  field: (typeof SOURCES)[Source],
): readonly Finding[] {
  const source = metric[field];
  if (source === undefined) return [];
  const at = [...path, field];
  const { target } = source;
  const common = targetRules([...at, 'target'], target);
  switch (field) {
    case 'object': {
      const described = metric.object?.describedObject;
      const any = target.value !== undefined || target.averageValue !== undefined;
      return [
        ...common,
        ...(described === undefined ? [] : scaleTargetRules([...at, 'describedObject'], described)),
        ...segmentRules([...at, 'metric', 'name'], metric.object?.metric.name ?? ''),
        ...(any ? [] : [needed([...at, 'target', 'averageValue'], 'Set value or averageValue.')]),
      ];
    }
    case 'pods':
      return [
        ...common,
        ...segmentRules([...at, 'metric', 'name'], metric.pods?.metric.name ?? ''),
        ...(target.averageValue === undefined ? [needed([...at, 'target', 'averageValue'])] : []),
      ];
    case 'resource':
      return [...common, ...resourceRules(at, metric.resource?.name ?? '', target)];
    case 'containerResource':
      return [
        ...common,
        ...resourceRules(at, metric.containerResource?.name ?? '', target),
        ...containerRules(at, metric),
      ];
  }
}

function targetRules(path: FieldPath, target: MetricTarget): readonly Finding[] {
  const types = ['Utilization', 'Value', 'AverageValue'];
  const { averageUtilization } = target;
  return [
    ...(target.type === '' ? [needed([...path, 'type'])] : []),
    ...(target.type !== '' && !types.includes(target.type)
      ? [refused([...path, 'type'], `must be one of ${types.join(', ')}`, target.type)]
      : []),
    ...(['value', 'averageValue'] as const).flatMap((field) => {
      const amount = target[field];
      const isPositive = amount === undefined || (quantityNano(amount) ?? 0n) > 0n;
      return isPositive ? [] : [refused([...path, field], 'must be above 0', amount)];
    }),
    ...(averageUtilization !== undefined && averageUtilization < 1
      ? [refused([...path, 'averageUtilization'], 'must be at least 1', averageUtilization)]
      : []),
  ];
}

function resourceRules(path: FieldPath, name: string, target: MetricTarget): readonly Finding[] {
  const { averageUtilization, averageValue } = target;
  const at = [...path, 'target'];
  return [
    ...(name === '' ? [needed([...path, 'name'])] : []),
    ...(averageUtilization === undefined && averageValue === undefined
      ? [needed([...at, 'averageUtilization'], 'Set averageUtilization or averageValue.')]
      : []),
    ...(averageUtilization !== undefined && averageValue !== undefined
      ? [conflicting([...at, 'averageValue'], 'must not be combined with averageUtilization')]
      : []),
  ];
}

function containerRules(path: FieldPath, metric: MetricSpec): readonly Finding[] {
  const { name = '', container = '' } = metric.containerResource ?? {};
  const known = ['cpu', 'memory', 'ephemeral-storage'].includes(name);
  const isResource = known || name.startsWith('hugepages-') || isExtendedResource(name);
  return [
    ...(name !== '' && !isResource
      ? [refused([...path, 'name'], 'must be a resource of containers', name)]
      : []),
    ...(container === '' ? [needed([...path, 'container'])] : []),
    ...(container !== '' && !isDnsLabel(container)
      ? [refused([...path, 'container'], 'must be the name of a container', container)]
      : []),
  ];
}

function isExtendedResource(name: string): boolean {
  return name.includes('/') && isLabelKey(name) && !/(^|\.)kubernetes\.io\//.test(name);
}
