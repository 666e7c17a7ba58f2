/** Text formats of Kubernetes and Karmada that schemas do not spell out (Kubernetes apimachinery, validation). */

const DNS_LABEL = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const DNS_SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const DNS_1035_LABEL = /^[a-z]([-a-z0-9]*[a-z0-9])?$/;
const NAME_PART = /^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/;

/** DNS-1123 label: lower case letters, digits and hyphens, at most 63 characters. */
export function isDnsLabel(text: string): boolean {
  return text.length <= 63 && DNS_LABEL.test(text);
}

/** DNS-1123 subdomain: labels joined by dots, at most 253 characters. */
export function isDnsSubdomain(text: string): boolean {
  return text.length <= 253 && DNS_SUBDOMAIN.test(text);
}

/** DNS-1035 label: as a DNS-1123 label, but it starts with a letter. */
export function isDns1035Label(text: string): boolean {
  return text.length <= 63 && DNS_1035_LABEL.test(text);
}

/** Label key: optional DNS subdomain and `/`, then 1 to 63 characters. */
export function isLabelKey(text: string): boolean {
  const parts = text.split('/');
  const name = parts.at(-1) ?? '';
  if (parts.length > 2 || (parts.length === 2 && !isDnsSubdomain(parts[0] ?? ''))) return false;
  return name.length <= 63 && NAME_PART.test(name);
}

/** Label value: empty, or up to 63 characters. */
export function isLabelValue(text: string): boolean {
  return text === '' || (text.length <= 63 && NAME_PART.test(text));
}

/** Usable as one segment of a URL path. */
export function isPathSegment(text: string): boolean {
  return text !== '.' && text !== '..' && !text.includes('/') && !text.includes('%');
}

/** Port name: up to 15 of `[-a-z0-9]`, at least one letter, no hyphen at the ends or doubled. */
export function isPortName(text: string): boolean {
  return text.length <= 15 && /^[a-z0-9]+(-[a-z0-9]+)*$/.test(text) && /[a-z]/.test(text);
}

export function isPortNumber(port: number): boolean {
  return port >= 1 && port <= 65535;
}

/** Name of a member cluster: a DNS-1123 label of at most 48 characters. */
export function isClusterName(text: string): boolean {
  return text.length <= 48 && isDnsLabel(text);
}

/** All that Karmada's webhooks ask of a JSON Pointer. */
export function isJsonPointer(text: string): boolean {
  return text === '' || text.startsWith('/');
}

/** IPv4 or IPv6 address. */
export function isIp(text: string): boolean {
  const octet = '(25[0-5]|2[0-4]\\d|1?\\d?\\d)';
  if (new RegExp(`^${octet}(\\.${octet}){3}$`).test(text)) return true;
  return text.includes(':') && URL.canParse(`http://[${text}]/`);
}
