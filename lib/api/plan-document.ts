import { z } from 'zod';
import type { Immutable } from './immutable.js';
import { optional } from './value.js';

/**
 * `plan --json`: the public contract, version 1. Fields may be added within a version; none is removed or changes its
 * meaning. `docs/plan.schema.json` is generated from this file.
 */

const objectRef = z
  .object({
    apiVersion: z.string(),
    kind: z.string(),
    namespace: optional(z.string()).describe('Absent for cluster-scoped kinds.'),
    name: z.string(),
  })
  .meta({ id: 'ObjectRef', description: 'Which object is meant; unique within one cluster.' });

const policyRef = z
  .object({
    kind: z.enum(['PropagationPolicy', 'ClusterPropagationPolicy']),
    namespace: optional(z.string()),
    name: z.string(),
  })
  .meta({ id: 'PolicyRef', description: 'A propagation policy.' });

const assignment = z
  .object({
    cluster: z.string(),
    replicas: optional(z.int().min(0)).describe('Absent for kinds without replicas.'),
    previous: optional(z.int().min(0)).describe('Replicas in the lock; absent: was not there.'),
    bounds: optional(
      z.object({ minReplicas: z.int().min(0), maxReplicas: z.int().min(1) }),
    ).describe("An autoscaler's share of its bounds; absent: as in the template."),
    wave: z.string(),
  })
  .meta({ id: 'Assignment', description: "One cluster's share of a binding." });

const verdict = z
  .object({
    cluster: z.string(),
    chosen: z.boolean(),
    code: optional(z.string()).describe('The rule that rejected it, or that decided the count.'),
    cause: optional(z.string()).describe("Karmada's reason text, verbatim, where it has one."),
    message: z.string().describe('A sentence for people with the values seen.'),
  })
  .meta({ id: 'Verdict', description: 'Why a cluster was chosen or rejected.' });

const explanation = z
  .object({
    candidates: z
      .array(
        z.object({
          cluster: z.string(),
          score: z.number(),
          allocatable: z.number().describe('Replicas it has room for.'),
          available: z.number().describe('The same, with what is there already.'),
          tier: optional(z.number()),
        }),
      )
      .describe('Feasible clusters, best first.'),
    regions: optional(
      z.object({
        scored: z.array(z.object({ name: z.string(), value: z.number(), weight: z.number() })),
        chosen: z.array(z.string()),
      }),
    ),
    selected: z.array(z.string()).describe('In selection order.'),
    division: z.array(
      z.object({
        title: z.string(),
        replicas: z.number(),
        parties: z.array(z.object({ cluster: z.string(), weight: z.number(), got: z.number() })),
        lastSeat: optional(
          z.object({
            cluster: z.string(),
            priority: z.number(),
            wasTie: z.boolean(),
            next: optional(z.object({ cluster: z.string(), priority: z.number() })),
          }),
        ),
      }),
    ),
  })
  .meta({ id: 'Explanation', description: 'Capacity, choice and division, step by step.' });

const fresh = z
  .union([
    z.object({
      kind: z.literal('placed'),
      clusters: z.array(z.object({ cluster: z.string(), replicas: optional(z.int().min(0)) })),
    }),
    z.object({ kind: z.literal('failed'), reason: z.string() }),
  ])
  .meta({ id: 'FreshDecision', description: 'What a decision without the lock would be.' });

const taker = z
  .object({ resource: objectRef, replicas: z.int().min(1), priority: optional(z.int()) })
  .meta({ id: 'Taker', description: 'A binding that was decided before and took room.' });

const binding = z
  .object({
    resource: objectRef,
    policy: policyRef.nullable().describe('Null: nobody claims the template.'),
    shadowed: z.array(policyRef).describe('Policies that match too and lost; the nearest first.'),
    claim: z.string().describe('Why this policy owns the template, or nobody does.'),
    follows: z
      .array(z.object({ resource: objectRef, reason: z.string() }))
      .describe('The objects it follows as their dependency.'),
    replicas: optional(z.int().min(0)).describe('Absent for kinds without replicas.'),
    strategy: z.string().describe('How replicas are divided, for people.'),
    generation: z.int().min(0).describe('Grows by one when the template changes.'),
    revision: z.string().describe('Content hash of the template.'),
    decision: z.object({
      kind: z.enum(['kept', 'scheduled', 'failed', 'follows']),
      reason: z.string(),
    }),
    assignments: z.array(assignment).describe('Sorted by cluster.'),
    left: z
      .array(z.object({ cluster: z.string(), replicas: optional(z.int().min(0)) }))
      .describe('Clusters that the lock has it on and this plan has not.'),
    explanation: optional(explanation).describe(
      'The numbers behind a decision made in this plan; only where asked for (explain).',
    ),
    fresh: optional(fresh).describe(
      'Of a binding that is kept: where a fresh decision would put it; only where asked for (explain).',
    ),
    takenBy: optional(z.array(taker)).describe(
      'Not placed for want of room: who took it, where it fits; most replicas first.',
    ),
    verdicts: z
      .array(verdict)
      .describe('One per cluster of the fleet: chosen ones first, each group by cluster.'),
  })
  .meta({ id: 'Binding', description: "A template with its policy's placement, scheduled." });

