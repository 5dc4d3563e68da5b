import { ParleyError, type Reason, type WebhookRequest, type WebhookResponse } from '@parley/sdk';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { createFakePlatform, type FakeAdapter } from '../../../../test/factories/fake-platform.ts';
import { startTestService, type TestRequest } from '../../../../test/factories/start-test-service.ts';
import { messageEvent } from '../../../../test/stores/ledger-records.ts';
import { newUuid } from '../../../lib/uuid.ts';

const fake = createFakePlatform({ webhook: true });
const deaf = createFakePlatform({ name: 'deaf' });
const [uuid, disabled, deafUuid, deafDisabled, broken] = [newUuid(), newUuid(), newUuid(), newUuid(), newUuid()];
fake.start = async ({ context }) => {
  if (context.bot_uuid === broken) throw new ParleyError('platform_unauthorized', 'Wrong token');
};
const service = await startTestService({
  extensions: { platforms: [fake.platform, deaf.platform] },
  config: { basePath: '/parley' },
  bots: [
    { adapter: 'fake', uuid },
    { adapter: 'fake', uuid: disabled, enable: false },
    { adapter: 'deaf', uuid: deafUuid },
    { adapter: 'deaf', uuid: deafDisabled, enable: false },
    { adapter: 'fake', uuid: broken },
  ],
});
let received: WebhookRequest[];

afterAll(() => service.stop());

beforeEach(() => {
  received = [];
  answering({ status: 200 });
});

function answering(response: WebhookResponse | Error): void {
  fake.answer = async (request) => {
    received.push(request);
    if (response instanceof Error) throw response;
    return response;
  };
}

const call = (method: string, url: string, part: Partial<TestRequest> = {}) =>
  service.request({ method, url, ...part });

