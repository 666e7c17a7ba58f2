import { expect, test } from '@jest/globals';
import { beforeNewest, historyOf, type KeptStep } from '../../../lib/engine/rollout/way-back.js';

/** `4=2`: revision 4 brought back what revision 2 had. */
const steps = (text: string): readonly KeptStep[] =>
  text.split(' ').flatMap((word): readonly KeptStep[] => {
    if (word === '') return [];
    const [revision = '', restores] = word.split('=');
    return [{ revision: Number(revision), ...(restores && { restores: Number(restores) }) }];
  });

test.each([
  { name: 'nothing is kept', kept: '', history: [] },
  { name: 'rollouts only', kept: '1 2 3', history: [1, 2, 3] },
  { name: 'one rollback', kept: '1 2 3 4=2', history: [1, 2] },
  { name: 'two rollbacks go further back', kept: '1 2 3 4=2 5=1', history: [1] },
  {
    name: 'a rollout after a rollback follows what was brought back',
    kept: '1 2 3=1 4',
    history: [1, 4],
  },
  { name: 'a left state is reached by its number', kept: '1 2 3 4=2 5=3', history: [1, 2, 3] },
  { name: 'the first to have it is not kept any more', kept: '3 4=2 5', history: [3, 4, 5] },
  { name: 'brought back twice, the first not kept any more', kept: '4=2 5 6=2', history: [6] },
  { name: 'in any order', kept: '4=2 1 3 2', history: [1, 2] },
])('history: $name', ({ kept, history }) => {
  expect(historyOf(steps(kept))).toEqual(history);
});

test('the state before the newest is none that a rollback left', () => {
  expect(beforeNewest(steps('1 2 3'))).toBe(2);
  expect(beforeNewest(steps('1 2 3 4=2'))).toBe(1);
  expect(beforeNewest(steps('1 2 3 4=2 5=1'))).toBeUndefined();
});
