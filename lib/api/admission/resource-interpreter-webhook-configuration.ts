import type { FieldPath, Finding } from '../finding.js';
import { isDns1035Label, isDnsSubdomain, isPortNumber } from '../format.js';
import type {
  ResourceInterpreterWebhook,
  ResourceInterpreterWebhookConfiguration,
  RuleWithOperations,
  WebhookClientConfig,
} from '../resource-interpreter-webhook-configuration.js';
import { conflicting, duplicates, each, needed, refused } from './report.js';

const OPERATIONS = [
  '*',
  'AggregateStatus',
  'InterpretComponent',
  'InterpretDependency',
  'InterpretHealth',
  'InterpretReplica',
  'InterpretStatus',
  'Retain',
  'ReviseReplica',
];

export function resourceInterpreterWebhookConfigurationRules(
  configuration: ResourceInterpreterWebhookConfiguration,
): readonly Finding[] {
  return [
    ...each(['webhooks'], configuration.webhooks, webhookRules),
    ...duplicates(['webhooks'], configuration.webhooks, (webhook) => webhook.name, ['name']),
  ];
}

function webhookRules(webhook: ResourceInterpreterWebhook, path: FieldPath): readonly Finding[] {
  const { name, timeoutSeconds: timeout } = webhook;
  return [
    ...(name === '' ? [needed([...path, 'name'])] : []),
    ...(name !== '' && !isQualified(name)
      ? [refused([...path, 'name'], 'must be a DNS name of at least two labels', name)]
      : []),
    ...(timeout !== undefined && (timeout < 1 || timeout > 30)
      ? [refused([...path, 'timeoutSeconds'], 'must be 1 to 30', timeout)]
      : []),
    ...clientRules([...path, 'clientConfig'], webhook.clientConfig),
    ...each([...path, 'rules'], webhook.rules, operationRules),
    ...versionRules([...path, 'interpreterContextVersions'], webhook.interpreterContextVersions),
  ];
}

function isQualified(name: string): boolean {
  const bare = name.endsWith('.') ? name.slice(0, -1) : name;
  return bare.includes('.') && isDnsSubdomain(bare);
}

function clientRules(path: FieldPath, config: WebhookClientConfig): readonly Finding[] {
  const { service, url } = config;
  if ((service === undefined) === (url === undefined)) {
    return [needed([...path, 'url'], 'Give exactly one of url and service.')];
  }
  return [
    ...(url === undefined || isHttps(url)
      ? []
      : [conflicting([...path, 'url'], 'must be an https URL without user, query and fragment')]),
    ...(service === undefined ? [] : serviceRules([...path, 'service'], service)),
  ];
}

function isHttps(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  const isBare = url.username === '' && url.password === '' && url.search === '' && url.hash === '';
  return url.protocol === 'https:' && url.hostname !== '' && isBare && !/[?#]/.test(text);
}

function serviceRules(
  path: FieldPath,
  service: NonNullable<WebhookClientConfig['service']>,
): readonly Finding[] {
  const { path: url = '', port = 443 } = service;
  const segments = url.split('/').slice(1);
  const isPath =
    ['', '/'].includes(url) || (url.startsWith('/') && withoutLast(segments).every(isDnsSubdomain));
  return [
    ...(['name', 'namespace'] as const)
      .filter((field) => service[field] === '')
      .map((field) => needed([...path, field])),
    ...(isPortNumber(port) ? [] : [refused([...path, 'port'], 'must be 1 to 65535', port)]),
    ...(isPath ? [] : [refused([...path, 'path'], 'must be a URL path', url)]),
  ];
}

/** A trailing slash leaves an empty last segment, which is allowed. */
function withoutLast(segments: readonly string[]): readonly string[] {
  return segments.at(-1) === '' ? segments.slice(0, -1) : segments;
}

function operationRules(rule: RuleWithOperations, path: FieldPath): readonly Finding[] {
  return [
    ...each([...path, 'operations'], rule.operations, (operation, at) =>
      OPERATIONS.includes(operation)
        ? []
        : [refused(at, `must be one of ${OPERATIONS.join(', ')}`, operation)],
    ),
    ...(['operations', 'apiGroups', 'apiVersions', 'kinds'] as const).flatMap((field) => {
      const at = [...path, field];
      const values: readonly string[] = rule[field];
      const blank = field === 'apiVersions' || field === 'kinds';
      return [
        ...(values.length === 0 ? [needed(at)] : []),
        ...(values.length > 1 && values.includes('*')
          ? [conflicting(at, 'must hold "*" alone or not at all')]
          : []),
        ...(blank && values.includes('') ? [needed([...at, values.indexOf('')])] : []),
      ];
    }),
  ];
}

function versionRules(path: FieldPath, versions: readonly string[]): readonly Finding[] {
  if (versions.length === 0) return [needed(path)];
  return [
    ...duplicates(path, versions, (version) => version, []),
    ...each(path, versions, (version, at) =>
      isDns1035Label(version) ? [] : [refused(at, 'must be a DNS label', version)],
    ),
    ...(versions.includes('v1alpha1') ? [] : [conflicting(path, 'must contain v1alpha1')]),
  ];
}
