import { ParleyError } from '@parley/sdk';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { openTestStorage } from '../../../test/stores/open-test-storage.ts';
import { KyselyAccountStore } from '../../storage/accounts/kysely-account-store.ts';
import { KyselyAttemptStore } from '../../storage/accounts/kysely-attempt-store.ts';
import type { Storage } from '../../storage/storage.ts';
import { AttemptLimit } from './attempt-limit.ts';

const ada = '0198b6c0-0000-7000-8000-000000000001';
let storage: Storage;
let limit: AttemptLimit;
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-01-01T00:00:00Z') });
  storage = await openTestStorage('sqlite');
  limit = new AttemptLimit(new KyselyAttemptStore(storage.database));
  const timestamps = { created_at: '', updated_at: '' };
  const secrets = { role: 'admin', password_hash: '', recovery_hash: '', version: 1 } as const;
  await new KyselyAccountStore(storage.database).create({ uuid: ada, user: 'ada', ...secrets, ...timestamps });
});
afterEach(async () => {
  vi.useRealTimers();
  await storage.close();
});

const pass = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1000);
/** @returns seconds to wait, 0 when the attempt may be made */
async function attempt(user: string, address: string): Promise<number> {
  try {
    await limit.begin('sign-in', user, address);
    return 0;
  } catch (error) {
    if (error instanceof ParleyError && error.reason === 'too_many_requests')
      return error.retryAfterSeconds ?? Number.NaN;
    throw error;
  }
}
const succeed = async (address: string) => (await limit.begin('sign-in', 'ada', address))(ada);
const attempts = async (count: number, user: string, address: string) => {
  const waits: number[] = [];
  for (let index = 0; index < count; index += 1) waits.push(await attempt(user, address));
  return waits;
};

it('lets five guesses through, then asks to wait, longer each time', async () => {
  expect(await attempts(6, 'ada', '10.0.0.1')).toEqual([0, 0, 0, 0, 0, 30]);
  pass(29);
  expect(await attempt('ada', '10.0.0.1')).toBe(1);
  const waits: number[] = [30];
  for (let round = 0; round < 6; round += 1) {
    pass(waits.at(-1) as number);
    expect(await attempt('ada', '10.0.0.1')).toBe(0);
    waits.push(await attempt('ada', '10.0.0.1'));
  }
  expect(waits).toEqual([30, 60, 120, 240, 480, 900, 900]);
});

it('lets no more through when they are concurrent', async () => {
  const waits = await Promise.all(Array.from({ length: 30 }, () => attempt('ada', '10.0.0.1')));
  expect(waits.filter((wait) => wait === 0)).toHaveLength(5);
});

it('does not lock a user out at other addresses, nor other users at the same one', async () => {
  await attempts(10, 'ada', '10.0.0.1');
  expect(await attempt('ada', '10.0.0.2')).toBe(0);
  expect(await attempt('bob', '10.0.0.1')).toBe(0);
});

it('does not lock out everyone when an attacker continues after refusals', async () => {
  await attempts(200, 'ada', '10.0.0.1');
  expect(await attempt('ada', '10.0.0.2')).toBe(0);
});

it('counts a user however the name is written', async () => {
  for (const user of ['ada', 'Ada', ' ADA ', 'aDa', 'adA']) expect(await attempt(user, '10.0.0.1')).toBe(0);
  expect(await attempt('ada', '10.0.0.1')).toBe(30);
});

it('slows down an address that tries many persons', async () => {
  for (let index = 0; index < 20; index += 1) expect(await attempt(`person ${index}`, '10.0.0.1')).toBe(0);
  expect(await attempt('one more', '10.0.0.1')).toBe(30);
  expect(await attempt('one more', '10.0.0.2')).toBe(0);
});

it('slows down guesses at one user from many addresses', async () => {
  for (let index = 0; index < 50; index += 1) expect(await attempt('ada', `10.0.1.${index}`)).toBe(0);
  expect(await attempt('ada', '10.0.2.1')).toBe(30);
});

it('clears the failures of a user after a success', async () => {
  await attempts(4, 'ada', '10.0.0.1');
  await succeed('10.0.0.1');
  expect(await attempts(6, 'ada', '10.0.0.1')).toEqual([0, 0, 0, 0, 0, 30]);
});

it('clears an address with a success there', async () => {
  for (let index = 0; index < 60; index += 1) await succeed('10.0.0.1');
  for (let index = 0; index < 19; index += 1) await attempt(`person ${index}`, '10.0.0.1');
  await succeed('10.0.0.1');
  for (let index = 0; index < 20; index += 1) expect(await attempt(`other ${index}`, '10.0.0.1')).toBe(0);
  expect(await attempt('one more', '10.0.0.1')).toBe(30);
});

it('counts all addresses of an IPv6 network as one', async () => {
  for (let index = 1; index <= 5; index += 1) expect(await attempt('ada', `2001:db8::${index}`)).toBe(0);
  expect(await attempt('ada', '2001:db8::ffff:1')).toBe(30);
  expect(await attempt('ada', '2001:db8:0:1::1')).toBe(0);
});

it('never locks a user out at their usual network, for 30 days', async () => {
  await succeed('2001:db8::1');
  const guessEverywhere = async () => {
    for (let index = 0; index < 50; index += 1) await attempt('ada', `10.0.1.${index}`);
  };
  await guessEverywhere();
  expect(await attempt('ada', '10.0.2.1')).toBe(30);
  expect(await attempts(6, 'ada', '2001:db8::2')).toEqual([0, 0, 0, 0, 0, 30]);
  pass(30 * 24 * 3600);
  await guessEverywhere();
  expect(await attempt('ada', '2001:db8::2')).toBe(30);
});

it('writes nothing for attempts that it refuses', async () => {
  const rows = async () => await storage.database.selectFrom('attempts').selectAll().execute();
  for (let index = 0; index < 20; index += 1) await attempt(`person ${index}`, '10.0.0.1');
  const before = await rows();
  for (let index = 0; index < 50; index += 1) expect(await attempt(`other ${index}`, '10.0.0.1')).toBe(30);
  expect(await rows()).toEqual(before);
});

it('forgets what no longer counts, a limited number at a time', async () => {
  await succeed('10.0.0.1');
  await attempts(3, 'bob', '10.0.0.2');
  pass(3601);
  await attempt('eve', '10.0.0.3');
  expect(await limit.prune(2)).toBe(2);
  expect(await limit.prune(500)).toBe(1);
  expect(await storage.database.selectFrom('attempts').selectAll().execute()).toHaveLength(3);
  expect(await limit.pruneNetworks(500)).toBe(0);
  pass(30 * 24 * 3600);
  expect(await limit.pruneNetworks(500)).toBe(1);
});

it('forgets after an hour', async () => {
  await attempts(4, 'ada', '10.0.0.1');
  pass(3601);
  expect(await attempts(6, 'ada', '10.0.0.1')).toEqual([0, 0, 0, 0, 0, 30]);
});

it('counts each kind of attempt by itself', async () => {
  expect(await attempts(6, 'ada', '10.0.0.1')).toEqual([0, 0, 0, 0, 0, 30]);
  const reset = () => limit.begin('reset-password', 'ada', '10.0.0.1');
  for (let guess = 0; guess < 5; guess += 1) expect(await reset()).toBeTypeOf('function');
  await expect(reset()).rejects.toMatchObject({ reason: 'too_many_requests', retryAfterSeconds: 30 });
});
