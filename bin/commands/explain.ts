import type { Command } from 'commander';
import { describeExplanation, describeOverrideTrace } from '../../lib/engine/describe/index.js';
import { describeRef, flagName, refKey } from '../../lib/engine/object.js';
import type { Plan, PlannedBinding } from '../../lib/engine/plan.js';
import { traceBinding } from '../../lib/engine/render/index.js';
import { interpretersFrom } from '../../lib/providers/lua/index.js';
import { standardTools } from '../../lib/providers/tools.js';
import { isCalled, listed } from '../flag-values.js';
import { gather } from '../gather.js';
import {
  argumentOf,
  type InputFlags,
  type OutputFlags,
  withExample,
  withInputs,
  withOutput,
} from '../options.js';
import { decide } from '../planning.js';
import type { Outcome } from '../outcome.js';
import { report } from '../report.js';
import { settle } from '../settings.js';
import { canColour, type World } from '../world.js';

interface Flags extends InputFlags, OutputFlags {
  readonly overrides?: boolean;
}

export function addExplain(program: Command, world: World, outcome: Outcome): void {
  const command = program
    .command('explain')
    .argument('[resource]', 'KIND/NAMESPACE/NAME, KIND/NAME or NAME')
    .usage('[options] <resource>')
    .description('say why one object is where it is: KIND/NAMESPACE/NAME, KIND/NAME or NAME')
    .option('--overrides', 'show each override rule with the values before and after it')
    .action(async (resource: string | undefined, given: Flags) => {
      const { argument, flags } = argumentOf(resource, 'which object to explain', given);
      outcome.code = await explain(argument, flags, world);
    });
  withExample(
    withOutput(withInputs(command, { unread: ['frozen'] })),
    'fleetwright explain Deployment/default/nginx -f karmada/',
  );
}

async function explain(name: string, flags: Flags, world: World): Promise<number> {
  const settings = settle(flags, world);
  const { input, places } = await gather(settings, world);
  const found = findBinding(decide(input, places, false), name);
  const key = refKey(found.resource);
  // Planned again for its numbers: collecting them for every binding would cost more than the second plan.
  const plan = decide({ ...input, options: { ...input.options, explain: [key] } }, places, false);
  const binding = plan.bindings.find((b) => refKey(b.resource) === key) ?? found;
  const { interpreters } = interpretersFrom(input.documents, input.now);
  const overrides =
    flags.overrides === true && traceBinding(input, binding, standardTools(interpreters));
  if (flags.json === true) {
    const changes = plan.changes.filter(
      (c) => describeRef(c.resource) === describeRef(binding.resource),
    );
    world.stdout.write(
      `${JSON.stringify({ schemaVersion: 1, binding, changes, ...(overrides !== false && { overrides }) }, null, 2)}\n`,
    );
  } else {
    const style = { color: canColour(world.stdout, world, flags) };
    world.stdout.write(describeExplanation(plan, binding, style));
    if (overrides !== false) world.stdout.write(`\n${describeOverrideTrace(overrides, style)}`);
  }
  const about = plan.diagnostics.filter(
    (d) => d.resource !== undefined && describeRef(d.resource) === describeRef(binding.resource),
  );
  report(about, world, flags);
  return 0;
}

/** By kind, namespace and name as far as given, in any case; more than one match is an error that lists them. */
function findBinding(plan: Plan, name: string): PlannedBinding {
  const found = plan.bindings.filter(
    ({ resource }) =>
      isCalled(resource, name) || resource.name.toLowerCase() === name.toLowerCase(),
  );
  const [first, second] = found;
  if (first !== undefined && second === undefined) return first;
  const names = (list: readonly PlannedBinding[]): string =>
    listed(list.map(({ resource }) => flagName(resource)));
  if (first === undefined)
    throw new Error(`The plan has no "${name}". It has ${names(plan.bindings)}.`);
  throw new Error(`"${name}" is ambiguous: ${names(found)}. Give KIND/NAMESPACE/NAME.`);
}
