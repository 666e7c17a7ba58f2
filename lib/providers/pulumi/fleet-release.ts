import * as pulumi from '@pulumi/pulumi';
import { describePlan } from '../../engine/describe/index.js';
import type { Plan } from '../../engine/plan.js';
import type { FleetReleaseArgs } from './args.js';
import { registerKubernetesResources } from './kubernetes-resources.js';
import { planRelease } from './plan-release.js';
import { readProgramEnvironment } from './program-environment.js';
import { Registration } from './registration.js';
import { aggregateOutputs, type TemplateStatuses } from './status.js';

/**
 * An application on all its clusters: plans when the program runs, applies wave by wave, and is done when every cluster
 * has observed the new generation and is healthy.
 *
 * Registers one release per cluster, one gate per wave, a settle step and a lock guard. A plan with errors throws before
 * anything is registered, so nothing is changed or deleted.
 */
export class FleetRelease extends pulumi.ComponentResource {
  /** Template (`Deployment shop/web`) to the generation that all its clusters have observed. */
  readonly observedGeneration: pulumi.Output<Record<string, number>>;
  /** Template to its status over all clusters: generation, clusters that are behind, Karmada's aggregate. */
  readonly status: pulumi.Output<TemplateStatuses>;
  /** What was decided. */
  readonly plan: Plan;

  constructor(name: string, args: FleetReleaseArgs, options: pulumi.ComponentResourceOptions = {}) {
    // Everything that can fail fails here: nothing has been registered yet.
    const planned = planRelease(name, args, readProgramEnvironment());
    super('fleetwright:index:FleetRelease', name, {}, options);
    this.plan = planned.plan;
    void pulumi.log.info(
      `\n${describePlan(planned.plan, { only: 'changed', width: 100, regions: planned.regions })}`,
      this,
    );
    if (planned.remarks !== '') void pulumi.log.warn(`\n${planned.remarks}`, this);
    if (!pulumi.runtime.isDryRun()) planned.commit();
    const observed =
      args.via === 'pulumi-kubernetes'
        ? registerKubernetesResources(this, name, planned, args.providers ?? {})
        : new Registration(this, name, planned, args).run();
    this.status = pulumi
      .output(observed)
      .apply((byCluster) => aggregateOutputs(planned.plan, byCluster, planned.interpreters));
    this.observedGeneration = this.status.apply((status) =>
      Object.fromEntries(
        Object.entries(status).map(([template, { observedGeneration }]) => [
          template,
          observedGeneration,
        ]),
      ),
    );
    this.registerOutputs({ observedGeneration: this.observedGeneration, status: this.status });
  }
}
