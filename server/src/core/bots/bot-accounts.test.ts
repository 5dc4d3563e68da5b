import { afterEach, expect, it } from 'vitest';
import { createFakePlatform } from '../../../test/factories/fake-platform.ts';
import { type BotFixture, openBotFixture } from '../../../test/stores/bot-fixture.ts';

const open: BotFixture[] = [];
afterEach(async () => {
  for (const fixture of open.splice(0)) await fixture.close();
});

const set = async (account: () => string | null) => {
  const fake = createFakePlatform();
  fake.accountId = account;
  const other = createFakePlatform({ name: 'other' });
  other.accountId = account;
  const fixture = await openBotFixture({ fake, others: [other] });
  open.push(fixture);
  return fixture;
};

it('connects one bot with an account, and names it at the other, which follows when the first is disabled', async () => {
  const { create, runtime, service } = await set(() => '@parrot');
  const first = await create({ name: 'First' });
  const second = await create({ name: 'Second' });
  expect([runtime.isRunning(first), runtime.isRunning(second)]).toEqual([true, false]);
  expect(runtime.status(second)).toMatchObject({
    state: 'error',
    reason: 'conflict',
    error: 'The bot "First" is already connected with this account',
  });
  await service.update(first, { enable: false });
  await expect.poll(() => runtime.isRunning(second)).toBe(true);
});

it('connects bots of different accounts, of unknown ones and of different platforms', async () => {
  const accounts = ['@one', '@two', null, null];
  let made = 0;
  const { create, runtime } = await set(() => accounts[Math.min(made, 3)] ?? null);
  const bots: string[] = [];
  for (; made < 4; made += 1) bots.push(await create());
  expect(bots.map((uuid) => runtime.isRunning(uuid))).toEqual([true, true, true, true]);
  const same = await set(() => '@parrot');
  const both = [await same.create(), await same.create({ adapter: 'other' })];
  expect(both.map((uuid) => same.runtime.isRunning(uuid))).toEqual([true, true]);
});

it('connects a bot again with its own account', async () => {
  const { create, runtime, service } = await set(() => '@parrot');
  const uuid = await create();
  await service.update(uuid, { adapter_config: { nickname: 'new' } });
  await expect.poll(() => runtime.isRunning(uuid)).toBe(true);
});
