import type { BindingView } from './view.js';
import type { PolicyView, SuspensionWrite } from './suspension.js';

/** The control plane at one moment; keys are {@link policyKey} and `refKey` of the template. Absent: it does not exist. */
export interface ControlPlaneView {
  readonly policies: ReadonlyMap<string, PolicyView>;
  readonly bindings: ReadonlyMap<string, BindingView>;
}

/** What this run has done and may do. */
export interface StepProgress {
  /** Documents of this pass are written. */
  readonly isApplied: boolean;
  /** Clusters whose turn has come. */
  readonly mayRelease: ReadonlySet<string>;
}

export type KarmadaAction =
  /** Suspend: write the field. Nothing else may be written before. */
  | { readonly kind: 'hold'; readonly write: SuspensionWrite }
  /** Every Work is suspended: now templates, policies and overrides may change. */
  | { readonly kind: 'apply' }
  | {
      readonly kind: 'release';
      readonly write: SuspensionWrite;
      readonly clusters: readonly string[];
    }
  /** Nothing to write until the control plane moves on. */
  | {
      readonly kind: 'wait';
      readonly phase: 'holding' | 'scheduling' | 'stepping';
      readonly waitingFor: readonly string[];
    }
  /** A person must decide; everything not released stays suspended. */
  | { readonly kind: 'stop'; readonly reason: string; readonly hint: string };

/** A person must decide. */
export function stop(reason: string, hint: string): KarmadaAction {
  return { kind: 'stop', reason, hint };
}

/** The first action that one of the values asks for. */
export function firstOf<T>(
  values: readonly T[],
  find: (value: T) => KarmadaAction | undefined,
): KarmadaAction | undefined {
  for (const value of values) {
    const found = find(value);
    if (found !== undefined) return found;
  }
  return undefined;
}
