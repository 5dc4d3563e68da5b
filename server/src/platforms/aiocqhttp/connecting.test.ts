import type { PlatformAdapter, PlatformContext, PlatformTestContext, SocketRequest } from '@parley/sdk';
import type { FakePlatformContext } from '@parley/sdk/testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { platformHost } from '../../kit/testing/platform-host.ts';
import { type FakeOneBot, type FakeOneBotOptions, startFakeOneBot } from './testing/fake-onebot.ts';
import { type AdapterOptions, createAdapter, outgoing } from './testing/start-adapter.ts';

const open: { fakes: FakeOneBot[]; adapters: PlatformAdapter[] } = { fakes: [], adapters: [] };
const warn = vi.fn();
const logger = { debug: vi.fn(), info: vi.fn(), warn, error: vi.fn() } as never;

async function client(options: FakeOneBotOptions = {}): Promise<FakeOneBot> {
  const fake = await startFakeOneBot(options);
  open.fakes.push(fake);
  return fake;
}

async function bot(fake: FakeOneBot, options: AdapterOptions = {}) {
  const created = await createAdapter(fake, { ...options, context: { logger, ...options.context } });
  open.adapters.push(created.adapter);
  return created;
}

async function started(fake: FakeOneBot, options: AdapterOptions = {}) {
  const created = await bot(fake, options);
  await created.adapter.start();
  return created;
}

beforeEach(() => warn.mockReset());
afterEach(async () => {
  for (const adapter of open.adapters.splice(0)) await adapter.stop();
  for (const fake of open.fakes.splice(0)) await fake.close();
});

const lastReport = ({ reports }: FakePlatformContext) => expect.poll(() => reports.at(-1), { timeout: 5000 });
const texts = ({ received }: FakePlatformContext) =>
  expect.poll(() => received.map(({ message_chain }) => message_chain.at(-1)), { timeout: 5000 });
const handshake = (over: Partial<SocketRequest> = {}): SocketRequest => ({
  path: 'ws',
  query: {},
  headers: { 'x-self-id': '10000', authorization: 'Bearer the-token-of-the-bot' },
  ...over,
});

describe.each<FakeOneBotOptions>([{ mode: 'reverse' }, { mode: 'reverse', separate: true }, { mode: 'forward' }])(
  'a connection: %o',
  (options) => {
    it('receives and sends, and knows the account', async () => {
      const fake = await client(options);
      const { adapter, context } = await started(fake);
      await lastReport(context).toEqual({ state: 'connected' });
      expect(adapter.accountId?.()).toBe('10000');
      await fake.deliver({ text: 'Hello' });
      await texts(context).toEqual([{ type: 'Plain', text: 'Hello' }]);
      await adapter.send(outgoing(fake.person(), [{ type: 'Plain', text: 'Good day' }]));
      expect(fake.sent()).toMatchObject([{ text: 'Good day' }]);
      expect(fake.violations()).toEqual([]);
    });

    it('comes back, with what was written meanwhile', async () => {
      const fake = await client(options);
      const { context } = await started(fake);
      await fake.goAway();
      await lastReport(context).toMatchObject({ state: 'reconnecting' });
      await fake.deliver({ text: 'meanwhile' });
      await fake.comeBack();
      await lastReport(context).toEqual({ state: 'connected' });
      await texts(context).toEqual([{ type: 'Plain', text: 'meanwhile' }]);
    });

    it('is ended when it is silent for two heartbeats', async () => {
      const fake = await client({ ...options, heartbeatMs: 200 });
      const { context } = await started(fake);
      // Behind the first heartbeat.
      await fake.deliver({ text: 'before' });
      await texts(context).toHaveLength(1);
      const before = context.reports.length;
      fake.halfOpen();
      await expect.poll(() => context.reports.slice(before), { timeout: 5000 }).toContainEqual({ state: 'connected' });
      await fake.deliver({ text: 'again' });
      await texts(context).toContainEqual({ type: 'Plain', text: 'again' });
    });

    it('ends with the bot, and starts again', async () => {
      const fake = await client(options);
      const { adapter, context } = await started(fake);
      await adapter.stop();
      expect(fake.connections().open).toBe(0);
      await adapter.start();
      await lastReport(context).toEqual({ state: 'connected' });
    });
  },
);

