import * as pulumi from '@pulumi/pulumi';
import type { GateInputs, LockInputs, ReleaseInputs, SettleInputs } from './wire.js';
import { PROVIDER, TYPES } from './wire.js';

/** What every resource adds by itself. */
type Given<T> = pulumi.Inputs & {
  readonly [K in keyof Omit<T, '__urn' | '__provider'>]: pulumi.Input<unknown>;
};

/**
 * A resource of ours: a custom resource whose "serialized provider" is one constant sentence. Pulumi's closure
 * serialization is not used, so state holds no code. `__urn` lets the provider send status lines for this resource.
 */
abstract class FleetResource extends pulumi.CustomResource {
  constructor(
    type: string,
    name: string,
    inputs: pulumi.Inputs,
    outputs: readonly string[],
    options: pulumi.CustomResourceOptions,
  ) {
    // Outputs that are no inputs must be declared, or previews take them for known.
    const declared = Object.fromEntries(outputs.map((key) => [key, undefined]));
    super(
      type,
      name,
      {
        ...declared,
        ...inputs,
        __provider: PROVIDER,
        __urn: urnOf(name, type, options.parent),
      },
      options,
    );
  }
}

/** As a promise: an output would carry the parent as a dependency, and a component is done only when its children are. */
function urnOf(name: string, type: string, parent: pulumi.Resource | undefined): Promise<string> {
  return new Promise((resolve) => {
    pulumi.createUrn(name, type, parent).apply(resolve);
  });
}

/** Refuses a lock that is older than, or different from, the one last applied. */
export class LockGuard extends FleetResource {
  constructor(name: string, inputs: Given<LockInputs>, options: pulumi.CustomResourceOptions = {}) {
    super(TYPES.lock, name, inputs, [], options);
  }
}

/** All manifests of one application for one cluster. */
export class Release extends FleetResource {
  declare readonly hash: pulumi.Output<string>;
  declare readonly status: pulumi.Output<string>;
  declare readonly reasons: pulumi.Output<string[]>;
  declare readonly applied: pulumi.Output<string>;
  declare readonly observed: pulumi.Output<string>;

  constructor(
    name: string,
    inputs: Given<ReleaseInputs>,
    options: pulumi.CustomResourceOptions = {},
  ) {
    super(
      TYPES.release,
      name,
      inputs,
      ['status', 'applied', 'reasons', 'observed', '__applied', 'schemaVersion'],
      {
        ...options,
        // What was applied may hold secret values of other resources.
        additionalSecretOutputs: ['kubeconfig', '__applied'],
      },
    );
  }
}

/** Opens when every release of its wave is ready at this plan's revisions, and stayed so through the soak. */
export class Gate extends FleetResource {
  constructor(name: string, inputs: Given<GateInputs>, options: pulumi.CustomResourceOptions = {}) {
    super(TYPES.gate, name, inputs, ['passed', 'rolledBack', 'schemaVersion'], options);
  }
}

/** The last step: shrinks what shrinks and removes what the plan names. */
export class Settle extends FleetResource {
  declare readonly observed: pulumi.Output<string>;

  constructor(
    name: string,
    inputs: Given<SettleInputs>,
    options: pulumi.CustomResourceOptions = {},
  ) {
    super(TYPES.settle, name, inputs, ['observed', 'settled', 'schemaVersion'], options);
  }
}
