import type { KubeObject } from '../../api/object.js';
import { equalData } from '../canonical.js';
import { isSet } from './selector.js';

/** A template with this label belongs to something other than a policy. */
const CLAIMED_BY = 'resourcetemplate.karmada.io/claimed-by';
/** The one label of a Karmada group that users write. */
const USER_LABEL = 'namespace.karmada.io/skip-auto-propagation';
const RESERVED_NAMESPACES = ['karmada-system', 'karmada-cluster'];
const RESERVED_PREFIX = 'karmada-es-';

/** `--skipped-propagating-namespaces` of a stock control plane. */
export const SKIPPED_NAMESPACES: readonly string[] = ['kube-.*'];

/**
 * Why policies do not look at a template at all, or `undefined` if they do.
 *
 * `skippedNamespaces` are regular expressions for whole names; one that cannot be read is taken literally.
 * Source: scheduling reference §3.1.
 */
export function reasonToIgnore(
  template: KubeObject,
  skippedNamespaces: readonly string[],
): string | undefined {
  const { namespace = '', name, labels } = template.metadata;
  if (RESERVED_NAMESPACES.includes(namespace) || namespace.startsWith(RESERVED_PREFIX)) {
    return `namespace "${namespace}" is Karmada's own`;
  }
  const pattern = skippedNamespaces.find((one) => isWholeMatch(one, namespace));
  if (pattern !== undefined && namespace !== '') {
    return `namespace "${namespace}" is skipped (pattern "${pattern}")`;
  }
  if (namespace === 'kube-system' && name === 'extension-apiserver-authentication') {
    return 'every cluster has its own';
  }
  const owner = labels?.[CLAIMED_BY];
  return isSet(owner) ? `it belongs to ${owner} (label ${CLAIMED_BY})` : undefined;
}

/** Whether an update of a template is one that policies look at: anything but status and bookkeeping. */
export function isChange(before: KubeObject, after: KubeObject): boolean {
  return !equalData(withoutBookkeeping(before), withoutBookkeeping(after));
}

/**
 * Whether an update could only have come from Karmada: nothing differs but Karmada's own labels and annotations and
 * the generation. Under a lazy policy such an update does not reach the binding. Source: scheduling reference §3.10.
 */
export function isKarmadasOwnChange(before: KubeObject, after: KubeObject): boolean {
  return equalData(writtenByUser(before), writtenByUser(after));
}

/** What counts of a template: everything but status, managed fields and resource version. */
export function withoutBookkeeping(object: KubeObject): KubeObject {
  const { status: _status, ...rest } = object;
  const { managedFields: _managed, resourceVersion: _version, ...metadata } = object.metadata;
  return { ...rest, metadata } as KubeObject;
}

function writtenByUser(object: KubeObject): unknown {
  const { metadata, ...rest } = withoutBookkeeping(object);
  const { generation: _generation, labels, annotations, ...others } = metadata;
  return {
    ...rest,
    metadata: { ...others, labels: byUser(labels), annotations: byUser(annotations) },
  };
}

function byUser(map: Readonly<Record<string, string>> | undefined): unknown {
  return Object.fromEntries(
    Object.entries(map ?? {}).filter(([key]) => key === USER_LABEL || !key.includes('.karmada.io')),
  );
}

function isWholeMatch(pattern: string, text: string): boolean {
  try {
    return new RegExp(`^${pattern}$`).test(text);
  } catch {
    // Not a regular expression, so a name.
    return pattern === text;
  }
}
