import { afterEach, beforeEach, expect, it } from 'vitest';
import { type BotFixture, openBotFixture } from '../../../test/stores/bot-fixture.ts';
import { messageEvent } from '../../../test/stores/ledger-records.ts';

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

it('What a bot had received before it was suspended is taken until it is disabled, or the service stops', async () => {
  const { fake, runtime, service, create } = opened;
  const [suspended, disabled] = [await create(), await create({ name: 'Other' })];
  const contexts = fake.adapters.map(({ context }) => context);
  await runtime.suspend();
  const store = () => Promise.all(contexts.map((context) => context.receive(messageEvent('late'))));
  const accepted = [{ outcome: 'accepted' }, { outcome: 'accepted' }];
  expect(await store()).toMatchObject(accepted);
  await runtime.resume();
  await expect.poll(() => runtime.isRunning(suspended)).toBe(true);
  expect(await store()).toMatchObject(accepted);
  await service.update(disabled, { enable: false });
  expect(contexts.map(({ intakeClosed }) => intakeClosed.aborted)).toEqual([false, true]);
  await expect(contexts[1]?.receive(messageEvent('later'))).rejects.toMatchObject({ reason: 'bot_not_running' });
  await runtime.stop();
  expect(contexts.map(({ intakeClosed }) => intakeClosed.aborted)).toEqual([true, true]);
  await expect(store()).rejects.toMatchObject({ reason: 'bot_not_running' });
});
