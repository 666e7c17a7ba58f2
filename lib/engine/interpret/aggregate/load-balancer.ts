import { compareBy, inOrder } from '../../compare.js';
import { countAt, fieldAt, fieldsOf, listAt, textAt } from '../field.js';
import type { AggregatedStatusItem } from '../interpreter.js';
import { reporting } from './counters.js';

/**
 * The load-balancer entries of all clusters as one list without duplicates.
 *
 * Entries with the same hostname and ip (for a Service also ipMode) become one with the ports of all. Order: entries
 * with a hostname first, then hostname, ip, and for a Service those with an ipMode before those without.
 * Source: lifecycle reference §3.6.
 */
export function mergeIngress(
  items: readonly AggregatedStatusItem[] | undefined,
  distinguishIpMode: boolean,
): readonly unknown[] {
  const groups = new Map<
    string,
    { readonly entry: unknown; readonly ports: Map<string, unknown> }
  >();
  for (const { status } of reporting(items)) {
    for (const entry of listAt(status, 'loadBalancer', 'ingress')) {
      const key = JSON.stringify([
        textAt(entry, 'hostname'),
        textAt(entry, 'ip'),
        distinguishIpMode && textAt(entry, 'ipMode'),
      ]);
      const group = groups.get(key) ?? { entry, ports: new Map<string, unknown>() };
      groups.set(key, group);
      for (const port of listAt(entry, 'ports')) group.ports.set(portKey(port), port);
    }
  }
  const merged = [...groups.values()].map(({ entry, ports }) =>
    withPorts(entry, [...ports.values()]),
  );
  return merged.sort(ENTRY_ORDER);
}

/** Whether some entry has an address. */
export function hasAddress(status: unknown): boolean {
  return listAt(status, 'loadBalancer', 'ingress').some(
    (e) => textAt(e, 'hostname') !== '' || textAt(e, 'ip') !== '',
  );
}

const PORT_ORDER = inOrder<unknown>(
  compareBy((port) => countAt(port, 'port')),
  compareBy((port) => textAt(port, 'protocol')),
  compareBy((port) => (textAt(port, 'error') === '' ? 0 : 1)),
  compareBy((port) => textAt(port, 'error')),
);

const ENTRY_ORDER = inOrder<unknown>(
  compareBy((entry) => (textAt(entry, 'hostname') === '' ? 1 : 0)),
  compareBy((entry) => textAt(entry, 'hostname')),
  compareBy((entry) => textAt(entry, 'ip')),
  compareBy((entry) => (textAt(entry, 'ipMode') === '' ? 1 : 0)),
  compareBy((entry) => textAt(entry, 'ipMode')),
);

function portKey(port: unknown): string {
  return JSON.stringify([
    countAt(port, 'port'),
    textAt(port, 'protocol'),
    fieldAt(port, 'error') ?? null,
  ]);
}

function withPorts(entry: unknown, ports: readonly unknown[]): unknown {
  const { ports: _, ...rest } = fieldsOf(entry);
  return ports.length === 0 ? rest : { ...rest, ports: [...ports].sort(PORT_ORDER) };
}
