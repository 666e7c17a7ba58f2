import type {
  DocumentStatus,
  KarmadaStatus,
  Leftover,
  PolicySuspension,
  WavePosition,
  WaveStand,
} from '../lib/engine/karmada/index.js';
import { describeRef } from '../lib/engine/object.js';
import type { Plan } from '../lib/engine/plan.js';
import type { Access } from './access.js';
import type { Gathered } from './gather.js';
import { describeKarmadaTemplates } from './karmada-template-lines.js';
import { decideOnControlPlane, KARMADA_CONTEXT, type KarmadaFlags } from './karmada.js';
import type { OutputFlags } from './options.js';
import { printable } from './printable.js';
import { commandOf } from './other-command.js';
import type { Settings } from './settings.js';
import type { World } from './world.js';

interface Asked {
  readonly flags: OutputFlags & KarmadaFlags;
  readonly world: World;
  readonly access: Access;
  /** Arguments of this run. */
  readonly args: readonly string[];
}

/** 0 when everything is as planned and rolled out on every cluster, else 1; asks the control plane alone. */
export async function showOnControlPlane(
  { flags, world, access, args }: Asked,
  settings: Settings,
  gathered: Gathered,
): Promise<number> {
  const client = await access.connect(flags.karmadaContext ?? KARMADA_CONTEXT);
  const { plan } = await decideOnControlPlane(gathered, { ...settings, frozen: false }, client);
  const documents = gathered.input.documents.map(({ object }) => object);
  const { readKarmadaStatus } = await import('../lib/providers/karmada/index.js');
  const status = await readKarmadaStatus(plan, documents, client);
  world.stdout.write(
    flags.json === true
      ? karmadaStatusToJson(status, args)
      : describeKarmadaStatus(status, plan, args),
  );
  return status.ready ? 0 : 1;
}

/** What `status` answers of a control plane, for people; `args` are those of this run. */
export function describeKarmadaStatus(
  status: KarmadaStatus,
  plan: Plan,
  args: readonly string[],
): string {
  const lines = [
    ...describeKarmadaTemplates(status.templates, plan),
    ...describePosition(status.rollout),
    ...describeOthers(status.suspensions),
    ...describeDocuments(status),
    ...describeLeftovers(status.leftovers),
    ...(isOpen(status) ? ['', `Continue with:  ${continueWith(status, args)}`] : []),
  ];
  return `${lines.join('\n')}\n`;
}

/** The same for programs: `docs/karmada.md` describes the fields, all of which stay. */
export function karmadaStatusToJson(status: KarmadaStatus, args: readonly string[]): string {
  const { ready, ...rest } = status;
  const more = isOpen(status) ? { continueWith: continueWith(status, args) } : {};
  return `${JSON.stringify({ schemaVersion: 1, target: 'karmada', ready, ...rest, ...more }, null, 2)}\n`;
}

/** Whether `up` has something to do: what others suspend or what only takes its time needs no command. */
function isOpen({ rollout, documents, leftovers }: KarmadaStatus): boolean {
  return (
    rollout.step !== 'none' ||
    documents.length > 0 ||
    leftovers.some(({ foundBy }) => foundBy === 'plan')
  );
}

/** `up` with the flags of this `status`; what only says how to print is left out. */
function continueWith({ rollout }: KarmadaStatus, args: readonly string[]): string {
  const next = nextWave(rollout);
  const approve = next?.waitsFor === 'approval' ? ['--approve', next.name] : [];
  const words = args.filter((word) => word !== '--json' && word !== '--no-color');
  const at = words.indexOf('status');
  return commandOf([...words.slice(0, at), 'up', ...words.slice(at + 1), ...approve]);
}

/** The wave whose turn it is: the first that is not done. */
function nextWave({ waves }: WavePosition): WaveStand | undefined {
  return waves.find(({ phase }) => phase !== 'done');
}

function describePosition(position: WavePosition): readonly string[] {
  const lines = positionLines(position);
  return lines.length === 0 ? [] : ['', ...lines];
}

function positionLines(position: WavePosition): readonly string[] {
  const { step, waves } = position;
  switch (step) {
    case 'none':
      return [];
    case 'other':
      return [
        'Rollout  clusters are held for another change than the one planned now: up holds everything again, then starts with the first wave',
      ];
    case 'shrinking':
      return [
        'Rollout  all waves are through; what leaves its clusters goes last, and is not gone',
      ];
    case 'held':
    case 'waves': {
      const next = nextWave(position);
      const at = next === undefined ? waves.length : waves.indexOf(next) + 1;
      const head =
        next === undefined
          ? 'all waves are done; the policies are not given back'
          : `wave ${next.name} (${at} of ${waves.length}) ${PHASES[next.phase]}${asksFor(next)}`;
      return [`Rollout  ${head}`, ...waves.map(describeWave)];
    }
  }
}

const PHASES: Readonly<Record<WaveStand['phase'], string>> = {
  held: 'is held',
  releasing: 'is being released',
  released: 'is released, and not done everywhere',
  done: 'is done',
};

function asksFor({ waitsFor }: WaveStand): string {
  if (waitsFor === undefined) return '';
  return waitsFor === 'approval' ? ', and waits for approval' : ', and starts in its time window';
}

function describeWave({ name, phase, held, released }: WaveStand): string {
  const parts = [
    ...(released.length > 0 ? [`released ${released.join(', ')}`] : []),
    ...(held.length > 0 ? [`held ${held.join(', ')}`] : []),
  ];
  return `  wave ${name}  ${phase === 'done' ? 'done: ' : ''}${parts.join('; ')}`;
}

function describeOthers(suspensions: readonly PolicySuspension[]): readonly string[] {
  const lines = suspensions.flatMap(({ policy, whole, byDocument, byOthers }) => [
    ...(whole ? [`${policy}: everything, by somebody else (spec.suspension.dispatching)`] : []),
    ...(byOthers.length > 0
      ? [`${policy}: ${byOthers.join(', ')} by somebody else (${FIELD}); no rollout releases this`]
      : []),
    ...(byDocument.length > 0 ? [`${policy}: ${byDocument.join(', ')} by its own document`] : []),
  ]);
  return lines.length === 0 ? [] : ['', 'Suspended', ...lines.map((line) => `  ${line}`)];
}

const FIELD = 'spec.suspension.dispatchingOnClusters';

const STATES: readonly (readonly [DocumentStatus['state'], string])[] = [
  ['missing', 'Missing on the control plane'],
  ['differs', 'Other than planned'],
  ['unknown', 'Could not be compared'],
];

function describeDocuments({ documents }: KarmadaStatus): readonly string[] {
  return STATES.flatMap(([state, title]) => {
    const own = documents.filter((one) => one.state === state);
    if (own.length === 0) return [];
    return [
      '',
      title,
      ...own.map(({ resource, reason }) => {
        const why = reason === undefined ? '' : ` · ${printable(reason)}`;
        return `  ${describeRef(resource)}${why}`;
      }),
    ];
  });
}

function describeLeftovers(leftovers: readonly Leftover[]): readonly string[] {
  if (leftovers.length === 0) return [];
  return [
    '',
    'Not in the plan any more',
    ...leftovers.map(({ resource, foundBy, clusters }) => {
      const where = clusters.length === 0 ? 'on no cluster' : `on ${clusters.join(', ')}`;
      const what =
        foundBy === 'plan'
          ? 'up deletes it'
          : 'its policy still propagates it; delete it by hand, unless another application has it';
      return `  ${describeRef(resource)} · ${where} · ${what}`;
    }),
  ];
}
