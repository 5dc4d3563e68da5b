import { ParleyError, type WebhookRequest } from '@parley/sdk';
import { silentLogger } from '@parley/sdk/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFakePlatform, type FakeAdapter, type FakePlatform } from '../../../test/factories/fake-platform.ts';
import { type BotFixture, openBotFixture } from '../../../test/stores/bot-fixture.ts';
import { FakeLeases } from '../../../test/stores/fake-leases.ts';
import { messageEvent } from '../../../test/stores/ledger-records.ts';
import { BotReceivers } from './bot-receivers.ts';
import type { SharedBotState } from './bot-state-store.ts';
import { BotWebhooks } from './bot-webhooks.ts';

const request: WebhookRequest = { method: 'POST', path: '', query: {}, headers: {}, body: new Uint8Array() };

describe('requests to bots that are not connected here', () => {
  let fixture: BotFixture;
  let fake: FakePlatform;
  let leases: FakeLeases;
  let receivers: BotReceivers;
  let webhooks: BotWebhooks;
  let states: (SharedBotState & { replica: string })[];
  /** What was given to the replica that has connected the bot. */
  let passed: unknown[][];
  beforeEach(async () => {
    fake = createFakePlatform({ webhook: true });
    fake.platform.receives = ({ nickname }) => (nickname === 'polling' ? 'connection' : 'requests');
    leases = new FakeLeases();
    states = [];
    passed = [];
    const botStates = { all: async () => states, save: async () => undefined, useAccount: async () => null };
    fixture = await openBotFixture({ fake, leases, botStates });
    const { runtime, store: bots } = fixture;
    receivers = new BotReceivers({
      bots,
      configs: runtime.configs,
      contexts: runtime.contexts,
      elsewhere: {
        passOn: async (...given) => {
          passed.push(given);
          return { status: 202 };
        },
        greet: async (...given) => void passed.push(given),
      },
      logger: silentLogger,
    });
    webhooks = new BotWebhooks(bots, { runtime, receivers, logger: silentLogger });
    await runtime.start();
  });
  afterEach(async () => {
    await receivers.close();
    await fixture.close();
  });
  const call = async (bot: string) => webhooks.handle(await webhooks.find(bot), request);
  const adapter = (index: number) => fake.adapters[index] as FakeAdapter;

  it('are handled by an adapter that is not started, until the bot is connected', async () => {
    const bot = await fixture.insert();
    expect(await call(bot)).toMatchObject({ status: 200 });
    await Promise.all([call(bot), call(bot)]);
    expect(fake.adapters.map(({ state }) => state)).toEqual(['made']);
    leases.gain(bot);
    await expect.poll(() => adapter(1)?.state).toBe('up');
    await call(bot);
    await expect.poll(() => adapter(0).state).toBe('stopped');
    await leases.release(bot);
    await call(bot);
    expect(fake.adapters.map(({ state }) => state)).toEqual(['stopped', 'stopped', 'made']);
    await receivers.close();
    expect(adapter(2).state).toBe('stopped');
    await expect(call(bot)).rejects.toMatchObject({ reason: 'bot_not_running' });
  });

  it('are handled with the configuration of the record as it is now', async () => {
    const { service, insert } = fixture;
    const bot = await insert({ adapter_config: { nickname: 'one' } });
    await call(bot);
    await service.update(bot, { adapter_config: { nickname: 'two' } });
    await call(bot);
    expect(fake.adapters.map(({ config, state }) => [config.nickname, state])).toEqual([
      ['one', 'stopped'],
      ['two', 'made'],
    ]);
    await service.update(bot, { adapter_config: { nickname: 'polling' } });
    await expect(call(bot)).rejects.toMatchObject({ reason: 'bot_not_running' });
    await service.update(bot, { enable: false });
    await expect(call(bot)).rejects.toMatchObject({ reason: 'bot_disabled' });
    await service.delete(bot);
    await expect(call(bot)).rejects.toMatchObject({ reason: 'not_found' });
    await expect.poll(() => fake.adapters.every(({ state }) => state === 'stopped')).toBe(true);
  });

  it('fail with the error of the adapter, and are handled the next time', async () => {
    const bot = await fixture.insert();
    fake.answer = () => Promise.reject(new ParleyError('invalid_signature', 'Forged'));
    await expect(call(bot)).rejects.toMatchObject({ reason: 'invalid_signature' });
    const { create } = fake.implementation;
    fake.answer = async () => ({ status: 200 });
    expect(await call(bot)).toMatchObject({ status: 200 });
    fake.implementation.create = () => {
      throw new Error('broken');
    };
    const other = await fixture.insert();
    await expect(call(other)).rejects.toMatchObject({ reason: 'internal' });
    fake.implementation.create = create;
    expect(await call(other)).toMatchObject({ status: 200 });
  });

  it('are handled with the account that the bot was connected with last, and with services of their own', async () => {
    const bot = await fixture.insert({ adapter_config: { nickname: 'one', welcome_text: 'Hi' } });
    await call(bot);
    const { context } = adapter(0);
    expect(context.storedAccount()).toBeNull();
    const profile = { name: 'Parrot' };
    const stopped = { state: 'stopped' as const, reason: null, error: null, since: '2026-11-28T12:00:00.000Z' };
    states.push({ bot_uuid: bot, replica: 'gone', ...stopped, account_id: '@parrot', account_profile: profile });
    fixture.runtime.see({ recordVersion: 1, botStateVersion: 2, others: ['other'] });
    await expect.poll(() => context.storedAccount()).toEqual({ id: '@parrot', profile });
    expect(fixture.runtime.accountId(bot)).toBeNull();
    expect(context.webhook_secret).toBe(`secret of ${bot}`);

    const event = messageEvent('Hello');
    expect(await context.receive(event, { cursor: '1' })).toMatchObject({ outcome: 'accepted' });
    expect(await context.state.read('cursor')).toBe('1');
    expect(await context.passOn?.(request)).toEqual({ status: 202 });
    const notice = { type: 'bot_added', platform_event_id: '1', session_type: 'group', session_id: 'g' } as const;
    await context.receiveNotice(notice);
    expect(passed).toEqual([
      [bot, request],
      [bot, notice],
    ]);
    await expect(context.listen({ host: '127.0.0.1', port: 0 }, () => ({ status: 401 }))).rejects.toThrow('listen');
  });
});
