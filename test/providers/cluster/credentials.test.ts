import { expect, test } from '@jest/globals';

import { cacheCredentials, type Credential } from '../../../lib/providers/cluster/credentials.js';

function aSource(renewable: boolean, lifetimeMs?: number, now: () => number = () => 0) {
  const made: Credential[] = [];
  return {
    made,
    renewable,
    fetch: () => {
      const credential = {
        headers: { Authorization: `Bearer ${made.length + 1}` },
        tls: {},
        ...(lifetimeMs !== undefined && { expiresAt: now() + lifetimeMs }),
      };
      made.push(credential);
      return Promise.resolve(credential);
    },
  };
}

test('thirty-two requests fetch once', async () => {
  const source = aSource(true);
  const credentials = cacheCredentials(source);

  await Promise.all(Array.from({ length: 32 }, () => credentials.current()));

  expect(source.made).toHaveLength(1);
});

test('a credential is fetched anew a minute before it expires', async () => {
  let time = 0;
  const source = aSource(true, 300_000, () => time);
  const credentials = cacheCredentials(source, { wall: () => time, steady: () => time });

  await credentials.current();
  time = 239_999;
  await credentials.current();
  expect(source.made).toHaveLength(1);
  time = 240_000;
  await credentials.current();
  expect(source.made).toHaveLength(2);
});

test('one that lasts half a minute is fetched anew after half of that', async () => {
  let time = 0;
  const source = aSource(true, 30_000, () => time);
  const credentials = cacheCredentials(source, { wall: () => time, steady: () => time });

  for (time = 0; time < 15_000; time += 1_000) await credentials.current();
  expect(source.made).toHaveLength(1);
  await credentials.current();
  expect(source.made).toHaveLength(2);
});

test.each([
  { jump: 3_600_000, name: 'an hour forward' },
  { jump: -3_600_000, name: 'an hour back' },
])('a clock that jumps $name neither ends a credential early nor keeps it', async ({ jump }) => {
  let steady = 0;
  let wall = 1_000_000;
  const source = aSource(true, 300_000, () => wall);
  const credentials = cacheCredentials(source, { wall: () => wall, steady: () => steady });

  await credentials.current();
  wall += jump;
  steady = 239_999;
  await credentials.current();
  expect(source.made).toHaveLength(1);
  steady = 240_000;
  await credentials.current();
  expect(source.made).toHaveLength(2);
});

test('one that is over on arrival is used until it is refused', async () => {
  const source = aSource(true, -1);
  const credentials = cacheCredentials(source, { wall: () => 0, steady: () => 0 });

  for (let requests = 0; requests < 5; requests++) await credentials.current();
  expect(source.made).toHaveLength(1);
  credentials.renew(await credentials.current());
  await credentials.current();
  expect(source.made).toHaveLength(2);
});

test('requests that were refused together renew once', async () => {
  const source = aSource(true);
  const credentials = cacheCredentials(source);
  const used = await credentials.current();

  expect([credentials.renew(used), credentials.renew(used)]).toEqual([true, true]);
  await credentials.current();
  credentials.renew(used);
  await credentials.current();

  expect(source.made).toHaveLength(2);
});

test('a fixed credential is not renewed', async () => {
  const source = aSource(false);
  const credentials = cacheCredentials(source);

  expect(credentials.renew(await credentials.current())).toBe(false);
  await credentials.current();

  expect(source.made).toHaveLength(1);
});

test('a failure is seen by those who waited and not remembered', async () => {
  let calls = 0;
  const fetch = (): Promise<Credential> => {
    calls += 1;
    return calls === 1
      ? Promise.reject(new Error('not yet'))
      : Promise.resolve({ headers: {}, tls: {} });
  };
  const credentials = cacheCredentials({ renewable: true, fetch });

  const first = await Promise.allSettled([credentials.current(), credentials.current()]);

  expect(first.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await credentials.current()).toEqual({ headers: {}, tls: {} });
});
