import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  startTestService,
  type TestService,
  type TestServiceOptions,
} from '../../../../test/factories/start-test-service.ts';

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  vi.useRealTimers();
  for (const stop of stops.splice(0).reverse()) await stop();
});

async function begin(options: TestServiceOptions = {}): Promise<TestService> {
  const service = await startTestService(options);
  stops.push(() => service.stop());
  return service;
}

interface Stream {
  response: IncomingMessage;
  /** Grows with what is read. */
  text: string;
  ended: boolean;
}

async function open(service: TestService, path: string, headers: Record<string, string>): Promise<Stream> {
  const asked = request(`${service.address}${path}`, { headers }).end();
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  const stream: Stream = { response, text: '', ended: false };
  response.setEncoding('utf8');
  response.on('data', (text: string) => {
    stream.text += text;
  });
  response.on('error', () => {});
  response.on('close', () => {
    stream.ended = true;
  });
  return stream;
}

const url = '/api/v1/events';
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const typesIn = ({ text }: Stream) => [...text.matchAll(/^event: (.*)$/gm)].map(([, type]) => type);
const idsIn = ({ text }: Stream) => [...text.matchAll(/^id: (.*)$/gm)].map(([, id]) => id as string);
const messagesIn = ({ text }: Stream) =>
  [...text.matchAll(/^event: message\ndata: (.*)$/gm)].map(([, data]) => JSON.parse(data as string));

describe('the event stream', () => {
  let service: TestService;
  let bot: string;
  beforeEach(async () => {
    service = await begin();
    const bots = await service.request({ url: '/api/v1/platform/bots', bearer: service.account.token });
    bot = bots.body.data.bots[0].uuid;
  });

  const ofAccount = () => bearer(service.account.token);
  const send = async (text: string) => {
    const json = { target_type: 'person', target_id: 'ada', message_chain: [{ type: 'Plain', text }] };
    const path = `/api/v1/platform/bots/${bot}/send_message`;
    const answer = await service.request({ method: 'POST', url: path, bearer: service.account.token, json });
    expect(answer.status).toBe(200);
  };

  it('must not be cached or buffered', async () => {
    const { response } = await open(service, url, ofAccount());
    expect(response.statusCode).toBe(200);
    expect(response.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
      'x-content-type-options': 'nosniff',
    });
    response.destroy();
  });

  it('tells of messages, and nothing of what they say', async () => {
    const stream = await open(service, `${url}?types=message`, ofAccount());
    await send('a confidential text');
    await vi.waitFor(() => expect(messagesIn(stream)).toHaveLength(2));
    const common = { uuid: expect.any(String), bot_uuid: bot, conversation_uuid: expect.any(String) };
    const outbound = { ...common, direction: 'outbound', reason: null, created_at: expect.any(String) };
    expect(messagesIn(stream)).toEqual([
      { ...outbound, state: 'sending' },
      { ...outbound, state: 'sent' },
    ]);
    expect(stream.text).not.toContain('confidential');
    stream.response.destroy();
  });

  it('goes on where it was left, by header before query', async () => {
    const first = await open(service, url, ofAccount());
    await vi.waitFor(() => expect(idsIn(first)).toHaveLength(1));
    const [begun] = idsIn(first) as [string];
    first.response.destroy();
    await send('one');
    const second = await open(service, `${url}?types=message&last_event_id=${begun}`, ofAccount());
    await vi.waitFor(() => expect(messagesIn(second)).toHaveLength(2));
    second.response.destroy();
    await send('two');
    const last = idsIn(second).at(-1) as string;
    const path = `${url}?types=message&last_event_id=${begun}`;
    const third = await open(service, path, { ...ofAccount(), 'last-event-id': last });
    await vi.waitFor(() => expect(messagesIn(third)).toHaveLength(2));
    expect(messagesIn(third).map(({ uuid }) => uuid)).not.toContain(messagesIn(second)[0].uuid);
    third.response.destroy();
  });

  it.each(['of-another-run', 'x'.repeat(5000), '%00', 'caf%C3%A9'])('says that %s is not known', async (id) => {
    const stream = await open(service, `${url}?last_event_id=${id}`, ofAccount());
    await vi.waitFor(() => expect(typesIn(stream)).toEqual(['resync']));
    stream.response.destroy();
  });

  it.each(['nothing', 'bot,nothing', '', 'bot,', 'bot&types=task'])('refuses the types %j', async (types) => {
    const answer = await service.request({ url: `${url}?types=${types}`, bearer: service.account.token });
    expect(answer.status).toBe(400);
    expect(answer.body.details[0].path).toBe('query.types');
  });

  it('answers a HEAD with its headers alone', async () => {
    const answer = await service.request({ method: 'HEAD', url, bearer: service.account.token });
    expect([answer.status, answer.text]).toEqual([200, '']);
    expect(answer.headers['content-type']).toBe('text/event-stream; charset=utf-8');
  });

  it('takes the sign-in cookie of a page of ours, and of no other', async () => {
    const { cookie } = service.account;
    const own = await open(service, url, { cookie, origin: service.address });
    expect(own.response.statusCode).toBe(200);
    own.response.destroy();
    for (const headers of [{ cookie, origin: 'https://elsewhere.example' }, { cookie }]) {
      expect((await service.request({ url, headers })).status).toBe(401);
    }
  });

  it('is for keys that may read', async () => {
    const { key } = await service.createApiKey(['read']);
    const { key: writer } = await service.createApiKey(['write', 'send']);
    const stream = await open(service, url, { 'x-api-key': key });
    expect(stream.response.statusCode).toBe(200);
    stream.response.destroy();
    expect((await service.request({ url, apiKey: writer })).body.reason).toBe('scope_required');
  });

  it('is opened no more than twenty times by one caller', async () => {
    const streams = await Promise.all(Array.from({ length: 20 }, () => open(service, url, ofAccount())));
    const refused = await service.request({ url, bearer: service.account.token });
    expect([refused.status, refused.body.reason]).toEqual([429, 'too_many_requests']);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    const { key } = await service.createApiKey(['read']);
    const other = await open(service, url, { 'x-api-key': key });
    expect(other.response.statusCode).toBe(200);
    for (const { response } of [...streams, other]) response.destroy();
  });
});

