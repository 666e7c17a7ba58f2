import type { KubeObject } from '../../api/object.js';
import { compareStrings, sorted } from '../compare.js';
import { MARKS } from '../plan.js';
import { LEFT_BY_MARK } from './apply-set.js';

/** Our field manager, the one that keeps a field's value while it changes hands, and the one of approvals. */
export const FIELD_MANAGERS = {
  own: 'fleetwright',
  handover: 'fleetwright-handover',
  approval: 'fleetwright-approval',
} as const;

/** Whether a field manager is us, or keeps a value for us while it changes hands. */
export function isOurManager(manager: string | undefined): boolean {
  return manager === FIELD_MANAGERS.own || manager === FIELD_MANAGERS.handover;
}

/** One entry of `metadata.managedFields`. */
export interface ManagedEntry {
  readonly manager?: string;
  readonly operation?: string;
  readonly subresource?: string;
  readonly time?: string;
  readonly fieldsV1?: Readonly<Record<string, unknown>>;
}

/**
 * Whose object this is. Server-side apply adopts without a word where no field conflicts, so this is asked first.
 *
 * - `ours`: it carries our set's label;
 * - `others`: another set has it, or it was there before: `owner` names the set's application or the managers.
 */
export type Ownership =
  | { readonly kind: 'ours' }
  /** `isSet`: another application's, or another tool's set. */
  | { readonly kind: 'others'; readonly owner: string; readonly isSet: boolean };

export function ownershipOf(live: KubeObject, setId: string): Ownership {
  const partOf = live.metadata.labels?.[MARKS.partOf];
  if (partOf === setId) return { kind: 'ours' };
  if (partOf !== undefined) {
    const application = live.metadata.annotations?.[MARKS.application];
    return {
      kind: 'others',
      owner: application === undefined ? `the set "${partOf}"` : `application "${application}"`,
      isSet: true,
    };
  }
  const leftBy = live.metadata.annotations?.[LEFT_BY_MARK];
  const isOurs = (manager: string): boolean =>
    manager === FIELD_MANAGERS.own && leftBy !== undefined;
  const managers = managersOf(live).map((manager) =>
    isOurs(manager) ? `application "${leftBy}", which left it` : `"${manager}"`,
  );
  const owner = managers.length === 0 ? 'nobody known' : managers.join(', ');
  return { kind: 'others', owner, isSet: false };
}

/** Of the control plane: they fill in fields of every object of a kind, such as the volume of a claim. */
const SYSTEM_MANAGERS: ReadonlySet<string> = new Set(['kube-controller-manager', 'kube-scheduler']);

/**
 * Whether an object that carries no set's label may be taken (back) without a word: we wrote it, nobody else did, and no
 * other application has a claim to it. So it is with what was let go of to be preserved.
 */
export function isFreeFor(live: KubeObject, application: string): boolean {
  const { labels, annotations } = live.metadata;
  if (labels?.[MARKS.partOf] !== undefined) return false;
  const claims = [annotations?.[MARKS.application], annotations?.[LEFT_BY_MARK]];
  if (claims.some((claim) => claim !== undefined && claim !== application)) return false;
  const managers = managersOf(live).filter((manager) => !SYSTEM_MANAGERS.has(manager));
  return managers.includes(FIELD_MANAGERS.own) && managers.every(isOurManager);
}

/** Who wrote its spec and metadata, sorted; writers of `status` and of scale do not count. */
export function managersOf(live: KubeObject): readonly string[] {
  const managers = entriesOf(live)
    .filter(({ subresource }) => subresource === undefined || subresource === '')
    .flatMap(({ manager }) => (manager === undefined ? [] : [manager]));
  return sorted(new Set(managers), compareStrings);
}

/** Who owns what, as the API server keeps it. */
export function entriesOf(live: KubeObject): readonly ManagedEntry[] {
  // managedFields is `unknown[]` in the API type: its entries are read here only, each field optional.
  return (live.metadata.managedFields ?? []) as readonly ManagedEntry[];
}
