import { afterEach, beforeEach, expect, it } from 'vitest';
import { type BotFixture, openBotFixture } from '../../../test/stores/bot-fixture.ts';

let opened: BotFixture;
beforeEach(async () => {
  opened = await openBotFixture();
});
afterEach(() => opened.close());

it('Bots are disconnected while they are suspended, and held, and are then connected as their records are by then', async () => {
  const { fake, runtime, service, store, create, released } = opened;
  const [kept, disabled] = [await create(), await create({ name: 'Other' })];
  expect(runtime.statuses().map(({ state }) => state)).toEqual(['running', 'running']);
  const before = released();
  await runtime.suspend();
  expect(runtime.statuses().map(({ state }) => state)).toEqual(['stopped', 'stopped']);
  expect(runtime.heldBots().toSorted()).toEqual([kept, disabled].toSorted());
  expect(released()).toBe(before);
  const made = fake.adapters.length;
  await service.update(disabled, { enable: false });
  const added = await create({ name: 'New' });
  expect(await runtime.absence(kept)).toBe('bot_not_running');
  expect(fake.adapters).toHaveLength(made);
  await runtime.resume();
  await expect.poll(() => [runtime.isRunning(kept), runtime.isRunning(added)]).toEqual([true, true]);
  expect(runtime.isRunning(disabled)).toBe(false);
  await expect.poll(() => runtime.heldBots()).toEqual([]);
  expect((await store.stored()).filter(({ enable }) => enable)).toHaveLength(2);
  expect(fake.adapters).toHaveLength(made + 2);
  await runtime.resume();
  expect(fake.adapters).toHaveLength(made + 2);
});