describe('a client that connects', () => {
  it('has the token in a header or the query', async () => {
    const { adapter } = await started(await client());
    const decide = (over: Partial<SocketRequest>) => adapter.acceptSocket?.(handshake(over));
    const self = { 'x-self-id': '10000' };
    const right = [
      {},
      { headers: { ...self, authorization: 'Token the-token-of-the-bot' } },
      { headers: { ...self, authorization: 'the-token-of-the-bot' } },
      { headers: self, query: { access_token: 'the-token-of-the-bot' } },
    ];
    for (const over of right) expect(decide(over)).toBeInstanceOf(Function);
    const wrong = [
      { headers: self },
      { headers: { ...self, authorization: 'Bearer' } },
      {
        headers: { ...self, authorization: 'Bearer the-token-of-the-bo' },
        query: { access_token: 'the-token-of-the-bot' },
      },
      { headers: self, query: { access_token: '' } },
    ];
    for (const over of wrong) expect(decide(over)).toEqual({ status: 401 });
    expect(decide({ headers: { authorization: 'Bearer the-token-of-the-bot' } })).toEqual({ status: 400 });
    for (const path of ['other', 'ws/other', 'constructor']) expect(decide({ path })).toEqual({ status: 404 });
    for (const path of ['', 'ws', 'ws/api', 'ws/event']) expect(decide({ path })).toBeInstanceOf(Function);
  });

  it('with a wrong token is refused before anything is read', async () => {
    const fake = await client();
    const { context } = await started(fake);
    for (const how of ['wrong_signature', 'missing_signature', 'short_signature', 'of_another_bot'] as const) {
      expect(new Set(await fake.forge(how)), how).toEqual(new Set(['refused']));
    }
    expect(JSON.stringify([warn.mock.calls, context.reports])).not.toContain(fake.token);
  });

  it('needs a token at the webhook URL, even if none is set', async () => {
    const { adapter } = await started(await client(), { config: { 'access-token': '' } });
    expect(adapter.acceptSocket?.(handshake())).toEqual({ status: 401 });
  });

  it('may come at the webhook URL', async () => {
    const fake = await client({ mode: 'webhook' });
    const { adapter, context } = await bot(fake);
    const served = await platformHost.serve({ adapter: () => adapter, verifyAddress: async () => null });
    try {
      const starting = adapter.start();
      fake.enterAddress(served);
      await starting;
      await lastReport(context).toEqual({ state: 'connected' });
      await fake.deliver({ text: 'Hello' });
      await texts(context).toHaveLength(1);
    } finally {
      await adapter.stop();
      await served.close();
    }
  });

  it('of another account is refused, and reported once', async () => {
    const fake = await client();
    await started(fake);
    const headers = { ...fake.link.headers('Universal'), 'x-self-id': '10009' };
    for (let attempt = 0; attempt < 3; attempt += 1) expect(await fake.link.connectOnce(headers)).toBeNull();
    expect(warn.mock.calls.filter(([, text]) => String(text).includes('10009'))).toHaveLength(1);
  });

  it('of another account is accepted when the first has gone', async () => {
    const fake = await client();
    const { adapter, context } = await started(fake);
    await fake.goAway();
    await lastReport(context).toMatchObject({ state: 'reconnecting' });
    expect(adapter.accountId?.()).toBe('10000');
    expect(
      adapter.acceptSocket?.(handshake({ headers: { ...fake.link.headers(''), 'x-self-id': '10009' } })),
    ).toBeInstanceOf(Function);
  });

  it('need not be there when the bot starts, which knows its account from before', async () => {
    const fake = await client();
    await fake.goAway();
    const { adapter, context } = await bot(fake, { timing: { firstClientMs: 10 } });
    context.values.set('account', '10000');
    await adapter.start();
    expect(context.reports).toEqual([
      { state: 'reconnecting', reason: 'platform_failed', message: 'No QQ client is connected' },
    ]);
    expect(adapter.accountId?.()).toBe('10000');
    await fake.comeBack();
    await lastReport(context).toEqual({ state: 'connected' });
  });

  it('repeats a message over another connection, which has the same id', async () => {
    const fake = await client();
    const { context } = await started(fake);
    const { id } = await fake.deliver({ text: 'Hello' });
    await fake.redeliver(id, { overOther: true });
    await texts(context).toHaveLength(2);
    expect(new Set(context.received.map(({ platform_message_id }) => platform_message_id)).size).toBe(1);
  });

  it('is reported while its account is offline', async () => {
    const fake = await client();
    const { context } = await started(fake);
    await lastReport(context).toEqual({ state: 'connected' });
    fake.isOnline = false;
    fake.beat();
    await lastReport(context).toMatchObject({ state: 'reconnecting', message: expect.stringContaining('offline') });
    fake.isOnline = true;
    fake.beat();
    await lastReport(context).toEqual({ state: 'connected' });
  });
});

describe('two bots in one process', () => {
  it('keep their messages apart', async () => {
    const [first, second] = [await client(), await client({ mode: 'forward' })];
    const bots = [await started(first), await started(second)];
    await first.deliver({ text: 'to the first' });
    await second.deliver({ text: 'to the second' });
    for (const { context } of bots) await texts(context).toHaveLength(1);
    for (const { adapter } of bots) await adapter.send(outgoing(first.person(), [{ type: 'Plain', text: 'Hello' }]));
    expect([first.sent(), second.sent()]).toMatchObject([{ length: 1 }, { length: 1 }]);
  });
});

