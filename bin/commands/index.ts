import type { Command } from 'commander';
import type { Outcome } from '../outcome.js';
import type { World } from '../world.js';
import { addAdopt } from './adopt.js';
import { addApprove } from './approve.js';
import { addDestroy } from './destroy.js';
import { addDiff } from './diff.js';
import { addExplain } from './explain.js';
import { addFleet } from './fleet.js';
import { addInit } from './init.js';
import { addInterpret } from './interpret.js';
import { addLock } from './lock.js';
import { addPlan } from './plan.js';
import { addRollback } from './rollback.js';
import { addSandbox } from './sandbox.js';
import { addStatus } from './status.js';
import { addSynth } from './synth.js';
import { addUp } from './up.js';

/** In the order of the help text: from a first look to the end. */
export const COMMANDS: readonly ((program: Command, world: World, outcome: Outcome) => void)[] = [
  addInit,
  addAdopt,
  addPlan,
  addDiff,
  addExplain,
  addInterpret,
  addLock,
  addSynth,
  addUp,
  addApprove,
  addStatus,
  addRollback,
  addDestroy,
  addFleet,
  addSandbox,
];