describe('what a platform sends to a bot', () => {
  it('is handed to its adapter as it came', async () => {
    const payload = Buffer.from([0, 255, 123, 34, 10]);
    const headers = { 'content-type': 'application/json', 'X-Signature': 'abc' };
    await call('POST', `/bots/${uuid}/events/1?a=1&b=%20x&a=2`, { payload, headers });
    expect(received).toEqual([
      {
        method: 'POST',
        path: 'events/1',
        query: { a: '1', b: ' x' },
        headers: expect.objectContaining({ 'content-type': 'application/json', 'x-signature': 'abc' }),
        body: expect.any(Uint8Array),
      },
    ]);
    expect(Buffer.from(received[0]?.body as Uint8Array)).toEqual(payload);
  });

  it.each([
    ['', ''],
    ['/', ''],
    ['/a', 'a'],
    ['/a/b/', 'a/b'],
    ['//a//', 'a'],
    ['/a%20%2F%E4%BD%A0', 'a /你'],
    ['?a=b', ''],
    ['/..%2f..%2fetc', '../../etc'],
  ])('below its address at %j is known as %j', async (below, path) => {
    for (const method of ['GET', 'POST']) expect((await call(method, `/bots/${uuid}${below}`)).status).toBe(200);
    expect(received.map((request) => [request.method, request.path])).toEqual([
      ['GET', path],
      ['POST', path],
    ]);
  });

  it.each([
    undefined,
    '',
    'application/json',
    'application/xml',
    'text/plain',
    'text/xml; charset=utf-16',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    'application/octet-stream',
    'nonsense',
    ';',
    'a/b/c;;=',
  ])('may have any content type: %j', async (type) => {
    const headers: Record<string, string> = type === undefined ? {} : { 'content-type': type };
    const answer = await call('POST', `/bots/${uuid}`, { payload: '{"broken', headers });
    expect(answer.status).toBe(200);
    expect(Buffer.from(received[0]?.body as Uint8Array).toString()).toBe('{"broken');
    expect(received[0]?.headers['content-type']).toBe(type);
  });

  it('may be large, up to a limit', async () => {
    const send = (size: number) => call('POST', `/bots/${uuid}`, { payload: Buffer.alloc(size, 'a') });
    expect((await send(1024 * 1024)).status).toBe(200);
    const refused = await send(1024 * 1024 + 1);
    expect(refused.status).toBe(413);
    expect(refused.body).toMatchObject({ code: -1, reason: 'too_large', error: refused.body.msg });
    expect(received.map(({ body }) => body.length)).toEqual([1024 * 1024]);
  });

  it('is answered as the adapter says', async () => {
    answering({ status: 202, content_type: 'application/xml', body: '<ok>你</ok>' });
    const answer = await call('POST', `/bots/${uuid}`);
    expect([answer.status, answer.headers['content-type'], answer.text]).toEqual([
      202,
      'application/xml',
      '<ok>你</ok>',
    ]);
    expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
    answering({ status: 200, body: 'challenge' });
    const plain = await call('GET', `/bots/${uuid}?echostr=challenge`);
    expect([plain.headers['content-type'], plain.text]).toEqual(['text/plain; charset=utf-8', 'challenge']);
    answering({ status: 200, content_type: 'application/json', body: '{"challenge":"x"}' });
    expect((await call('POST', `/bots/${uuid}`)).body).toEqual({ challenge: 'x' });
  });

  it('is a message in the ledger before it is answered', async () => {
    fake.answer = async (_request, { context }) => {
      await context.receive(messageEvent('Hello', { platform_message_id: 'once' }));
      return { status: 200 };
    };
    for (let time = 0; time < 2; time += 1) expect((await call('POST', `/bots/${uuid}`)).status).toBe(200);
    const rows = await service.database
      .selectFrom('messages')
      .select('text')
      .where('platform_message_id', '=', 'once')
      .execute();
    expect(rows).toEqual([{ text: 'Hello' }]);
  });

  it('is found in capital letters and below the path of the service', async () => {
    expect((await call('POST', `/bots/${uuid.toUpperCase()}`)).status).toBe(200);
    expect((await call('POST', `/parley/bots/${uuid}/a`)).status).toBe(200);
    expect(received.map(({ path }) => path)).toEqual(['', 'a']);
  });

  it('comes in while the platform cannot be reached the other way', async () => {
    const { context } = fake.adapters.findLast((adapter) => adapter.context.bot_uuid === uuid) as FakeAdapter;
    context.reportConnection({ state: 'reconnecting', reason: 'platform_failed', message: 'slow' });
    expect((await call('POST', `/bots/${uuid}`)).status).toBe(200);
    context.reportConnection({ state: 'connected' });
  });

  it.each<[string, string, number, Reason, string]>([
    ['an unknown bot', newUuid(), 404, 'not_found', 'Bot not found'],
    ['what is no bot', 'websocket-proxy-bot', 404, 'not_found', 'Bot not found'],
    ['a strange name', '%00%ff'.slice(0, 3), 404, 'not_found', 'Bot not found'],
    ['a bot that is switched off', disabled, 403, 'bot_disabled', 'Bot is disabled'],
    ['one that would not listen anyway', deafDisabled, 403, 'bot_disabled', 'Bot is disabled'],
    [
      'a bot whose platform sends nothing',
      deafUuid,
      501,
      'webhook_unsupported',
      'Adapter does not support unified webhook',
    ],
    ['a bot that is not connected', broken, 503, 'bot_not_running', 'The bot is not connected to its platform'],
  ])('is refused for %s', async (_, bot, status, reason, error) => {
    for (const [method, below] of [
      ['GET', ''],
      ['POST', ''],
      ['GET', '/a/b'],
      ['POST', '/a/b'],
    ]) {
      const answer = await call(method as string, `/bots/${bot}${below}`);
      expect(answer.status).toBe(status);
      const common = { error, code: -1, msg: error, reason, request_id: expect.any(String) };
      const problem = { problem: { code: 'bot_not_found', parameters: {} } };
      expect(answer.body).toEqual({ ...common, ...(reason === 'not_found' && problem) });
      expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    }
    expect(received).toEqual([]);
  });

  it.each<[Reason, number]>([
    ['invalid_signature', 401],
    ['invalid_request', 400],
    ['not_ready', 503],
    ['bot_disabled', 403],
    ['platform_failed', 502],
  ])('is refused as the adapter says: %s', async (reason, status) => {
    answering(new ParleyError(reason, 'It says no'));
    const answer = await call('POST', `/bots/${uuid}`);
    expect(answer.status).toBe(status);
    expect(answer.body).toMatchObject({ error: 'It says no', code: -1, msg: 'It says no', reason });
    expect(answer.headers['www-authenticate']).toBeUndefined();
  });

  it.each<[string, WebhookResponse | Error]>([
    ['fails unexpectedly', new Error('connect ECONNREFUSED 10.0.0.7 token=abcdef')],
    ['answers with no status', { status: 0 }],
    ['answers with half a status', { status: 200.5 }],
    ['answers nothing', undefined as unknown as WebhookResponse],
  ])('is answered 500 without a word of the inside when the adapter %s', async (_, response) => {
    answering(response);
    const answer = await call('POST', `/bots/${uuid}`);
    expect(answer.status).toBe(500);
    const error = 'An unexpected fault';
    expect(answer.body).toEqual({
      error,
      code: -2,
      msg: error,
      reason: 'internal',
      request_id: expect.any(String),
    });
  });

  it('is answered 405 to other methods', async () => {
    for (const method of ['PUT', 'PATCH', 'DELETE']) {
      const answer = await call(method, `/bots/${uuid}`);
      expect([answer.status, answer.headers.allow]).toEqual([405, 'GET, POST']);
    }
    expect((await call('HEAD', `/bots/${uuid}`)).status).toBe(404);
    expect((await call('GET', '/bots')).body.reason).toBe('not_found');
    expect(received).toEqual([]);
  });
});

it('is answered 503 by a server that stops, so that the platform tries again', async () => {
  const own = createFakePlatform({ webhook: true });
  const bot = newUuid();
  const stopping = await startTestService({
    extensions: { platforms: [own.platform] },
    bots: [{ adapter: 'fake', uuid: bot }],
  });
  const stopped = Promise.withResolvers<void>();
  own.stop = () => stopped.promise;
  const end = stopping.stop();
  const response = await stopping.service.server.inject({ method: 'POST', url: `/bots/${bot}`, payload: 'x' });
  stopped.resolve();
  await end;
  expect(response.statusCode).toBe(503);
  expect(response.json()).toMatchObject({ error: 'The server is stopping', code: -1, reason: 'not_ready' });
});
