import type { AppProps } from 'cdk8s';
import { ApiObject, App } from 'cdk8s';
import type { KubeObject } from '../api/object.js';
import type { SourcedObject } from '../engine/input.js';

/**
 * A cdk8s app whose objects can be planned: templates, policies, Rollouts, all in one tree. `synth` writes them as YAML,
 * as any cdk8s app does, so `cdk8s synth` works and a Karmada control plane takes the output.
 */
export class FleetApp extends App {
  private static readonly MARK = Symbol.for('fleetwright.FleetApp');

  /** Whether a value is a FleetApp; survives two copies of this package, where `instanceof` does not. */
  static isFleetApp(x: unknown): x is FleetApp {
    return typeof x === 'object' && x !== null && FleetApp.MARK in x;
  }

  constructor(props: AppProps = {}) {
    super(props);
    Object.defineProperty(this, FleetApp.MARK, { value: true });
  }

  /**
   * Every object of the tree as plain data with its construct path, in tree order. Reading does not change the tree.
   *
   * @throws Error listing every failed validation of the tree.
   */
  toDocuments(): readonly SourcedObject[] {
    const problems = this.node
      .findAll()
      .flatMap((c) => c.node.validate().map((text) => `${c.node.path}: ${text}`));
    if (problems.length > 0)
      throw new Error(`the app is not valid:\n${problems.map((p) => `  ${p}`).join('\n')}`);
    return this.node
      .findAll()
      .filter((c): c is ApiObject => ApiObject.isApiObject(c))
      .map((object) => ({
        object: object.toJson() as KubeObject,
        source: { construct: object.node.path },
      }));
  }
}
