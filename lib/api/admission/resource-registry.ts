import type { Finding } from '../finding.js';
import { isDnsLabel } from '../format.js';
import type { ResourceRegistry } from '../resource-registry.js';
import { affinityRules } from './field-selector.js';
import { each, refused } from './report.js';

/** What karmada-search refuses. */
export function resourceRegistryRules(registry: ResourceRegistry): readonly Finding[] {
  const { backendStore, resourceSelectors, targetCluster } = registry.spec;
  const addresses = ['spec', 'backendStore', 'openSearch', 'addresses'];
  return [
    ...affinityRules(['spec', 'targetCluster'], targetCluster),
    ...each(['spec', 'resourceSelectors'], resourceSelectors, (selector, at) => [
      ...(selector.apiVersion.split('/').length <= 2
        ? []
        : [refused([...at, 'apiVersion'], 'must be group/version', selector.apiVersion)]),
      ...([undefined, ''].includes(selector.namespace) || isDnsLabel(selector.namespace ?? '')
        ? []
        : [refused([...at, 'namespace'], 'must be a namespace', selector.namespace)]),
    ]),
    ...each(addresses, backendStore?.openSearch?.addresses, (address, at) =>
      isHttp(address) ? [] : [refused(at, 'must be an http or https URL', address)],
    ),
  ];
}

function isHttp(text: string): boolean {
  return URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol);
}
