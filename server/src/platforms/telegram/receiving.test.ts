import { type MessageEvent, type MessageReceipt, ParleyError, type PlatformAdapter } from '@parley/sdk';
import type { FakePlatformContext } from '@parley/sdk/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FakeTelegram, startFakeTelegram } from './testing/fake-telegram.ts';
import { bob, group, incoming } from './testing/fixtures.ts';
import { type AdapterOptions, createAdapter } from './testing/start-adapter.ts';

/** Waits for a condition, also on a slow machine. */
const eventually = <Value>(actual: () => Value) => expect.poll(actual, { timeout: 10_000 });

let fake: FakeTelegram;
const adapters: PlatformAdapter[] = [];
beforeEach(async () => {
  fake = await startFakeTelegram();
});
afterEach(async () => {
  await Promise.all(adapters.splice(0).map((adapter) => adapter.stop()));
  await fake.close();
});

async function start(options: AdapterOptions = {}) {
  const created = await createAdapter(fake, options);
  adapters.push(created.adapter);
  await created.adapter.start();
  return created;
}
const say = (text: string, over: object = {}) => incoming({ text, ...over });
const texts = ({ received }: FakePlatformContext) =>
  received.map(({ message_chain }) => (message_chain.at(-1) as { text?: string }).text);
const states = ({ reports }: FakePlatformContext) => reports.map(({ state }) => state);

/** A `receive` that fails on request. */
function moody() {
  const events: MessageEvent[] = [];
  const mood = { error: null as unknown };
  const receive = async (event: MessageEvent): Promise<MessageReceipt> => {
    if (mood.error !== null) throw mood.error;
    events.push(event);
    return { outcome: 'accepted', uuid: 'u', sequence: events.length, created_at: '2026-01-01T00:00:00.000Z' };
  };
  return { events, mood, receive };
}

describe('polling', () => {
  it('starts with waiting messages, and identifies the bot', async () => {
    fake.setWebhook('http://127.0.0.1:1/old');
    fake.deliver(say('early'));
    const { adapter, context } = await start();
    expect(adapter.accountId?.()).toBe('987654321');
    const { username } = fake.bot;
    expect(adapter.accountProfile?.()).toEqual({ name: `@${username}`, url: `https://t.me/${username}` });
    await eventually(() => texts(context)).toEqual(['early']);
    expect(fake.callsOf('deleteWebhook')[0]?.parameters).toEqual({ drop_pending_updates: false });
    expect(fake.callsOf('getUpdates')[0]?.parameters).toMatchObject({
      timeout: 1,
      allowed_updates: ['message', 'edited_message', 'my_chat_member'],
    });
    fake.deliver(say('late', { chat: group, from: bob }));
    await eventually(() => texts(context)).toEqual(['early', 'late']);
    expect(context.received[1]).toMatchObject({ session_type: 'group', session_id: '-4001', sender_id: '1002' });
    await eventually(() => fake.pending).toBe(0);
    expect(context.reports).toEqual([]);
  });

  it('hands over a message that comes twice so that it is known', async () => {
    const { context } = await start();
    const message = say('Hi');
    fake.deliver(message);
    fake.deliver(message);
    fake.deliver(say('and'));
    await eventually(() => texts(context)).toContain('and');
    expect(new Set(context.received.map(({ platform_message_id }) => platform_message_id)).size).toBe(2);
  });

  it('ignores updates without a message, or malformed ones', async () => {
    const { context } = await start();
    fake.deliverUpdate({ edited_message: say('edited') as never });
    fake.deliverUpdate({ message: { message_id: 1, date: 1 } as never });
    fake.deliverUpdate({ message: null as never });
    fake.deliver(say('good'));
    await eventually(() => texts(context)).toEqual(['good']);
    await eventually(() => fake.pending).toBe(0);
  });

  it('confirms messages only when they are stored, and keeps the order of each chat', async () => {
    const { events, mood, receive } = moody();
    mood.error = new Error('the disk is full');
    const { context } = await start({ context: { receive } });
    for (const text of ['one', 'two', 'three']) fake.deliver(say(text));
    await eventually(() => context.reports.at(-1)).toEqual({
      state: 'reconnecting',
      reason: 'internal',
      message: 'Messages cannot be stored at present',
    });
    expect(fake.pending).toBe(3);
    mood.error = new ParleyError('not_ready', 'The server is stopping');
    await eventually(() => context.reports.at(-1)).toMatchObject({ reason: 'not_ready' });
    mood.error = null;
    await eventually(() => events).toHaveLength(3);
    expect(events.map(({ message_chain }) => (message_chain[1] as { text: string }).text)).toEqual([
      'one',
      'two',
      'three',
    ]);
    await eventually(() => fake.pending).toBe(0);
    await eventually(() => context.reports.at(-1)).toEqual({ state: 'connected' });
  });

  it('continues after an internal error', async () => {
    const { events, mood, receive } = moody();
    mood.error = new TypeError('undefined is not a function');
    const { context } = await start({ context: { receive } });
    fake.deliver(say('Hi'));
    await eventually(() => states(context)).toEqual(['reconnecting']);
    mood.error = null;
    await eventually(() => events).toHaveLength(1);
    await eventually(() => states(context)).toEqual(['reconnecting', 'connected']);
  });

  it('continues after a message that is permanently rejected', async () => {
    const { events, mood, receive } = moody();
    mood.error = new ParleyError('too_large', 'The message is too large');
    await start({ context: { receive } });
    fake.deliver(say('bad'));
    await eventually(() => fake.pending).toBe(0);
    mood.error = null;
    fake.deliver(say('good'));
    await eventually(() => events).toHaveLength(1);
  });

  it('hands messages out again that were not confirmed before the bot stopped', async () => {
    const { mood, receive } = moody();
    mood.error = new Error('no');
    const first = await start({ context: { receive } });
    fake.deliver(say('Hi'));
    await eventually(() => states(first.context)).toEqual(['reconnecting']);
    await first.adapter.stop();
    const second = await start();
    await eventually(() => texts(second.context)).toEqual(['Hi']);
  });
});

