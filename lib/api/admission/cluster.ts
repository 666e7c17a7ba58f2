import type { Cluster, ResourceModel, Taint } from '../cluster.js';
import { DEFAULT_RESOURCE_MODELS } from '../defaults/cluster.js';
import type { FieldPath, Finding } from '../finding.js';
import { isClusterName, isLabelKey, isLabelValue } from '../format.js';
import { quantityNano } from '../quantity.js';
import { conflicting, duplicates, each, needed, refused } from './report.js';

/** Upper bound of the last grade: the largest int64. */
const TOP = quantityNano('9223372036854775807') ?? 0n;

/** What the aggregated API server refuses. Karmada has no CRD for Cluster, so there is no other validation. */
export function clusterRules(cluster: Cluster): readonly Finding[] {
  const { name = '' } = cluster.metadata;
  const { spec } = cluster;
  return [
    ...(isClusterName(name)
      ? []
      : [
          refused(
            ['metadata', 'name'],
            'must be a DNS label of at most 48 characters: the namespace karmada-es-<name> is made of it',
            name,
          ),
        ]),
    ...endpointRules(spec.apiEndpoint),
    ...proxyRules(spec.proxyURL),
    ...secretRules(['spec', 'secretRef'], spec.secretRef),
    ...secretRules(['spec', 'impersonatorSecretRef'], spec.impersonatorSecretRef),
    ...(['provider', 'region', 'zone'] as const).flatMap((field) =>
      placeRules(['spec', field], spec[field]),
    ),
    ...each(['spec', 'zones'], spec.zones, (zone, at) => placeRules(at, zone)),
    ...(spec.zone !== undefined && spec.zone !== '' && (spec.zones ?? []).length > 0
      ? [conflicting(['spec', 'zone'], 'must not be combined with zones')]
      : []),
    ...each(['spec', 'taints'], spec.taints, taintRules),
    ...duplicates(['spec', 'taints'], spec.taints, (t) => `${t.key}:${t.effect}`, ['key']),
    ...modelRules(spec.resourceModels),
  ];
}

function endpointRules(endpoint: string | undefined): readonly Finding[] {
  if (endpoint === undefined || endpoint === '') return [];
  const path = ['spec', 'apiEndpoint'];
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined;
  const isBare = url?.username === '' && url.password === '' && !/[?#]/.test(endpoint);
  if (url !== undefined && url.host !== '' && isBare) return [];
  // Without the value: what is wrong with it may be a password inside.
  return [conflicting(path, 'must be a URL such as https://host:port')];
}

function proxyRules(proxy: string | undefined): readonly Finding[] {
  if (proxy === undefined || proxy === '') return [];
  const schemes = ['http:', 'https:', 'socks5:'];
  if (URL.canParse(proxy) && schemes.includes(new URL(proxy).protocol)) return [];
  return [conflicting(['spec', 'proxyURL'], 'must be an http, https or socks5 URL')];
}

function secretRules(
  path: FieldPath,
  secret: { readonly namespace: string; readonly name: string } | undefined,
): readonly Finding[] {
  return (['namespace', 'name'] as const)
    .filter((field) => secret?.[field] === '')
    .map((field) => needed([...path, field]));
}

function placeRules(path: FieldPath, value: string | undefined): readonly Finding[] {
  if (value === undefined || isLabelValue(value)) return [];
  return [refused(path, 'must have the form of a label value', value)];
}

function taintRules(taint: Taint, path: FieldPath): readonly Finding[] {
  return [
    ...(isLabelKey(taint.key) ? [] : [refused([...path, 'key'], 'must be a label key', taint.key)]),
    ...(taint.value === undefined || isLabelValue(taint.value)
      ? []
      : [refused([...path, 'value'], 'must be a label value', taint.value)]),
  ];
}

/** Grades follow each other without gap, name the same resources in the same order, and reach from 0 to the top. */
function modelRules(models: readonly ResourceModel[] | undefined): readonly Finding[] {
  // What is filled in where there are none, in most clusters of a fleet.
  if (models === DEFAULT_RESOURCE_MODELS) return [];
  return each(['spec', 'resourceModels'], models, (model, at, index) => {
    const below = models?.[index - 1];
    const isLast = index === (models?.length ?? 0) - 1;
    if (below !== undefined && below.grade === model.grade) {
      return [refused([...at, 'grade'], 'must differ from grade to grade', model.grade)];
    }
    const names = model.ranges.map((range) => range.name).join(',');
    if (below !== undefined && below.ranges.map((range) => range.name).join(',') !== names) {
      return [conflicting([...at, 'ranges'], 'must name the same resources in every grade')];
    }
    return each([...at, 'ranges'], model.ranges, (range, place, i) => {
      const min = quantityNano(range.min) ?? 0n;
      const max = quantityNano(range.max) ?? 0n;
      const from = quantityNano(below?.ranges[i]?.max ?? 0) ?? 0n;
      return [
        ...(max > min ? [] : [refused([...place, 'max'], 'must be above min', range.max)]),
        ...(min === from
          ? []
          : [refused([...place, 'min'], 'must equal max of the grade below', range.min)]),
        ...(!isLast || max === TOP
          ? []
          : [
              refused(
                [...place, 'max'],
                'must be 9223372036854775807 in the last grade',
                range.max,
              ),
            ]),
      ];
    });
  });
}