const change = z
  .object({
    cluster: z.string(),
    resource: objectRef,
    action: z.enum(['create', 'update', 'replace', 'delete', 'none']),
    class: z.string().describe('What kind of change, e.g. template, override, replicas, new.'),
    reason: optional(z.string()).describe(
      'Of what somebody changed on the cluster: who, and which fields; never a value.',
    ),
    wave: z.string(),
  })
  .meta({ id: 'Change', description: 'One object on one cluster.' });

const wave = z
  .object({
    name: z.string(),
    clusters: z.array(z.string()).describe('In the order inside the wave.'),
    maxConcurrent: z.int().min(1).describe('Releases at work at the same time.'),
    gate: z.object({
      soakSeconds: z.number().min(0),
      deadlineSeconds: z
        .number()
        .min(0)
        .describe('To become ready, from the start of the wave; soaking and pauses do not count.'),
      maxFailures: z.int().min(0).describe('Clusters that may fail before the wave fails.'),
      approval: z.boolean(),
      windows: optional(
        z.array(
          z.object({
            schedule: z.string(),
            timeZone: z.string(),
            durationSeconds: z.number().min(0),
          }),
        ),
      ).describe('The wave starts only inside one of these; absent: at any time.'),
      onFailure: optional(z.enum(['continue', 'rollback'])).describe(
        'continue: later waves run although this one failed; rollback: the clusters of this run go back; absent: neither.',
      ),
    }),
  })
  .meta({ id: 'Wave', description: 'A group of clusters, and the condition to pass on.' });

const diagnostic = z
  .object({
    code: z.string().regex(/^[A-Z][A-Z0-9_]*$/),
    severity: z.enum(['error', 'warning', 'info']),
    summary: z.string(),
    hint: optional(z.string()),
    resource: optional(objectRef),
    path: optional(z.array(z.union([z.string(), z.int()]))).describe('Field in the document.'),
    file: optional(z.string()),
    line: optional(z.int()),
    column: optional(z.int()),
    construct: optional(z.string()).describe('Path of the construct the document came from.'),
  })
  .meta({ id: 'Diagnostic', description: 'A finding; each code has a page in docs/diagnostics.' });

export const planDocument = z
  .object({
    schemaVersion: z.literal(1),
    application: z.string(),
    environment: optional(z.string()),
    now: z.string().describe('RFC 3339: the time the plan was made for.'),
    applicable: z.boolean().describe('False when an error forbids applying.'),
    fleet: z.object({
      clusters: z.int().min(0),
      observedAt: optional(z.string()).describe('RFC 3339: age of the oldest cluster document.'),
      hash: z.string().describe('Hash of the facts that decisions rest on.'),
    }),
    bindings: z.array(binding).describe('Sorted by resource.'),
    changes: z.array(change).describe('Sorted by wave, cluster and apply order.'),
    waves: z.array(wave).describe('In the order they run.'),
    checks: z.array(z.object({ name: z.string(), passed: z.boolean(), message: z.string() })),
    diagnostics: z.array(diagnostic).describe('Errors first.'),
    lockChanges: z
      .array(z.string())
      .describe('One line per binding that the lock would gain, lose or change.'),
  })
  .meta({
    title: 'Fleetwright plan',
    description: 'What fleetwright plan --json prints: what, how many, why, and in which wave.',
  });

export type PlanDocument = Immutable<z.infer<typeof planDocument>>;

/** JSON Schema (draft 2020-12) of a plan. Unknown fields are allowed: later releases may add some. */
export function planJsonSchema(): object {
  return z.toJSONSchema(planDocument, { io: 'input' });
}