describe('the connection', () => {
  it('receives messages sent in the meantime', async () => {
    const { context } = await start();
    await eventually(() => fake.callsOf('getUpdates')).toHaveLength(1);
    await fake.goAway();
    await eventually(() => states(context)).toContain('reconnecting');
    expect(context.reports.at(-1)).toMatchObject({
      reason: 'platform_failed',
      message: expect.stringMatching(/^(Telegram cannot be reached|The connection to Telegram broke off)/),
    });
    fake.deliver(say('Are you there?'));
    await fake.comeBack();
    await eventually(() => texts(context)).toEqual(['Are you there?']);
    expect(context.reports.at(-1)).toEqual({ state: 'connected' });
  });

  it('is reported as recovered at once, also without messages', async () => {
    const { context } = await start({ timing: { pollMs: 60_000 } });
    await eventually(() => fake.callsOf('getUpdates')).toHaveLength(1);
    await fake.goAway();
    await eventually(() => states(context)).toContain('reconnecting');
    await fake.comeBack();
    await eventually(() => states(context).at(-1)).toBe('connected');
  });

  it('survives faults of the server, whatever it answers', async () => {
    const { context } = await start();
    fake.fail('getUpdates', { kind: 'error', code: 500, description: 'Internal Server Error' });
    fake.fail('getUpdates', { kind: 'page', status: 502 });
    fake.fail('getUpdates', { kind: 'page', status: 200 });
    fake.fail('getUpdates', { kind: 'closed' });
    fake.fail('getUpdates', {
      kind: 'error',
      code: 429,
      description: 'Too Many Requests: retry after 0',
      parameters: { retry_after: 0 },
    });
    fake.deliver(say('Hi'));
    await eventually(() => texts(context)).toEqual(['Hi']);
    fake.deliver(say('again'));
    await eventually(() => texts(context)).toEqual(['Hi', 'again']);
    await eventually(() => context.reports.at(-1)).toEqual({ state: 'connected' });
    const messages = context.reports.map((report) => ('message' in report ? report.message : ''));
    expect(messages).toEqual(
      expect.arrayContaining(['Internal Server Error', 'The response (status 502) is not from a Bot API server']),
    );
  });

  it('notices a poll that neither answers nor fails', async () => {
    const { context } = await start({ timing: { pollGraceMs: 100 } });
    await eventually(() => fake.callsOf('getUpdates')).toHaveLength(1);
    fake.fail('getUpdates', { kind: 'silence' });
    await eventually(() => states(context)).toEqual(['reconnecting', 'connected']);
    expect(context.reports[0]).toMatchObject({ message: 'Telegram did not answer in time' });
    fake.deliver(say('Hi'));
    await eventually(() => texts(context)).toEqual(['Hi']);
  });

  it('notices it even when the client does not let go of it', async () => {
    let polls = 0;
    const deaf: typeof fetch = (input, init) => {
      const isPoll = String(input).endsWith('/getUpdates');
      if (isPoll) polls += 1;
      return isPoll && polls === 1 ? new Promise(() => undefined) : fetch(input, init);
    };
    const { context } = await start({ context: { fetch: deaf }, timing: { pollGraceMs: 0 } });
    fake.deliver(say('Hi'));
    await eventually(() => texts(context)).toEqual(['Hi']);
    expect(polls).toBeGreaterThan(1);
  });

  it('reports another program that fetches the messages, and retries', async () => {
    const { context } = await start();
    await eventually(() => fake.callsOf('getUpdates')).toHaveLength(1);
    const conflict =
      'Conflict: terminated by other getUpdates request; make sure that only one bot instance is running';
    fake.fail('getUpdates', { kind: 'error', code: 409, description: conflict }, 2);
    fake.deliver(say('one'));
    await eventually(() => states(context)).toEqual(['reconnecting', 'connected']);
    expect(context.reports[0]).toMatchObject({
      reason: 'platform_failed',
      message: 'Another program fetches the messages of this bot. Stop it, or use a separate bot',
    });
    fake.deliver(say('two'));
    await eventually(() => texts(context)).toEqual(['one', 'two']);
  });

  it('reports a foreign webhook, and does not remove it', async () => {
    const { context } = await start({ timing: { conflictPauseMs: 300 } });
    await eventually(() => fake.callsOf('getUpdates')).toHaveLength(1);
    fake.setWebhook('http://127.0.0.1:1/theirs');
    await eventually(() => context.reports[0]).toMatchObject({ message: expect.stringContaining('set a webhook') });
    await eventually(() => fake.callsOf('getUpdates').length).toBeGreaterThan(3);
    // Slowly: frequent retries are useless.
    const [, second, third] = fake.callsOf('getUpdates').map(({ at }) => at);
    expect((third as number) - (second as number)).toBeGreaterThan(200);
    expect(fake.webhook?.url).toBe('http://127.0.0.1:1/theirs');
  });

  it('ends when the token is revoked', async () => {
    const { context } = await start();
    await eventually(() => fake.callsOf('getUpdates')).toHaveLength(1);
    fake.revoke();
    await eventually(() => context.reports).toEqual([
      { state: 'failed', reason: 'platform_unauthorized', message: 'Telegram refuses the token: Unauthorized' },
    ]);
  });
});

