import { type Command, Option } from 'commander';
import type { Diagnostic } from '../../lib/engine/diagnostic.js';
import type { SourcedObject } from '../../lib/engine/input.js';
import { InterpretError, interpreterFor } from '../../lib/engine/interpret/index.js';
import { findInterpreterFailures } from '../../lib/engine/interpreter-findings.js';
import { describeRef, type KubeObject, refOf } from '../../lib/engine/object.js';
import { interpretersFrom, isCustomization } from '../../lib/providers/lua/index.js';
import { locate, type Place, printYaml, readSources } from '../../lib/providers/source/index.js';
import { objectsOf, readSubject, refuse, type SubjectFlags } from '../interpret-subject.js';
import { answer, answerAll, OPERATIONS } from '../interpretation.js';
import { type OutputFlags, repeat, withExample, withOutput } from '../options.js';
import type { Outcome } from '../outcome.js';
import { Refusal } from '../refusal.js';
import { report } from '../report.js';
import type { World } from '../world.js';

type Flags = SubjectFlags &
  OutputFlags & {
    readonly file?: readonly string[];
    readonly check?: boolean;
  };

export function addInterpret(program: Command, world: World, outcome: Outcome): void {
  const command = program
    .command('interpret')
    .description(
      'ask what an object means: replicas, health, status, dependencies; needs no cluster',
    )
    .addOption(
      new Option(
        '-f, --file <path>',
        'file, folder or - with customizations and the object; repeatable',
      ).argParser(repeat),
    )
    .addOption(
      new Option(
        '--operation <operation>',
        'what to ask; without it, all that can be asked about one object',
      ).choices(OPERATIONS),
    )
    .option('--desired <file>', 'the object as written (Retain: the one to apply)')
    .option('--observed <file>', 'the object as a cluster has it')
    .addOption(
      new Option('--replicas <n>', 'new number of replicas, for ReviseReplica').argParser(wholeOf),
    )
    .option('--items <file>', 'what each cluster reports, for AggregateStatus')
    .option('--check', 'only look whether the scripts can run')
    .action(async (flags: Flags) => {
      outcome.code = await interpret(flags, world);
    });
  withExample(
    withOutput(command),
    'fleetwright interpret -f customization.yaml -f object.yaml --operation InterpretHealth',
    'fleetwright interpret -f customization.yaml --check',
  );
}

async function interpret(flags: Flags, world: World): Promise<number> {
  const paths = flags.file ?? [];
  const stdin = paths.includes('-') ? await world.readStdin() : undefined;
  const at = { cwd: world.cwd, ...(stdin !== undefined && { stdin }) };
  const sources = readSources(paths, at);
  refuse(sources.diagnostics);
  const customizations = sources.documents.filter(({ object }) => isCustomization(object));
  const taught = interpretersFrom(customizations, world.now());
  const findings = locate(taught.diagnostics, sources.places);
  if (flags.check === true) return check(customizations, findings, flags, world);

  refuse(findings);
  const { subject, about } = readSubject(flags, objectsOf(sources.documents, taught), world);
  const interpreter = interpreterFor(about, taught.interpreters);
  const result = answered(about, sources.places, () =>
    flags.operation === undefined
      ? answerAll(interpreter, subject)
      : answer(flags.operation, interpreter, subject),
  );
  world.stdout.write(
    flags.json === true
      ? `${JSON.stringify({ schemaVersion: 1, resource: refOf(about), ...(flags.operation !== undefined && { operation: flags.operation }), result }, null, 2)}\n`
      : printYaml(result),
  );
  return 0;
}

/** 0 when every script compiles and defines its function. */
function check(
  customizations: readonly SourcedObject[],
  findings: readonly Diagnostic[],
  flags: Flags,
  world: World,
): number {
  if (customizations.length === 0)
    throw new Error('There is no ResourceInterpreterCustomization to check; give one with -f.');
  const isSound = findings.every(({ severity }) => severity !== 'error');
  if (flags.json === true)
    world.stdout.write(
      `${JSON.stringify({ schemaVersion: 1, sound: isSound, diagnostics: findings }, null, 2)}\n`,
    );
  else if (isSound)
    world.stdout.write(
      `${customizations.map(({ object }) => `${describeRef(refOf(object))}: the scripts can run`).join('\n')}\n`,
    );
  report(findings, world, flags);
  return isSound ? 0 : 1;
}

/** A rule that fails is a finding with a place. */
function answered<T>(about: KubeObject, places: readonly Place[], ask: () => T): T {
  try {
    return ask();
  } catch (error) {
    if (!InterpretError.is(error)) throw error;
    const { message, rule } = error;
    const resource = refOf(about);
    throw new Refusal(
      rule === undefined
        ? [
            {
              code: 'TEMPLATE_UNREADABLE',
              severity: 'error',
              summary: `${describeRef(resource)} cannot be interpreted: ${message}.`,
              resource,
            },
          ]
        : locate(findInterpreterFailures([{ resource, message, rule }]), places),
    );
  }
}

function wholeOf(text: string): number {
  if (!/^\d{1,9}$/.test(text))
    throw new Error(`--replicas: expected a whole number, found "${text}"`);
  return Number(text);
}