describe('the event stream ends', () => {
  it('with the session or the key that opened it', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const service = await begin();
    const { user, password, token } = service.account;
    const signedIn = await service.request({ method: 'POST', url: '/api/v1/user/auth', json: { user, password } });
    const other = signedIn.body.data.token;
    const { id, key } = await service.createApiKey(['read']);
    const stays = await open(service, url, bearer(token));
    const ofSession = await open(service, url, bearer(other));
    const ofKey = await open(service, url, { 'x-api-key': key });
    expect([ofSession.ended, ofKey.ended]).toEqual([false, false]);
    await service.request({ method: 'POST', url: '/api/v1/user/sign-out', bearer: other });
    await vi.waitFor(() => expect(ofSession.ended).toBe(true), 10_000);
    await service.request({ method: 'DELETE', url: `/api/v1/apikeys/${id}`, bearer: token });
    await vi.waitFor(() => expect(ofKey.ended).toBe(true), 10_000);
    vi.advanceTimersByTime(15_000);
    await vi.waitFor(() => expect(stays.text).toContain(': still here'));
    expect(stays.ended).toBe(false);
    stays.response.destroy();
  });

  it('when the server stops, which it does not hold up', async () => {
    const service = await startTestService({ config: { shutdownTimeoutSeconds: 300 } });
    const stream = await open(service, url, bearer(service.account.token));
    await vi.waitFor(() => expect(stream.text).not.toBe(''));
    await service.stop();
    await vi.waitFor(() => expect(stream.ended).toBe(true));
    expect(stream.response.complete).toBe(true);
  });
});

describe('the event stream behind a path and for pages of another origin', () => {
  it('is reached', async () => {
    const origin = 'https://console.example.com';
    const service = await begin({ config: { basePath: '/parley', corsOrigins: [origin] } });
    const headers = { ...bearer(service.account.token), origin };
    const stream = await open(service, `/parley${url}`, headers);
    expect(stream.response.statusCode).toBe(200);
    expect(stream.response.headers['access-control-allow-origin']).toBe(origin);
    stream.response.destroy();
  });
});
