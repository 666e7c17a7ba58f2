import { describe, expect, test } from '@jest/globals';
import type { Plan } from '../../lib/engine/plan.js';
import { showProgress } from '../../bin/progress.js';
import type { World } from '../../bin/world.js';
import { aConfigMap, aPlan, aRelease, aWave } from '../providers/rollout/releases.js';

const plan: Plan = aPlan(
  [aWave('canary', ['eu-1']), aWave('rest', ['us-1', 'us-2'])],
  ['eu-1', 'us-1', 'us-2'].map((cluster) => aRelease(cluster, [aConfigMap('env')])),
);
const DEPLOYMENT = { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'web' };

interface Fake {
  readonly world: World;
  readonly stdout: () => string;
  readonly stderr: () => string;
}

function aWorld(isTerminal: boolean, env: Record<string, string> = {}): Fake {
  const printed = { stdout: '', stderr: '' };
  const output = (name: keyof typeof printed): World['stdout'] => ({
    isTerminal,
    columns: 60,
    rows: 20,
    write: (text) => void (printed[name] += text),
  });
  const world = { stdout: output('stdout'), stderr: output('stderr'), env } as unknown as World;
  return { world, stdout: () => printed.stdout, stderr: () => printed.stderr };
}

/** What is on the screen after all that was written to it: enough of a terminal for what log-update sends. */
function screenOf(text: string): readonly string[] {
  const lines: string[] = [''];
  let at = 0;
  for (const [token] of text.matchAll(/\u001b\[\??([\d;]*)([A-Za-z])|\r?\n|[^\u001b\n]+/g)) {
    const [, amount = '', command] = /^\u001b\[\??([\d;]*)([A-Za-z])$/.exec(token) ?? [];
    const count = amount === '' ? 1 : Number(amount);
    if (command === 'A') at = Math.max(0, at - count);
    else if (command === 'B') at += count;
    else if (command === 'K' && amount === '2') lines[at] = '';
    else if (command === undefined && token === '\n') at += 1;
    else if (command === undefined) lines[at] = `${lines[at] ?? ''}${token}`;
    while (lines.length <= at) lines.push('');
  }
  return lines.map((line) => line.trimEnd()).filter((line) => line !== '');
}

describe('on a terminal', () => {
  test('the frame is on the screen once, below what was said, and the cursor comes back', async () => {
    const { world, stderr } = aWorld(true);
    const view = await showProgress(plan, world, {});
    view.onEvent({ atMs: 1, kind: 'wave', wave: 'canary', phase: 'applying' });
    view.onEvent({ atMs: 1, kind: 'cluster', wave: 'canary', cluster: 'eu-1', phase: 'applying' });

    view.say('Stopping: …');
    view.end();
    view.end();

    expect(screenOf(stderr())).toEqual([
      'Stopping: …',
      '▸ canary  applying · 1 cluster, 1 applying',
      '    ▸ eu-1  applying  0/1 ready',
      '· rest  pending · 2 clusters',
      '0 s',
    ]);
  });

  test('a question has the terminal for itself: no frame is drawn before it is answered', async () => {
    const { world, stderr } = aWorld(true);
    const view = await showProgress(plan, world, {});

    const drawn = await view.standAside(async () => {
      const before = stderr().length;
      view.onEvent({ atMs: 1, kind: 'wave', wave: 'canary', phase: 'applying' });
      view.say('Stopping');
      await new Promise((resolve) => setImmediate(resolve));
      return stderr().slice(before);
    });
    view.end();

    expect(drawn).toBe('Stopping\n');
  });

  test('NO_COLOR: no colours', async () => {
    const { world, stderr } = aWorld(true, { NO_COLOR: '1' });
    const view = await showProgress(plan, world, {});
    view.end();

    expect(stderr()).not.toMatch(/\u001b\[\d+m/);
  });
});

describe('without a terminal', () => {
  const waiting = {
    atMs: 3_000,
    kind: 'object',
    cluster: 'eu-1',
    progress: {
      kind: 'waiting',
      resource: DEPLOYMENT,
      waitingFor: '1 of 3 replicas; 2 pods: CrashLoopBackOff (last exit code 1)',
      pods: ['2 pods: CrashLoopBackOff (last exit code 1)'],
      log: ['cannot open \u001b[1m/data\u001b[0m'],
    },
  } as const;

  test('plain lines: phases, and why pods are not ready with their last words, once', async () => {
    const { world, stderr } = aWorld(false);
    const view = await showProgress(plan, world, {});

    view.onEvent({ atMs: 0, kind: 'wave', wave: 'canary', phase: 'applying' });
    view.onEvent(waiting);
    view.onEvent({ ...waiting, atMs: 6_000 });
    view.end();

    expect(stderr()).toBe(
      [
        '[   0.0 s] wave canary: applying',
        '[   3.0 s]   eu-1: Deployment shop/web: 1 of 3 replicas; 2 pods: CrashLoopBackOff (last exit code 1)',
        '[   3.0 s]   eu-1: log: cannot open  /data',
        '',
      ].join('\n'),
    );
  });

  test('--events-json: one document a line, with all there is', async () => {
    const { world, stdout, stderr } = aWorld(false);
    const view = await showProgress(plan, world, { eventsJson: true });

    view.onEvent(waiting);
    view.end();

    expect(JSON.parse(stdout())).toEqual(waiting);
    expect(stderr()).toBe('');
  });
});
