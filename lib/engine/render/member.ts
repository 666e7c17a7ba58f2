import type { KubeObject } from '../../api/object.js';
import { canonicalJson } from '../canonical.js';
import type { TaughtRule } from '../interpret/interpret-error.js';
import { InterpretError } from '../interpret/interpret-error.js';
import { objectAt } from '../interpret/field.js';
import type { Interpreter } from '../interpret/interpreter.js';
import type { OverrideRule, OverrideSet, OverrideTools, RuleFault } from '../override/index.js';
import { findIdentityFault } from '../override/index.js';
import { MARKS } from '../plan.js';
import type { RenderRequest } from './core.js';
import { renderCore } from './core.js';
import { prune } from './prune.js';
import { withStoredData } from './secret-data.js';

/** One template for the clusters that get the same of it. */
export interface MemberRequest {
  readonly template: KubeObject;
  /** Absent for kinds without replicas. */
  readonly replicas?: number;
  /** Share of a Job's completions; absent: as in the template. */
  readonly completions?: number;
  /** Share of an autoscaler's bounds; absent: as in the template. */
  readonly bounds?: RenderRequest['bounds'];
  readonly overrides: OverrideSet;
  /** Of the template; positive. */
  readonly generation: number;
  /** Owner written on the object. */
  readonly application: string;
  /** Id of the ApplySet it belongs to (KEP-3659). */
  readonly setId: string;
  readonly interpreter: Interpreter;
  readonly tools: OverrideTools;
}

export type MemberManifest =
  | {
      readonly ok: true;
      readonly object: KubeObject;
      /** Content hash, as in the annotation. */
      readonly revision: string;
      readonly overrideKey: string;
      /** Characters of its JSON, without some of our marks. */
      readonly characters: number;
    }
  | { readonly ok: false; readonly overrideKey: string; readonly fault: RenderFault };

/** Why there is no manifest. */
export type RenderFault =
  | { readonly kind: 'override'; readonly fault: RuleFault<OverrideRule> }
  | { readonly kind: 'template'; readonly message: string }
  /** A rule that the user taught failed. */
  | { readonly kind: 'interpreter'; readonly message: string; readonly rule: TaughtRule };

/** What was rendered in one plan: template, then overrides and counts. Make one per plan. */
export type RenderCache = Map<KubeObject, Map<string, MemberManifest>>;

/**
 * The object to apply on a member cluster, and its revision.
 *
 * The template with replicas and completions of the cluster, overrides applied, without what the API server owns, and
 * with our marks: revision, application and template generation as annotations, the ApplySet as a label. The revision
 * covers all of it except itself and the generation, so an object that does not change keeps its revision whatever else
 * changes around it (ADR 0041). Requests that are alike get the very same answer from `cache`, which makes hundreds of
 * thousands of manifests affordable.
 */
export function renderForMember(request: MemberRequest, cache: RenderCache): MemberManifest {
  const { template, overrides, replicas = '', completions = '', bounds } = request;
  const known = cache.get(template) ?? new Map<string, MemberManifest>();
  cache.set(template, known);
  const split = bounds === undefined ? '' : `${bounds.minReplicas} ${bounds.maxReplicas}`;
  const key = `${overrides.identity} ${replicas} ${completions} ${split}`;
  const found = known.get(key);
  if (found !== undefined) return found;
  const rendered = render(request);
  known.set(key, rendered);
  return rendered;
}

function render(request: MemberRequest): MemberManifest {
  const { overrides, application, generation, setId, tools } = request;
  const core = attempt(request);
  if (!core.ok) return { ok: false, overrideKey: overrides.key, fault: core.fault };
  const content = withMarks(
    withStoredData(prune(core.value)),
    { [MARKS.application]: application },
    { [MARKS.partOf]: setId },
  );
  const json = canonicalJson(content);
  const revision = tools.hash(json).slice(0, 16);
  const object = withMarks(
    content,
    { [MARKS.revision]: revision, [MARKS.generation]: String(generation) },
    {},
  );
  const { length: characters } = json;
  return { ok: true, object, revision, overrideKey: overrides.key, characters };
}

function attempt(
  request: MemberRequest,
):
  | { readonly ok: true; readonly value: KubeObject }
  | { readonly ok: false; readonly fault: RenderFault } {
  try {
    const { template, tools, overrides } = request;
    const core = renderCore({ ...request, rules: overrides.rules });
    if (!core.ok) return { ok: false, fault: { kind: 'override', fault: core.fault } };
    const fault = findIdentityFault(template, core.value, overrides.rules, tools);
    return fault === undefined ? core : { ok: false, fault: { kind: 'override', fault } };
  } catch (error) {
    if (!InterpretError.is(error)) throw error;
    const { message, rule } = error;
    return {
      ok: false,
      fault:
        rule === undefined ? { kind: 'template', message } : { kind: 'interpreter', message, rule },
    };
  }
}

/** Marks of an earlier run that a template may carry are replaced, and an override may have left no map there. */
function withMarks(
  object: KubeObject,
  annotations: Readonly<Record<string, string>>,
  labels: Readonly<Record<string, string>>,
): KubeObject {
  const {
    [MARKS.revision]: _r,
    [MARKS.generation]: _g,
    // What kubectl remembered of another cluster: large, of no use to server-side apply, and with Secret data in clear.
    'kubectl.kubernetes.io/last-applied-configuration': _applied,
    ...kept
  } = objectAt(object.metadata, 'annotations') ?? {};
  return {
    ...object,
    metadata: {
      ...object.metadata,
      annotations: { ...kept, ...annotations } as Record<string, string>,
      labels: { ...objectAt(object.metadata, 'labels'), ...labels } as Record<string, string>,
    },
  };
}