describe('starting', () => {
  it.each([
    ['is unknown', '987654321:AAwrong', 'Telegram refuses the token: Unauthorized'],
    ['is no token', 'token_from_botfather', 'The token was not issued by @BotFather'],
    ['would be another address', '1:a/../../x', 'The token was not issued by @BotFather'],
    ['is missing', '', 'The token was not issued by @BotFather'],
  ])('fails when the token %s', async (_, token, message) => {
    const { adapter } = await createAdapter(fake, { config: { token } });
    await expect(adapter.start()).rejects.toMatchObject({ reason: 'platform_unauthorized', message });
    expect(adapter.accountId?.()).toBeNull();
  });

  it('fails when Telegram cannot be reached, and can be tried again', async () => {
    const { adapter, context } = await createAdapter(fake);
    adapters.push(adapter);
    await fake.goAway();
    await expect(adapter.start()).rejects.toMatchObject({
      reason: 'platform_failed',
      message: 'Connecting to Telegram failed: Telegram cannot be reached (ECONNREFUSED)',
    });
    await fake.comeBack();
    await adapter.start();
    fake.deliver(say('Hi'));
    await eventually(() => texts(context)).toEqual(['Hi']);
  });

  it('fails when something else is at the address', async () => {
    fake.fail('getMe', { kind: 'page', status: 404 });
    await expect((await createAdapter(fake)).adapter.start()).rejects.toMatchObject({
      reason: 'platform_failed',
      message: 'Connecting to Telegram failed: The response (status 404) is not from a Bot API server',
    });
    fake.fail('getMe', { kind: 'silence' });
    await expect((await createAdapter(fake, { timing: { callMs: 200 } })).adapter.start()).rejects.toMatchObject({
      reason: 'platform_failed',
    });
  });

  it('takes an address with a slash at its end, and blanks around a token', async () => {
    const config = { api_base_url: `${fake.apiBaseUrl}/`, token: ` ${fake.token}\n` };
    const { adapter } = await start({ config });
    expect(adapter.accountId?.()).toBe('987654321');
  });

  it('continues after a refused address', async () => {
    const refuse = () => Promise.reject(new ParleyError('address_not_allowed', 'No'));
    const { adapter } = await createAdapter(fake, { context: { fetch: refuse } });
    await expect(adapter.start()).rejects.toMatchObject({ reason: 'address_not_allowed' });
  });
});

