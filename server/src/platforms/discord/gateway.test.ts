import { type ConnectionReport, textOfChain } from '@parley/sdk';
import { type FakePlatformContext, silentLogger } from '@parley/sdk/testing';
import { describe, expect, it, vi } from 'vitest';
import { adapterTests } from './testing/start-adapter.ts';

const tests = adapterTests();
const textsOf = ({ received }: FakePlatformContext) => received.map(({ message_chain }) => textOfChain(message_chain));
const open = () => tests.fake.connections().open;

describe('a session of the gateway', () => {
  it('begins with the intents that messages need, and learns its account', async () => {
    const { adapter, context } = await tests.start();
    const profile = { name: 'parrot', url: `https://discord.com/users/${tests.fake.accountId}` };
    expect(adapter.accountId?.()).toBe(tests.fake.accountId);
    expect(adapter.accountProfile?.()).toEqual(profile);
    await tests.fake.deliver({ text: 'Hello' });
    expect(textsOf(context)).toEqual(['Hello']);
    expect(tests.fake.violations()).toEqual([]);
  });

  it('is resumed after the connection broke, with what was missed', async () => {
    const { context } = await tests.start();
    await tests.fake.deliver({ text: 'One' });
    tests.fake.gateway.terminate();
    await expect.poll(open).toBe(0);
    await tests.fake.deliver({ text: 'Two' });
    await expect.poll(() => textsOf(context)).toEqual(['One', 'Two']);
    expect(tests.fake.gateway.begun).toEqual({ sessions: 1, resumes: 1 });
  });

  it('is resumed by another process, with what was missed', async () => {
    const { adapter, context } = await tests.start();
    await tests.fake.deliver({ text: 'One' });
    await adapter.stop();
    await tests.fake.deliver({ text: 'Two' });
    const other = await tests.start({ context: { state: context.state } });
    expect(other.adapter.accountId?.()).toBe(tests.fake.accountId);
    expect(other.adapter.accountProfile?.()).toMatchObject({ name: 'parrot' });
    await expect.poll(() => textsOf(other.context)).toEqual(['Two']);
    expect(tests.fake.gateway.begun).toEqual({ sessions: 1, resumes: 1 });
    expect(tests.fake.calls('start')).toBe(1);
  });

  it('is not resumed with another token', async () => {
    const { adapter, context } = await tests.start();
    await adapter.stop();
    await tests.start({ context: { state: context.state }, config: tests.fake.otherConfig() });
    expect(tests.fake.gateway.begun).toEqual({ sessions: 2, resumes: 0 });
  });

  it('is replaced at once when Discord has forgotten it', async () => {
    const { adapter, context } = await tests.start();
    await adapter.stop();
    tests.fake.forgetSessions();
    const other = await tests.start({ context: { state: context.state } });
    await tests.fake.deliver({ text: 'Hello' });
    expect(textsOf(other.context)).toEqual(['Hello']);
    expect(tests.fake.gateway.begun).toEqual({ sessions: 2, resumes: 0 });
  });

  it('is resumed at the usual address while the named one cannot be reached', async () => {
    const { adapter, context } = await tests.start();
    await adapter.stop();
    const session = JSON.parse(context.values.get('session') ?? '');
    context.values.set('session', JSON.stringify({ ...session, resume_url: 'ws://127.0.0.1:9' }));
    await tests.start({ context: { state: context.state } });
    expect(tests.fake.gateway.begun).toEqual({ sessions: 1, resumes: 1 });
  });

  it.each([4000, 4001, 4002, 4003, 4005, 4008])('is resumed after close code %i', async (code) => {
    await tests.start();
    tests.fake.gateway.closeAll(code);
    await expect.poll(() => tests.fake.gateway.begun.resumes).toBe(1);
    expect(tests.fake.gateway.begun.sessions).toBe(1);
  });

  it.each([4007, 4009])('is replaced after close code %i', async (code) => {
    await tests.start();
    tests.fake.gateway.closeAll(code);
    await expect.poll(() => tests.fake.gateway.begun.sessions).toBe(2);
    expect(tests.fake.gateway.begun.resumes).toBe(0);
  });

  it('is resumed when Discord asks for it', async () => {
    await tests.start();
    tests.fake.askToReconnect();
    await expect.poll(() => tests.fake.gateway.begun.resumes).toBe(1);
    tests.fake.gateway.invalidate(true);
    await expect.poll(() => tests.fake.gateway.begun.resumes).toBe(2);
    tests.fake.gateway.invalidate(false);
    await expect.poll(() => tests.fake.gateway.begun).toEqual({ sessions: 2, resumes: 2 });
  });

  it('is resumed when heartbeats are not acknowledged', async () => {
    const { context } = await tests.start();
    tests.fake.halfOpen();
    await tests.fake.deliver({ text: 'Into the silence' });
    const start = performance.now();
    await expect.poll(() => textsOf(context), { timeout: 4000 }).toEqual(['Into the silence']);
    expect(performance.now() - start).toBeLessThan(3000);
  });
});

