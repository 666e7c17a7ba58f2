import { expect, test } from '@jest/globals';

import { describeWithRig } from './rig.js';

describeWithRig('the rig', (rig) => {
  test('has three clusters whose audit logs can be read', () => {
    const { clusters, auditLog } = rig();

    expect(clusters).toEqual(['member1', 'member2', 'member3']);
    const nodes = auditLog('member1').filter(
      (event) => event.verb === 'create' && event.objectRef?.resource === 'nodes',
    );
    expect(nodes.map((event) => event.user.username)).toEqual(['rig-kubelet', 'rig-kubelet']);
  });
});
