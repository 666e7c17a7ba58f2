import type { Cluster } from '../../../api/cluster.js';
import type { KubeObject } from '../../../api/object.js';
import type { OverridePolicy } from '../../../api/override-policy.js';
import type { Diagnostic } from '../../diagnostic.js';
import type { PlanOptions, Profile } from '../../input.js';

/** One override policy, and what it is about in this plan. */
export interface LintSubject {
  readonly policy: OverridePolicy;
  /** Templates that its selectors take, of its namespace; in the order of the plan. */
  readonly matched: readonly KubeObject[];
  readonly templates: readonly KubeObject[];
  readonly clusters: readonly Cluster[];
  readonly profile: Profile;
  readonly target: PlanOptions['target'];
}

/** A finding about the policy under examination. */
export type Finding = Pick<Diagnostic, 'code' | 'severity' | 'summary' | 'hint' | 'path'>;

export type Lint = (subject: LintSubject) => readonly Finding[];
