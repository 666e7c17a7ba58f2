import { asPolicy, describePolicy, policyKey, policyRef, type Policy } from '../claim/policy.js';
import { compareBy, sorted } from '../compare.js';
import type { Diagnostic } from '../diagnostic.js';
import type { SourcedObject } from '../input.js';
import { describeRef, refKey, refOf } from '../object.js';
import { about } from '../validate.js';
import { COMPANIONS, companionsAskedFor, FOLLOW_ANNOTATION } from './companions.js';
import type { Gathered, Leader, MissingReference } from './gathered.js';

interface Findings {
  readonly leaders: readonly Leader[];
  readonly gathered: readonly Gathered[];
  readonly missing: readonly MissingReference[];
  /** Keys of templates with a policy of their own. */
  readonly owned: ReadonlySet<string>;
}

/** Every cluster makes this one in every namespace. */
const MADE_BY_CLUSTERS = new Set(['kube-root-ca.crt', 'openshift-service-ca.crt']);

/** What people should know about dependencies; in no order. */
export function diagnoseFollowing(findings: Findings): readonly Diagnostic[] {
  return [
    ...conflicts(findings),
    ...missingObjects(findings.missing),
    ...unknownCompanions(findings.leaders),
  ];
}

/** Only a follower without a policy of its own takes these fields from those it follows. */
function* conflicts({ gathered, owned }: Findings): Generator<Diagnostic> {
  for (const { key, template, leaders } of gathered) {
    if (owned.has(key)) continue;
    const all = sorted(
      leaders.values(),
      compareBy((leader) => leader.key),
    );
    for (const { field, read, outcome } of CONTESTED) {
      const [first] = all;
      const other = all.find(
        (leader) => first !== undefined && read(policyOf(leader)) !== read(policyOf(first)),
      );
      if (first === undefined || other === undefined) continue;
      const name = describeRef(refOf(template.object));
      yield about(template, {
        code: 'DEPENDENCY_CONFLICT',
        severity: 'warning',
        summary: `${name} follows ${side(first, field, read)} and ${side(other, field, read)}; ${outcome}.`,
        hint: `Give both policies the same ${field}, or ${name} a policy of its own.`,
      });
    }
  }
}

type Read = (policy: Policy) => string;

const CONTESTED: readonly { field: string; read: Read; outcome: string }[] = [
  {
    field: 'conflictResolution',
    read: ({ spec }) => spec.conflictResolution ?? 'Abort',
    outcome: 'Overwrite wins',
  },
  {
    field: 'preserveResourcesOnDeletion',
    read: ({ spec }) => String(spec.preserveResourcesOnDeletion ?? false),
    outcome: 'it is kept when it is no longer needed',
  },
];

function side(leader: Leader, field: string, read: Read): string {
  const policy = policyOf(leader);
  return `${describeRef(leader.resource)} (${field}: ${read(policy)}, ${place(leader.policyDocument, policy)})`;
}

function place({ source }: SourcedObject, policy: Policy): string {
  const name = describePolicy(policyRef(policy));
  return source?.file === undefined ? name : `${name} in ${source.file}`;
}

function policyOf(leader: Leader): Policy {
  return asPolicy(leader.policyDocument.object);
}

/** One finding per object that is missing, however many need it. */
function* missingObjects(missing: readonly MissingReference[]): Generator<Diagnostic> {
  const byObject = new Map<string, Map<string, MissingReference>>();
  for (const one of missing) {
    const { apiVersion, kind, namespace, name } = one.reference;
    if (name === undefined || MADE_BY_CLUSTERS.has(name)) continue;
    const key = refKey({ apiVersion, kind, name, ...(namespace !== undefined && { namespace }) });
    const needed = byObject.get(key) ?? new Map<string, MissingReference>();
    byObject.set(key, needed.set(refKey(refOf(one.from.object)), one));
  }
  for (const needed of byObject.values()) {
    const all = sorted(
      needed.values(),
      compareBy((one) => refKey(refOf(one.from.object))),
    );
    const [first] = all;
    if (first === undefined) continue;
    const { apiVersion, kind, namespace, name = '' } = first.reference;
    const subject = describeRef({
      apiVersion,
      kind,
      name,
      ...(namespace !== undefined && { namespace }),
    });
    const more = all.length === 1 ? '' : ` and ${all.length - 1} more`;
    yield about(first.from, {
      code: 'DEPENDENCY_MISSING',
      severity: 'info',
      summary: `${subject} is not among the templates, and ${describeRef(refOf(first.from.object))} needs it (${first.reason})${more}.`,
      hint: 'Add it, or make sure that every target cluster has it already.',
    });
  }
}

function* unknownCompanions(leaders: readonly Leader[]): Generator<Diagnostic> {
  const documents = new Map(
    leaders.map((l) => [policyKey(policyRef(policyOf(l))), l.policyDocument]),
  );
  for (const document of documents.values()) {
    const { unknown } = companionsAskedFor(
      document.object.metadata.annotations?.[FOLLOW_ANNOTATION],
    );
    for (const name of unknown) {
      yield about(document, {
        code: 'FIELD_INVALID',
        severity: 'error',
        path: ['metadata', 'annotations', FOLLOW_ANNOTATION],
        summary: `"${name}" is nothing that can follow.`,
        hint: `Use ${Object.keys(COMPANIONS).join(', ')} or all, separated by commas.`,
      });
    }
  }
}
