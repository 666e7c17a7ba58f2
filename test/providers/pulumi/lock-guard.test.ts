import { describe, expect, test } from '@jest/globals';
import { check, create, diff, read, update } from '../../../lib/providers/pulumi/provider.js';
import type { LockInputs } from '../../../lib/providers/pulumi/wire.js';
import { PROVIDER } from '../../../lib/providers/pulumi/wire.js';

function aLock(serial: number, content: string): LockInputs {
  return {
    kind: 'lock',
    application: 'shop',
    environment: '',
    serial,
    content,
    __urn: 'urn:lock',
    __provider: PROVIDER,
  };
}

async function refusals(olds: LockInputs | object, news: LockInputs): Promise<string[]> {
  return (await check(olds, news)).failures.map(({ reason }) => reason);
}

describe('the lock guard', () => {
  test('a first run takes any lock', async () => {
    expect(await refusals({}, aLock(4, 'a'))).toEqual([]);
  });

  test('a newer lock, and the same lock, pass', async () => {
    expect(await refusals(aLock(4, 'a'), aLock(5, 'b'))).toEqual([]);
    expect(await refusals(aLock(4, 'a'), aLock(4, 'a'))).toEqual([]);
  });

  test('LOCK_OUTDATED: an older lock is refused with both serials', async () => {
    const [reason = ''] = await refusals(aLock(5, 'b'), aLock(4, 'a'));

    expect(reason).toMatch(/^LOCK_OUTDATED: .*serial 4.*serial 5.*pull/);
  });

  test('LOCK_DIVERGED: other decisions under the same serial are refused', async () => {
    const [reason = ''] = await refusals(aLock(5, 'b'), aLock(5, 'c'));

    expect(reason).toMatch(/^LOCK_DIVERGED: .*serial 5/);
  });

  test('only a changed lock is a change, and the state then holds serial and content', async () => {
    const before = aLock(4, 'a');
    const after = aLock(5, 'b');

    expect((await diff('shop/lock', before, aLock(4, 'a'))).changes).toBe(false);
    expect((await diff('shop/lock', before, after)).changes).toBe(true);
    expect(await create(before)).toEqual({ id: 'shop/lock', outs: before });
    expect(await update('shop/lock', before, after)).toEqual({ outs: after });
    expect(await read('shop/lock', after)).toEqual({ id: 'shop/lock', props: after });
  });
});
