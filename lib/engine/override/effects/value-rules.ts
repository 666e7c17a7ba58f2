import type { KubeObject } from '../../../api/object.js';
import { parseQuantity } from '../../interpret/pod/quantity.js';
import { pointerToken } from '../json-patch.js';
import { isFields } from '../../interpret/field.js';

/** A value that an API server would refuse. */
export interface ValueFault {
  /** JSON pointer. */
  readonly path: string;
  /** What must stand there, e.g. `a whole number, 0 or more`. */
  readonly expected: string;
  readonly value: unknown;
}

interface Rule {
  readonly expected: string;
  readonly holds: (value: unknown) => boolean;
  /** An override must not take it away. */
  readonly isRequired?: true;
}

const TEXT: Rule = { expected: 'a text', holds: (v) => typeof v === 'string' };
const FILLED: Rule = {
  expected: 'a text that is not empty',
  holds: (v) => typeof v === 'string' && v.trim() !== '',
};
const COUNT: Rule = {
  expected: 'a whole number, 0 or more',
  holds: (v) => Number.isSafeInteger(v) && (v as number) >= 0,
};
const POSITIVE: Rule = {
  expected: 'a whole number, 1 or more',
  holds: (v) => Number.isSafeInteger(v) && (v as number) >= 1,
};
const PORT: Rule = {
  expected: 'a whole number from 1 to 65535',
  holds: (v) => POSITIVE.holds(v) && (v as number) <= 65_535,
};
const FLAG: Rule = { expected: 'true or false', holds: (v) => typeof v === 'boolean' };
const LIST: Rule = { expected: 'a list', holds: Array.isArray };
const MAP: Rule = { expected: 'a map', holds: isFields };
const NEEDED_MAP: Rule = { ...MAP, isRequired: true };
const QUANTITY: Rule = {
  expected: 'a quantity such as 500m or 1Gi',
  holds: (v) =>
    (typeof v === 'string' || typeof v === 'number') && parseQuantity(v, 3) !== undefined,
};

/** Paths in slashes, `*` for every member. Where a path leads nowhere, nothing is wrong. */
type Rules = Readonly<Record<string, Rule>>;

const METADATA: Rules = {
  'metadata/labels': MAP,
  'metadata/labels/*': TEXT,
  'metadata/annotations': MAP,
  'metadata/annotations/*': TEXT,
};

const CONTAINER: Rules = {
  name: FILLED,
  image: FILLED,
  command: LIST,
  'command/*': TEXT,
  args: LIST,
  'args/*': TEXT,
  env: LIST,
  'env/*/name': FILLED,
  'env/*/value': TEXT,
  ports: LIST,
  'ports/*/containerPort': PORT,
  'resources/requests': MAP,
  'resources/requests/*': QUANTITY,
  'resources/limits': MAP,
  'resources/limits/*': QUANTITY,
};

const POD_SPEC: Rules = {
  containers: LIST,
  ...below('containers/*', CONTAINER),
  initContainers: LIST,
  ...below('initContainers/*', CONTAINER),
  nodeSelector: MAP,
  'nodeSelector/*': TEXT,
  tolerations: LIST,
  volumes: LIST,
  terminationGracePeriodSeconds: COUNT,
};

const SPEC: Rules = { spec: NEEDED_MAP };
const POD_TEMPLATE: Rules = {
  ...SPEC,
  'spec/template': NEEDED_MAP,
  'spec/template/spec': NEEDED_MAP,
  ...below('spec/template', { ...METADATA, ...below('spec', POD_SPEC) }),
};
const REPLICATED: Rules = { 'spec/replicas': COUNT, ...POD_TEMPLATE };
const JOB: Rules = {
  'spec/parallelism': COUNT,
  'spec/completions': COUNT,
  'spec/backoffLimit': COUNT,
  'spec/suspend': FLAG,
  ...POD_TEMPLATE,
};

