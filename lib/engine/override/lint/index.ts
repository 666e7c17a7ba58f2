import type { Cluster } from '../../../api/cluster.js';
import type { KubeObject } from '../../../api/object.js';
import type { OverridePolicy } from '../../../api/override-policy.js';
import type { Diagnostic } from '../../diagnostic.js';
import type { PlanOptions, Profile, SourcedObject } from '../../input.js';
import { about } from '../../validate.js';
import { compileSelection } from '../select.js';
import { findIndexUse } from './by-index.js';
import { findContainerOverrides } from './container-overrides.js';
import { findIgnoredTopLevel } from './ignored-top-level.js';
import { findNoMatch } from './no-match.js';
import { findReplacedMaps } from './replaced-map.js';
import type { Lint } from './subject.js';
import { findUnscoped } from './unscoped.js';

const LINTS: readonly Lint[] = [
  findNoMatch,
  findIgnoredTopLevel,
  findUnscoped,
  findIndexUse,
  findReplacedMaps,
  findContainerOverrides,
];

/**
 * What an override policy does that its author is unlikely to want, found without rendering: it matches nothing, its
 * deprecated fields are dropped, it takes everything, it counts on a list position, it drops what a map held.
 * Edits that fail are found when they are made; see `findRenderFaults`.
 */
export function lintOverrides(input: {
  readonly overrides: readonly SourcedObject[];
  readonly templates: readonly KubeObject[];
  readonly clusters: readonly Cluster[];
  readonly profile: Profile;
  /** @default 'members' */
  readonly target?: PlanOptions['target'];
}): readonly Diagnostic[] {
  const { templates, clusters, profile, target = 'members' } = input;
  return input.overrides.flatMap((document) => {
    const policy = document.object as unknown as OverridePolicy;
    const { namespace = '' } = policy.metadata;
    const select = compileSelection(policy.spec.resourceSelectors);
    const matched = templates.filter(
      (template) =>
        select(template) > 0 && (namespace === '' || template.metadata.namespace === namespace),
    );
    const subject = { policy, matched, templates, clusters, profile, target };
    return LINTS.flatMap((lint) => lint(subject)).map((finding) => about(document, finding));
  });
}
