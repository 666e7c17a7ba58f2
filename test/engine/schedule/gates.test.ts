import { describe, expect, test } from '@jest/globals';
import { GATE_NAMES, gatesFor, isGate } from '../../../lib/engine/schedule/index.js';

describe('gatesFor', () => {
  test('profile karmada has a stock control plane’s gates', () => {
    const on = GATE_NAMES.filter((name) => gatesFor('karmada')[name]);

    expect(on).toEqual([
      'CustomizedClusterResourceModeling',
      'GracefulEviction',
      'PriorityBasedScheduling',
      'PropagateDeps',
    ]);
  });

  test('the default profile adds what makes sense at deploy time', () => {
    const added = GATE_NAMES.filter(
      (name) => gatesFor('default')[name] !== gatesFor('karmada')[name],
    );

    expect(added).toEqual([
      'Failover',
      'MultiplePodTemplatesScheduling',
      'PropagationPolicyPreemption',
      'SchedulingOvercommitProtection',
      'WorkloadAffinity',
      'keepsMinGroups',
      'noExecuteTaintEviction',
      'unknownRoomIsEnough',
      'unreadyTakesNoMore',
    ]);
  });

  test('single gates can be overridden, unknown names are left out', () => {
    const gates = gatesFor('karmada', { WorkloadAffinity: true, NoSuchGate: true });

    expect(gates.WorkloadAffinity).toBe(true);
    expect(gates).not.toHaveProperty('NoSuchGate');
    expect(isGate('NoSuchGate')).toBe(false);
  });
});