/** By apiVersion and kind; every other kind is held to the rules of metadata. */
const BY_KIND: ReadonlyMap<string, RuleTree> = new Map(
  Object.entries({
    'apps/v1 DaemonSet': POD_TEMPLATE,
    'apps/v1 Deployment': REPLICATED,
    'apps/v1 ReplicaSet': REPLICATED,
    'apps/v1 StatefulSet': REPLICATED,
    'apps.kruise.io/v1alpha1 CloneSet': REPLICATED,
    'apps.kruise.io/v1alpha1 DaemonSet': POD_TEMPLATE,
    'apps.kruise.io/v1beta1 StatefulSet': REPLICATED,
    // Its pods may be those of another workload, by workloadRef.
    'argoproj.io/v1alpha1 Rollout': { ...REPLICATED, 'spec/template': MAP },
    'autoscaling/v2 HorizontalPodAutoscaler': {
      ...SPEC,
      'spec/minReplicas': COUNT,
      'spec/maxReplicas': POSITIVE,
    },
    'batch/v1 CronJob': {
      ...SPEC,
      'spec/schedule': FILLED,
      'spec/suspend': FLAG,
      ...below('spec/jobTemplate', JOB),
    },
    'batch/v1 Job': JOB,
    'v1 ConfigMap': { data: MAP, 'data/*': TEXT, binaryData: MAP, 'binaryData/*': TEXT },
    'v1 Pod': { ...SPEC, ...below('spec', POD_SPEC) },
    'v1 Secret': { data: MAP, 'data/*': TEXT, stringData: MAP, 'stringData/*': TEXT },
    'v1 Service': { ...SPEC, 'spec/ports': LIST, 'spec/ports/*/port': PORT },
  } satisfies Record<string, Rules>).map(([kind, rules]) => [
    kind,
    treeOf({ ...METADATA, ...rules }),
  ]),
);

const ANY_KIND = treeOf(METADATA);

/**
 * Values of known kinds that every API server refuses, as far as they differ from an earlier state of the object: text
 * where a count belongs, a number in a label, no image. A few dozen cheap rules, no schema: what is not listed is not
 * looked at, and what both states share by reference costs nothing.
 */
export function findValueFaults(before: KubeObject, after: KubeObject): readonly ValueFault[] {
  const faults: ValueFault[] = [];
  const tree = BY_KIND.get(`${after.apiVersion} ${after.kind}`) ?? ANY_KIND;
  collect(tree, before, after, '', faults);
  return faults;
}

/** A `null` counts as absent; what is absent is wrong only where it is required and was there. */
function collect(
  { rule, members }: RuleTree,
  before: unknown,
  after: unknown,
  path: string,
  faults: ValueFault[],
): void {
  if (before === after) return;
  if (after === undefined || after === null) {
    const isTaken = rule?.isRequired === true && before !== undefined && before !== null;
    if (isTaken) faults.push({ path, expected: rule.expected, value: undefined });
    return;
  }
  if (rule !== undefined && !rule.holds(after)) {
    if (before !== undefined && JSON.stringify(before) === JSON.stringify(after)) return;
    faults.push({ path, expected: rule.expected, value: after });
    return;
  }
  if (typeof after !== 'object') return;
  for (const [name, below] of members) {
    const names = name === '*' ? Object.keys(after) : Array.isArray(after) ? [] : [name];
    for (const member of names) {
      collect(
        below,
        ownValue(before, member),
        ownValue(after, member),
        `${path}/${pointerToken(member)}`,
        faults,
      );
    }
  }
}

function ownValue(node: unknown, name: string): unknown {
  if (typeof node !== 'object' || node === null || !Object.hasOwn(node, name)) return undefined;
  return (node as Readonly<Record<string, unknown>>)[name];
}

/** The rules of a kind, by path. */
interface RuleTree {
  rule?: Rule;
  readonly members: Map<string, RuleTree>;
}

function treeOf(rules: Rules): RuleTree {
  const root: RuleTree = { members: new Map() };
  for (const [path, rule] of Object.entries(rules)) {
    let node = root;
    for (const name of path.split('/')) {
      const next: RuleTree = node.members.get(name) ?? { members: new Map() };
      node.members.set(name, next);
      node = next;
    }
    node.rule = rule;
  }
  return root;
}

function below(prefix: string, rules: Rules): Rules {
  return Object.fromEntries(
    Object.entries(rules).map(([path, rule]) => [`${prefix}/${path}`, rule]),
  );
}
