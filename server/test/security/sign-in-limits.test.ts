import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { startTestService, type TestService } from '../factories/start-test-service.ts';

let service: TestService;
beforeEach(async () => {
  service = await startTestService({ listen: false });
});
afterEach(async () => {
  vi.useRealTimers();
  await service.stop();
});

const home = '127.0.0.1';
const signIn = async (remoteAddress: string, user: string, password: string): Promise<number> => {
  const url = '/api/v1/user/auth';
  return (await service.request({ method: 'POST', url, json: { user, password }, remoteAddress })).status;
};
const guess = (remoteAddress: string, user = service.account.user) => signIn(remoteAddress, user, 'a wrong password');
const owner = (remoteAddress: string) => signIn(remoteAddress, service.account.user, service.account.password);
const rows = async () => (await service.database.selectFrom('attempts').selectAll().execute()).length;
const wait = (seconds: number) => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + seconds * 1000 });
};
/** Guesses from as many networks as it takes to slow all of them down. */
const lockEverywhere = async () => {
  for (let index = 0; index < 50; index += 1) expect(await guess(`203.0.113.${index}`)).toBe(400);
};

it('the addresses of one IPv6 network count as one, so they do not lock an account', async () => {
  const statuses: number[] = [];
  for (let index = 1; index <= 60; index += 1) statuses.push(await guess(`2001:db8::${index.toString(16)}`));
  expect(statuses.filter((status) => status === 400)).toHaveLength(5);
  expect(statuses.slice(5).every((status) => status === 429)).toBe(true);
  expect(await owner('198.51.100.7')).toBe(200);
});

it('an address from which the account signed in lately is not locked out by others', async () => {
  await lockEverywhere();
  expect(await guess('203.0.113.100')).toBe(429);
  expect(await owner('198.51.100.7')).toBe(429);
  expect(await owner(home)).toBe(200);
});

it('an address counts as one of the account for 30 days', async () => {
  expect(await owner('198.51.100.7')).toBe(200);
  wait(30 * 24 * 3600 + 1);
  await lockEverywhere();
  expect(await owner('198.51.100.7')).toBe(429);
});

it('guesses from a shared address do not lock out users who recently signed in there', async () => {
  for (let index = 0; index < 20; index += 1) expect(await guess(home, `made up ${index}`)).toBe(400);
  expect(await guess(home, 'one more')).toBe(429);
  for (let round = 0; round < 3; round += 1) expect(await owner(home)).toBe(200);
});

it('a success at a shared address clears it, also when it was slowed down before', async () => {
  const shared = '198.51.100.7';
  for (let index = 0; index < 20; index += 1) expect(await guess(shared, `made up ${index}`)).toBe(400);
  expect(await owner(shared)).toBe(429);
  wait(31);
  for (let round = 0; round < 3; round += 1) expect(await owner(shared)).toBe(200);
  expect(await guess(shared, 'one more')).toBe(400);
});

it('still slows down guesses at the account from its own address', async () => {
  const statuses: number[] = [];
  for (let index = 0; index < 20; index += 1) statuses.push(await guess(home));
  expect(statuses.filter((status) => status === 400)).toHaveLength(5);
});

it('refused attempts leave no rows', async () => {
  const blocked = '198.51.100.7';
  for (let index = 0; index < 20; index += 1) expect(await guess(blocked, `made up ${index}`)).toBe(400);
  const before = await rows();
  for (let index = 0; index < 200; index += 1) expect(await guess(blocked, `more ${index}`)).toBe(429);
  expect(await rows()).toBe(before);
});

it('refused attempts at an account that is slowed down everywhere leave no rows either', async () => {
  await lockEverywhere();
  const before = await rows();
  for (let index = 0; index < 100; index += 1) expect(await guess(`198.51.100.${index}`)).toBe(429);
  expect(await rows()).toBe(before);
});
