import type { ObjectDrift } from '../lib/engine/rollout/index.js';
import { interpretersFrom } from '../lib/providers/lua/index.js';
import type { Access } from './access.js';
import type { Decided } from './planning.js';

/** How the clusters that a plan was made with differ from it; see `readDrift`. */
export async function driftFrom(
  { plan, input }: Pick<Decided, 'plan' | 'input'>,
  access: Access,
): Promise<readonly ObjectDrift[]> {
  const { readDrift } = await import('../lib/providers/adopt/index.js');
  const { documents, now, live = { members: {} } } = input;
  return readDrift(plan, live, access.connect, interpretersFrom(documents, now).interpreters);
}