describe('the address to listen on', () => {
  const open = { host: '0.0.0.0', 'access-token': '' };

  it('needs a token beyond this machine', async () => {
    const { adapter } = await bot(await client(), { config: open });
    await expect(adapter.start()).rejects.toMatchObject({
      reason: 'invalid_request',
      message: expect.stringContaining('access-token'),
    });
  });

  it('runs without one, with a warning, as an earlier system has saved it', async () => {
    const hosts: string[] = [];
    const listen: PlatformContext['listen'] = ({ host, port }, accept) => {
      hosts.push(host);
      return platformHost.listen({ host: '127.0.0.1', port }, accept);
    };
    const fake = await client();
    const { context } = await started(fake, { config: { ...open, 'require-token': false }, context: { listen } });
    expect(hosts).toEqual(['0.0.0.0']);
    await lastReport(context).toEqual({ state: 'connected' });
    expect(warn.mock.calls).toContainEqual([expect.anything(), expect.stringContaining('Set access-token')]);
  });

  it.each(['a b', 'a\nb', '密码'])('refuses a token that no header can carry: %j', async (token) => {
    const { adapter } = await bot(await client(), { config: { 'access-token': token } });
    const failure = await adapter.start().catch((error: unknown) => error);
    expect(failure).toMatchObject({ reason: 'invalid_request' });
    expect(String(failure)).not.toContain(token);
  });

  it('is taken by one bot only', async () => {
    const fake = await client();
    await started(fake);
    const { adapter } = await bot(fake);
    await expect(adapter.start()).rejects.toMatchObject({ reason: 'conflict' });
  });
});

describe('forward mode', () => {
  it('does not accept sockets', async () => {
    const { adapter } = await started(await client({ mode: 'forward' }));
    expect(adapter.acceptSocket?.(handshake())).toEqual({ status: 404 });
  });

  it.each(['', 'http://127.0.0.1:1', 'not an address'])('refuses the address %j', async (url) => {
    const { adapter } = await bot(await client({ mode: 'forward' }), { config: { url } });
    await expect(adapter.start()).rejects.toMatchObject({ reason: 'invalid_request' });
  });

  it('ends with a wrong token, at the start and later, without a storm', async () => {
    const fake = await client({ mode: 'forward' });
    const { adapter } = await bot(fake, { config: { 'access-token': 'wrong' } });
    await expect(adapter.start()).rejects.toMatchObject({ reason: 'platform_unauthorized' });
    const { context } = await started(fake);
    fake.revoke();
    await lastReport(context).toMatchObject({ state: 'failed', reason: 'platform_unauthorized' });
    expect(fake.connections().attempts).toBeLessThanOrEqual(3);
  });

  it('recognizes a wrong token in a response on an open socket', async () => {
    const fake = await client({ mode: 'forward' });
    fake.fail('start', 'silence');
    const { adapter } = await bot(fake);
    const starting = adapter.start();
    starting.catch(() => undefined);
    await expect.poll(() => fake.account.calls).toEqual(['get_login_info']);
    fake.link.send(JSON.stringify({ status: 'failed', retcode: 1403, data: null, echo: null }));
    await expect(starting).rejects.toMatchObject({ reason: 'platform_unauthorized' });
  });

  it('misses nothing that comes before the account is known', async () => {
    const fake = await client({ mode: 'forward' });
    await fake.deliver({ text: 'early' });
    const { context } = await started(fake);
    await texts(context).toEqual([{ type: 'Plain', text: 'early' }]);
  });

  it('does not start when the client cannot be reached, or does not respond', async () => {
    const fake = await client({ mode: 'forward' });
    fake.fail('start', 'unreachable');
    const { adapter } = await bot(fake);
    await expect(adapter.start()).rejects.toMatchObject({ reason: 'platform_failed' });
    fake.fail('start', 'silence');
    await expect(adapter.start()).rejects.toMatchObject({ reason: 'platform_failed' });
    await expect.poll(() => fake.connections().open).toBe(0);
  });
});

describe('the test of a configuration', () => {
  async function tested(fake: FakeOneBot, config: Record<string, unknown> = {}) {
    const { implementation, settings } = await createAdapter(fake, { config });
    const clients = platformHost.clients(settings);
    const context: PlatformTestContext = { ...clients, webhook_url: null, signal: AbortSignal.timeout(5000) };
    return implementation.test?.(settings, context);
  }

  it('names the account in forward mode', async () => {
    const fake = await client({ mode: 'forward' });
    expect(await tested(fake)).toEqual({ id: '10000', name: 'Parrot' });
    await expect.poll(() => fake.connections().open).toBe(0);
    await expect(tested(fake, { 'access-token': 'wrong' })).rejects.toMatchObject({ reason: 'platform_unauthorized' });
  });

  it('finds a host that is open to everyone', async () => {
    const fake = await client();
    const finding = { field: 'access-token', text: { en_US: expect.any(String) } };
    expect(await tested(fake)).toEqual({ id: '', name: null, findings: [] });
    const config = { host: '0.0.0.0', 'access-token': '' };
    expect(await tested(fake, config)).toMatchObject({ findings: [{ level: 'error', ...finding }] });
    const saved = { ...config, 'require-token': false };
    expect(await tested(fake, saved)).toMatchObject({ findings: [{ level: 'warning', ...finding }] });
    expect(await tested(fake, { host: 'localhost', 'access-token': '' })).toMatchObject({ findings: [] });
  });
});
