import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { SUSPENSION_MEMORY } from '../../../lib/engine/karmada/index.js';
import type { KarmadaReport } from '../../../lib/providers/karmada/index.js';
import { aDeployment, aPolicy, WAVES } from './documents.js';
import { ONE, POLICY, Site, TWO } from './site.js';

jest.setTimeout(60_000);

let site: Site;
afterEach(() => site.plane.close());

const CHANGE = [aPolicy(), aDeployment(TWO)];
const IN_ORDER = [`member3 ${TWO} x3`, `member2 ${TWO} x2`, `member1 ${TWO} x1`];

/** Runs the change, and does something when `member3` has passed and `member2` waits for a person. */
function upWhile(meddle: () => Promise<void>): Promise<KarmadaReport> {
  const waves = WAVES.map((wave) => ({
    ...wave,
    gate: { ...wave.gate, approval: wave.name === 'member2' },
  }));
  const askApproval = async (): Promise<boolean> => {
    await meddle();
    return true;
  };
  return site.up(CHANGE, { waves }, { askApproval });
}

describe('a control plane in trouble', () => {
  test('it restarts in the middle and has forgotten its events (410 Gone): the run goes on', async () => {
    site = await Site.running();
    const { server } = site.plane;

    const report = await upWhile(async () => {
      await server.stop();
      server.compact();
      await server.start();
    });

    expect(report).toMatchObject({ outcome: 'done', suspended: [] });
    expect(site.arrived()).toEqual(IN_ORDER);
  });

  test('it answers 503 and 429 for a while: the run goes on', async () => {
    site = await Site.running();
    let left = 20;
    const isWrite = ({ method, query }: { method: string; query: string }): boolean =>
      method === 'PATCH' && query.includes('fieldManager=fleetwright') && left-- > 0;
    site.plane.server.faults.inject((request) =>
      isWrite(request) ? { code: left % 2 === 0 ? 503 : 429 } : undefined,
    );

    const report = await site.up(CHANGE);

    expect(report).toMatchObject({ outcome: 'done', suspended: [] });
    expect(site.arrived()).toEqual(IN_ORDER);
  });

  test('it goes away for good: the run ends, says so, and the next one continues', async () => {
    site = await Site.running();
    const { server } = site.plane;
    const waves = WAVES.map((wave) => ({
      ...wave,
      gate: { ...wave.gate, approval: wave.name === 'member2' },
    }));
    const askApproval = async (): Promise<boolean> => {
      await server.stop();
      return true;
    };

    const report = await site.up(CHANGE, { waves }, { askApproval, unreachableSeconds: 0.5 });
    await server.start();
    const next = await site.up(CHANGE, { waves }, { approve: ['member2'] });

    expect(report.outcome).toBe('failed');
    expect(report.diagnostics[0]).toMatchObject({
      code: 'CLUSTER_UNREACHABLE',
      hint: 'What was suspended stays so; run the same command again to continue.',
    });
    expect(next.outcome).toBe('done');
    expect(site.arrived()).toEqual(IN_ORDER);
  });

  test('a member whose controller never observes the change fails its wave; later ones keep what they have', async () => {
    site = await Site.running();
    site.plane.fake.options.neverObservedOn = new Set(['member2']);
    const waves = WAVES.map((wave) => ({ ...wave, gate: { ...wave.gate, deadlineSeconds: 3 } }));

    const report = await site.up(CHANGE, { waves });

    expect(report.outcome).toBe('failed');
    expect(report.notDone[0]?.why).toContain('its controller has not observed it');
    expect(site.arrived()).toEqual(IN_ORDER.slice(0, 2));
    expect((await site.suspension()).clusters).toEqual(['member1']);
  });
});

describe('a person in the middle', () => {
  test('another placement: stops, since Karmada decides something else than the plan', async () => {
    site = await Site.running();
    const { spec } = aPolicy({ member1: 3, member2: 2, member3: 1 }) as unknown as {
      spec: { placement: object };
    };

    const report = await upWhile(() => site.personEdits({ placement: spec.placement }));

    expect(report.outcome).toBe('failed');
    expect(report.diagnostics[0]?.summary).toContain(
      'Karmada decided member1 3, member2 2, member3 1, the plan says member1 1, member2 2, member3 3',
    );
    expect(site.arrived().filter((line) => line.startsWith('member2'))).toEqual([]);
    expect((await site.suspension()).clusters).toEqual(['member1', 'member2']);
  });

  test('the annotation removed: stops; what the list says is nobody’s to release then', async () => {
    site = await Site.running();

    const report = await upWhile(async () => {
      const { apiVersion, kind, name, namespace } = POLICY;
      const annotations = { [SUSPENSION_MEMORY]: '' };
      await site.plane.client.apply(
        { apiVersion, kind, metadata: { name, namespace, annotations } },
        { fieldManager: 'kubectl-edit', force: true },
      );
    });
    const next = await site.up(CHANGE);

    expect(report.outcome).toBe('failed');
    expect(report.diagnostics[0]?.summary).toContain('no longer says what is held');
    expect(next).toMatchObject({
      outcome: 'held',
      suspended: [{ byRollout: [], byOthers: ['member1', 'member2'] }],
    });
    expect(site.arrived()).toEqual(IN_ORDER.slice(0, 1));
  });

  test('clusters taken off the list count as released: nothing is held again', async () => {
    site = await Site.running();

    const report = await upWhile(() => site.personSuspends([]));

    expect(report).toMatchObject({ outcome: 'done', suspended: [] });
    expect([...site.arrived()].sort()).toEqual([...IN_ORDER].sort());
  });

  test('the whole policy suspended: stops, and says who can change it', async () => {
    site = await Site.running();

    const report = await upWhile(() => site.personEdits({ suspension: { dispatching: true } }));

    expect(report.outcome).toBe('failed');
    expect(report.diagnostics[0]?.summary).toContain('suspends dispatching to all clusters');
    expect(site.arrived()).toEqual([`member3 ${TWO} x3`]);
  });

  test('the template changed back: stops, since what would be released is not what was planned', async () => {
    site = await Site.running();

    const report = await upWhile(async () => {
      await site.plane.client.apply(aDeployment(ONE), {
        fieldManager: 'kubectl-edit',
        force: true,
      });
    });

    expect(report.outcome).toBe('failed');
    expect(report.diagnostics[0]?.summary).toContain('was changed by somebody else');
    expect(site.arrived().filter((line) => line.startsWith('member1'))).toEqual([]);
  });
});
