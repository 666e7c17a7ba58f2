import type { Plan, PlannedWave, Release } from '../../engine/plan.js';
import { applicationSet } from './argocd.js';
import { rootSync } from './configsync.js';
import { fleetBundle } from './fleet.js';
import { fluxKustomization } from './flux.js';
import type { Layout, LayoutFile, LayoutOptions } from './layout.js';

/** What a tool needs beside the manifests. */
interface LayoutRule {
  readonly needsRepo: boolean;
  readonly perRelease: (
    release: Release,
    wave: PlannedWave | undefined,
    options: LayoutOptions,
  ) => readonly LayoutFile[];
  readonly perPlan: (plan: Plan, options: LayoutOptions) => readonly LayoutFile[];
}

const nothing = (): readonly LayoutFile[] => [];

export const LAYOUT_RULES = {
  plain: { needsRepo: false, perRelease: nothing, perPlan: nothing },
  argocd: { needsRepo: true, perRelease: nothing, perPlan: applicationSet },
  flux: { needsRepo: false, perRelease: fluxKustomization, perPlan: nothing },
  fleet: { needsRepo: false, perRelease: fleetBundle, perPlan: nothing },
  configsync: { needsRepo: true, perRelease: rootSync, perPlan: nothing },
} as const satisfies Record<Layout, LayoutRule>;
