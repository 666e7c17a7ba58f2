import { type Command, Option } from 'commander';
import type { Diagnostic } from '../../lib/engine/diagnostic.js';
import type { SourcedObject } from '../../lib/engine/input.js';
import {
  type AggregatedStatusItem,
  InterpretError,
  interpreterFor,
  type Operation,
} from '../../lib/engine/interpret/index.js';
import { findInterpreterFailures } from '../../lib/engine/interpreter-findings.js';
import { describeRef, type KubeObject, refOf } from '../../lib/engine/object.js';
import { interpretersFrom, isCustomization } from '../../lib/providers/lua/index.js';
import {
  locate,
  parseDocuments,
  type Place,
  printYaml,
  readSources,
  readTexts,
} from '../../lib/providers/source/index.js';
import { answer, answerAll, OPERATIONS, type Subject } from '../interpretation.js';
import { type OutputFlags, withExample, withOutput } from '../options.js';
import type { Outcome } from '../outcome.js';
import { Refusal } from '../refusal.js';
import { report } from '../report.js';
import type { World } from '../world.js';

interface Flags extends OutputFlags {
  readonly file?: readonly string[];
  readonly operation?: Operation;
  readonly desired?: string;
  readonly observed?: string;
  readonly items?: string;
  readonly replicas?: number;
  readonly check?: boolean;
}

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
      ).argParser((value: string, previous: readonly string[] = []) => [...previous, value]),
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
  const taught = interpretersFrom(customizations);
  const findings = locate(taught.diagnostics, sources.places);
  if (flags.check === true) return check(customizations, findings, flags, world);

  refuse(findings);
  const { subject, about } = readSubject(flags, sources.documents, world);
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

/** What is asked about: objects with flags of their own, else the one object of `-f` that is no customization. */
function readSubject(
  flags: Flags,
  documents: readonly SourcedObject[],
  world: World,
): { readonly subject: Subject; readonly about: KubeObject } {
  const others = documents.map(({ object }) => object).filter((object) => !isCustomization(object));
  const [given, ...more] = others;
  if (more.length > 0)
    throw new Error(
      `One object can be asked about at a time; -f gives ${others.map((o) => describeRef(refOf(o))).join(', ')}.`,
    );
  const desired = flags.desired === undefined ? given : readObject(flags.desired, world);
  const observed = flags.observed === undefined ? undefined : readObject(flags.observed, world);
  const about = desired ?? observed;
  if (about === undefined) throw new Error('There is no object to ask about; give one with -f.');
  const seen = observed ?? (flags.operation === 'Retain' ? undefined : desired);
  return {
    about,
    subject: {
      ...(desired !== undefined && { desired }),
      ...(seen !== undefined && { observed: seen }),
      ...(flags.replicas !== undefined && { replicas: flags.replicas }),
      ...(flags.items !== undefined && { items: readItems(flags.items, world) }),
      now: world.now(),
    },
  };
}

function readObject(file: string, { cwd }: World): KubeObject {
  const { documents, diagnostics } = readSources([file], { cwd });
  refuse(diagnostics);
  const [first, ...more] = documents;
  if (first === undefined || more.length > 0)
    throw new Error(`"${file}" must hold one object, it holds ${documents.length}.`);
  return first.object;
}

/** A list, a stream of items, or a binding with `status.aggregatedStatus`. */
function readItems(file: string, { cwd }: World): readonly AggregatedStatusItem[] {
  const { texts, diagnostics } = readTexts([file], { cwd });
  refuse(diagnostics);
  const values = texts.flatMap(({ text }) => parseDocuments(text)).map(({ value }) => value);
  const items = values.flatMap((value) => itemsIn(value));
  const wrong = items.find(
    (item) => typeof (item as AggregatedStatusItem | null)?.clusterName !== 'string',
  );
  if (wrong !== undefined)
    throw new Error(
      `"${file}" must hold a list of items, each with clusterName, status and health.`,
    );
  return items as readonly AggregatedStatusItem[];
}

function itemsIn(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  const status = (value as { readonly status?: { readonly aggregatedStatus?: unknown } } | null)
    ?.status?.aggregatedStatus;
  return Array.isArray(status) ? status : [value];
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

function refuse(diagnostics: readonly Diagnostic[]): void {
  if (diagnostics.some(({ severity }) => severity === 'error')) throw new Refusal(diagnostics);
}

function wholeOf(text: string): number {
  if (!/^\d{1,9}$/.test(text))
    throw new Error(`--replicas: expected a whole number, found "${text}"`);
  return Number(text);
}
