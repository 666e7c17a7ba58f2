import type { ObjectRef } from '../../api/object.js';
import { compareBy, sorted } from '../compare.js';
import type { Diagnostic, DiagnosticCode } from '../diagnostic.js';
import type { Profile } from '../input.js';
import type { InterpreterFailure } from '../interpreter-findings.js';
import { findInterpreterFailures } from '../interpreter-findings.js';
import { describeRef } from '../object.js';
import type { OverrideRule, RuleFault } from '../override/index.js';
import { describeRule, nameClusters, placeOfRule } from '../override/index.js';
import type { RenderFault } from './member.js';

/** A manifest that could not be rendered. */
export interface RenderFailure {
  readonly resource: ObjectRef;
  readonly cluster: string;
  readonly fault: RenderFault;
}

/**
 * What to tell the user about manifests that could not be rendered: one finding per object and cause, naming the
 * clusters. An error in profile `default`; in profile `karmada` a warning, since Karmada goes on without that cluster
 * and keeps its old manifest. An override that makes another object is an error in both: Karmada would write that object,
 * and a plan that names the first one would not be true. The findings are about the policy where an override failed, else
 * about the object.
 */
export function findRenderFaults(
  failures: readonly RenderFailure[],
  profile: Profile,
): readonly Diagnostic[] {
  const groups = new Map<string, RenderFailure[]>();
  for (const failure of sorted(
    failures,
    compareBy(({ cluster }) => cluster),
  )) {
    const key = JSON.stringify([
      failure.resource,
      failure.fault.kind === 'override' ? identityOf(failure.fault.fault) : failure.fault,
    ]);
    groups.set(key, [...(groups.get(key) ?? []), failure]);
  }
  return [
    ...[...groups.values()].flatMap((group) => describe(group, profile)),
    ...findInterpreterFailures(failures.flatMap(interpreterFailureOf)),
  ];
}

function interpreterFailureOf({ resource, fault }: RenderFailure): InterpreterFailure[] {
  return fault.kind === 'interpreter'
    ? [{ resource, message: fault.message, rule: fault.rule }]
    : [];
}

function identityOf({ rule, path, message }: RuleFault<OverrideRule>): unknown {
  return [rule.policy, rule.position, path, message];
}

function describe(group: readonly RenderFailure[], profile: Profile): readonly Diagnostic[] {
  const [{ resource, fault }] = group as [RenderFailure];
  const severity = profile === 'karmada' ? 'warning' : 'error';
  const clusters = nameClusters(group.map(({ cluster }) => cluster));
  if (fault.kind === 'interpreter') return [];
  if (fault.kind === 'template') {
    return [
      {
        code: 'TEMPLATE_UNREADABLE',
        severity,
        summary: `${describeRef(resource)} cannot be rendered for ${clusters}: ${fault.message}.`,
        hint: 'Correct the field in the template.',
        resource,
      },
    ];
  }
  const { rule, kind, path, message } = fault.fault;
  return [
    {
      ...OVERRIDE_FINDINGS[kind],
      severity: kind === 'identity' ? 'error' : severity,
      summary: `${describeRule(rule)} cannot change ${path === '' ? 'the object' : path} of ${describeRef(resource)} for ${clusters}: ${message}.`,
      ...placeOfRule(rule),
    },
  ];
}

const FAILED = {
  code: 'OVERRIDE_FAILED',
  hint: 'Correct the override or the value it edits. Karmada would leave these clusters as they are, without a word.',
} as const;

const OVERRIDE_FINDINGS = {
  missing: {
    code: 'OVERRIDE_PATH_MISSING',
    hint: 'Correct the path, or narrow resourceSelectors to the objects that have it. Karmada would leave these clusters as they are, without a word.',
  },
  type: FAILED,
  syntax: FAILED,
  identity: {
    code: 'OVERRIDE_CHANGES_IDENTITY',
    hint: 'Leave apiVersion, kind, name and namespace as they are; where clusters need another object, write a template of its own with its own policy. Karmada would send the other object, and report no status of it.',
  },
} as const satisfies Record<
  RuleFault<OverrideRule>['kind'],
  { readonly code: DiagnosticCode; readonly hint: string }
>;