describe('stopping', () => {
  it('ends the poll at once', async () => {
    const { adapter } = await start({ timing: { pollMs: 60_000 } });
    await eventually(() => fake.callsOf('getUpdates')).toHaveLength(1);
    const begun = Date.now();
    await adapter.stop();
    expect(Date.now() - begun).toBeLessThan(900);
    fake.deliver(say('Hi'));
    expect(adapter.accountId?.()).toBeNull();
    expect(fake.pending).toBe(1);
  });

  it('ends pauses at once, and a start in progress', async () => {
    const { adapter, context } = await start({ timing: { firstPauseMs: 60_000, longestPauseMs: 60_000 } });
    await fake.goAway();
    await eventually(() => states(context)).toEqual(['reconnecting']);
    await adapter.stop();
    await fake.comeBack();
    fake.fail('getMe', { kind: 'silence' });
    const { adapter: other } = await createAdapter(fake, { timing: { callMs: 60_000 } });
    const started = expect(other.start()).rejects.toBeInstanceOf(ParleyError);
    await eventually(() => fake.callsOf('getMe')).toHaveLength(2);
    await other.stop();
    await started;
  });

  it('waits for a message that is being stored', async () => {
    const gate = Promise.withResolvers<void>();
    const { receive } = moody();
    let [begun, stored] = [false, false];
    const slowly = async (event: MessageEvent) => {
      begun = true;
      await gate.promise;
      stored = true;
      return receive(event);
    };
    const { adapter } = await start({ context: { receive: slowly } });
    const update = fake.deliver(say('Hi'));
    await eventually(() => begun).toBe(true);
    const stopped = adapter.stop();
    gate.resolve();
    await stopped;
    expect([typeof update, stored]).toEqual(['number', true]);
  });

  it('does not wait for ever', async () => {
    let begun = false;
    const never = () => {
      begun = true;
      return new Promise<never>(() => undefined);
    };
    const { adapter } = await start({ context: { receive: never }, timing: { stopMs: 100 } });
    fake.deliver(say('Hi'));
    await eventually(() => begun).toBe(true);
    await adapter.stop();
  });
});

describe('bots in one process', () => {
  it('do not know of each other', async () => {
    const other = await startFakeTelegram({
      token: '5:other',
      bot: { id: 5, is_bot: true, first_name: 'O', username: 'o' },
    });
    try {
      const [one, two] = [await start(), await createAdapter(other)];
      adapters.push(two.adapter);
      await two.adapter.start();
      expect([one.adapter.accountId?.(), two.adapter.accountId?.()]).toEqual(['987654321', '5']);
      await one.adapter.stop();
      other.deliver(say('Hi'));
      await eventually(() => texts(two.context)).toEqual(['Hi']);
      expect(one.context.received).toEqual([]);
    } finally {
      await adapters.pop()?.stop();
      await other.close();
    }
  });
});
