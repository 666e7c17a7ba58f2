import type {
  ComponentReplicaRequirements,
  ReplicaRequirements,
} from '../../../api/replica-requirements.js';
import type { Quantity } from '../quantity.js';
import { amountOf, isNodeResource } from './models.js';

/** What one replica asks for, parsed. Only positive amounts; in the order they were written. */
export interface Request {
  readonly resource: string;
  readonly quantity: Quantity;
  /** Milli for cpu, whole units for others. */
  readonly amount: number;
  /** Whether virtual nodes are asked about it. */
  readonly isNodeResource: boolean;
}

export function requestsOf(
  requirements: ReplicaRequirements | ComponentReplicaRequirements | undefined,
  parse: (text: string | number) => Quantity,
): readonly Request[] {
  const requests: Request[] = [];
  for (const [resource, text] of Object.entries(requirements?.resourceRequest ?? {})) {
    const quantity = parse(text);
    if (quantity.nano <= 0n) continue;
    const amount = amountOf(resource, quantity);
    requests.push({ resource, quantity, amount, isNodeResource: isNodeResource(resource) });
  }
  return requests;
}