describe('a session that cannot begin', () => {
  it.each([
    [4004, 'platform_unauthorized', 'Reset it in the Developer Portal'],
    [4010, 'invalid_request', 'shard'],
    [4011, 'invalid_request', 'too many servers'],
    [4012, 'invalid_request', 'version'],
    [4013, 'invalid_request', 'intents'],
    [4014, 'invalid_request', 'Message Content Intent is switched off'],
  ])('for close code %i is not tried again', async (code, reason, text) => {
    tests.fake.gateway.refusals.push(code);
    const { adapter } = await tests.create();
    const failure = await adapter.start().catch((error: unknown) => error);
    expect(failure).toMatchObject({ reason, message: expect.stringContaining(text) });
    expect(tests.fake.connections().attempts).toBe(1);
  });

  it('because the intent was switched off meanwhile ends the reconnecting', async () => {
    const { context } = await tests.start();
    tests.fake.bot.flags = 0;
    tests.fake.forgetSessions();
    tests.fake.gateway.terminate();
    const failed = () => context.reports.filter(({ state }) => state === 'failed');
    await expect.poll(failed).toMatchObject([{ reason: 'invalid_request' }]);
    const { attempts } = tests.fake.connections();
    expect(attempts).toBeLessThanOrEqual(3);
  });

  it('because too many were begun names when it may', async () => {
    tests.fake.bot.sessionsLeft = 0;
    const { adapter } = await tests.create();
    const failure = await adapter.start().catch((error: unknown) => error);
    expect(failure).toMatchObject({ reason: 'quota', retryAfterSeconds: 60 });
    expect(tests.fake.connections().attempts).toBe(0);
    expect(tests.fake.violations()).toEqual([]);
  });

  it('waits between two sessions', async () => {
    await tests.start({ timing: { identifyGapMs: 300 } });
    const start = performance.now();
    tests.fake.gateway.invalidate(false);
    await expect.poll(() => tests.fake.gateway.begun.sessions).toBe(2);
    expect(performance.now() - start).toBeGreaterThan(200);
  });

  it.each(['two\nlines', 'with blank', ''])('with a token such as %j makes no call', async (token) => {
    const { adapter } = await tests.create({ config: { token } });
    await expect(adapter.start()).rejects.toMatchObject({ reason: 'platform_unauthorized' });
    expect(tests.fake.calls('any')).toBe(0);
  });

  it('without encryption is not begun for an encrypted API', async () => {
    const openSocket = vi.fn();
    const fetch = async () => Response.json({ url: 'ws://gateway.example' });
    const { adapter } = await tests.create({
      config: { api_base_url: 'https://api.example' },
      context: { fetch, openSocket },
    });
    await expect(adapter.start()).rejects.toMatchObject({ reason: 'platform_failed' });
    expect(openSocket).not.toHaveBeenCalled();
  });

  it('ends when it is stopped', async () => {
    const { adapter } = await tests.create({ context: { openSocket: () => new Promise(() => undefined) } });
    const starting = adapter.start().catch((error: unknown) => error);
    await expect.poll(() => tests.fake.calls('start')).toBe(1);
    await adapter.stop();
    expect(await starting).toMatchObject({ reason: 'bot_not_running' });
  });
});

describe('an event', () => {
  it('is acknowledged after it was stored, and repeated until then', async () => {
    let failures = 2;
    const { context } = await tests.start();
    const { receive } = context;
    context.receive = async (event, state) => {
      failures -= 1;
      if (failures >= 0) throw new Error('The disk is full');
      return receive(event, state);
    };
    // The adapter has the context itself.
    const stored = tests.fake.deliver({ text: 'Hello' });
    await stored;
    expect(textsOf(context)).toEqual(['Hello']);
    expect(Number(context.values.get('sequence'))).toBeGreaterThan(2);
  });

  it('that no store takes is dropped, and the next one is stored', async () => {
    const { context } = await tests.start();
    const { receive } = context;
    const { ParleyError } = await import('@parley/sdk');
    context.receive = async (event, state) => {
      if (textOfChain(event.message_chain) === 'Bad') throw new ParleyError('invalid_request', 'Not so');
      return receive(event, state);
    };
    await tests.fake.deliver({ text: 'Bad' });
    await tests.fake.deliver({ text: 'Good' });
    expect(textsOf(context)).toEqual(['Good']);
  });

  it('that is none of the gateway is logged once and ends nothing', async () => {
    const warn = vi.fn();
    const { context } = await tests.start({ context: { logger: { ...silentLogger, warn } } });
    for (const frame of ['{', 'null', '[]', '{"op":0}', '{"op":0,"t":5,"s":"x"}', '{"op":99}', '{"op":10,"d":null}']) {
      await tests.fake.raw(Buffer.from(frame));
    }
    await tests.fake.deliver({ text: 'Hello' });
    expect(textsOf(context)).toEqual(['Hello']);
    expect(warn).toHaveBeenCalledTimes(1);
    expect(open()).toBe(1);
  });
});

it('reports a token that was revoked, and stops', async () => {
  const { context } = await tests.start();
  tests.fake.revoke();
  const failed = (): ConnectionReport[] => context.reports.filter(({ state }) => state === 'failed');
  await expect.poll(failed).toMatchObject([{ reason: 'platform_unauthorized' }]);
  expect(JSON.stringify(context.reports)).not.toContain(tests.fake.bot.token);
});
