import type { Registry } from './schema/registry.js';
import type { Store } from './store/store.js';
import type { Time } from './time.js';

/** One simulated cluster without its network: what handlers and controllers work on. */
export interface World {
  readonly name: string;
  /** Position in the fleet: gives each cluster address ranges of its own. */
  readonly index: number;
  readonly store: Store;
  readonly kinds: Registry;
  readonly time: Time;
}
