import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { createConnection, type Socket } from 'node:net';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { type ClientOptions, WebSocket } from 'ws';
import { startTestService } from '../../../../test/factories/start-test-service.ts';

const service = await startTestService();
const bearer = service.account.token;
const [pipeline] = (await service.request({ url: '/api/v1/pipelines', bearer })).body.data.pipelines;
const base = `/api/v1/pipelines/${pipeline.uuid}/ws`;
const unknown = '/api/v1/pipelines/00000000-0000-4000-8000-000000000000/ws';
const sockets: WebSocket[] = [];

afterEach(async () => {
  for (const socket of sockets.splice(0)) {
    const closed = socket.readyState === WebSocket.CLOSED ? undefined : once(socket, 'close');
    socket.close();
    await closed;
  }
});

afterAll(() => service.stop());

// biome-ignore lint/suspicious/noExplicitAny: frames are compared as they come
type Frame = any;

function open(options: ClientOptions & { path?: string; protocols?: string[] }): WebSocket {
  const { path = `${base}/connect`, protocols = [], ...rest } = options;
  return new WebSocket(service.address.replace('http', 'ws') + path, protocols, rest);
}

/** Connects and collects the frames that come. */
async function connect(options: Parameters<typeof open>[0]): Promise<{ socket: WebSocket; frames: Frame[] }> {
  const socket = open(options);
  const frames: Frame[] = [];
  socket.on('message', (data) => frames.push(JSON.parse(data.toString())));
  await once(socket, 'open');
  sockets.push(socket);
  await vi.waitFor(() => expect(frames.length).toBeGreaterThan(0));
  return { socket, frames };
}

/** Tries to connect and says how that was refused. */
async function refusal(options: Parameters<typeof open>[0]): Promise<{ status: number; body: Frame }> {
  const socket = open(options);
  const [, response] = (await once(socket, 'unexpected-response')) as [unknown, IncomingMessage];
  const text = Buffer.concat(await response.toArray()).toString();
  return { status: response.statusCode ?? 0, body: JSON.parse(text) };
}

/** Asks for an upgrade over a bare connection, which only the server ends. */
function offer(path: string, headers: Record<string, string>, address = service.address): Socket {
  const { hostname, port } = new URL(address);
  const client = createConnection({ port: Number(port), host: hostname });
  const all = {
    host: hostname,
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  client.write(`GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`);
  return client;
}

const authorized = (token = bearer) => ({ headers: { authorization: `Bearer ${token}` } });
const { cookie } = service.account;

describe('the upgrade to a websocket', () => {
  it('is refused without a credential, as everything else is', async () => {
    const { status, body } = await refusal({});
    expect(status).toBe(401);
    expect(body).toMatchObject({ code: -1, reason: 'unauthorized', request_id: expect.any(String) });
  });

  it.each([
    ['a bad token', { authorization: 'Bearer wrong' }],
    ['an unknown key', { 'x-api-key': 'lbk_unknown' }],
    ['an unknown key beside a good cookie', { 'x-api-key': 'lbk_unknown', cookie, origin: service.address }],
    ['a cookie from nowhere', { cookie }],
    ['a cookie from another site', { cookie, origin: 'https://evil.example' }],
    ['a cookie from another port', { cookie, origin: 'http://127.0.0.1:1' }],
    ['a cookie from a page without an origin', { cookie, origin: 'null' }],
    [
      'a cookie from another site that says otherwise',
      { cookie, origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' },
    ],
    ['a bad cookie', { cookie: cookie.replace(/=.*/, '=wrong'), origin: service.address }],
  ])('is refused with %s', async (_name, headers) => {
    expect((await refusal({ headers })).status).toBe(401);
  });

  it.each([
    ['without a credential', {}],
    ['for another host', { host: 'evil.example' }],
  ])('is refused %s, and the connection ends', async (_name, headers) => {
    const client = offer(`${base}/connect`, headers);
    const answer = Buffer.concat(await client.toArray()).toString();
    expect(answer).toMatch(/^HTTP\/1\.1 40[13] /);
  });

  it.each([
    ['where no websocket is', '/healthz', {}, 200],
    ['where nothing is', '/api/v1/nothing', {}, 404],
    ['at an address that cannot be read', '/%', {}, 400],
    ['to another protocol', `${base}/connect`, { upgrade: 'h2c', authorization: `Bearer ${bearer}` }, 400],
  ])('is passed over %s', async (_name, path, headers, status) => {
    const client = offer(path, headers);
    const [first] = (await once(client, 'data')) as [Buffer];
    expect(first.toString()).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    client.destroy();
  });

  it('is refused with a bad token as a subprotocol', async () => {
    for (const protocols of [['parley.token'], ['parley.token', 'wrong'], ['wrong', 'parley.token'], [bearer]]) {
      expect((await refusal({ protocols })).status).toBe(401);
    }
  });

  it('is refused to a key that may not send', async () => {
    const { key } = await service.createApiKey(['read', 'write', 'admin']);
    const { status, body } = await refusal(authorized(key));
    expect(status).toBe(403);
    expect(body.reason).toBe('scope_required');
  });

  it.each<[string, () => Promise<Parameters<typeof open>[0]>]>([
    ['a user token', async () => authorized()],
    ['an API key', async () => ({ headers: { 'x-api-key': (await service.createApiKey(['send'])).key } })],
    ['an API key as a bearer credential', async () => authorized((await service.createApiKey(['send'])).key)],
    ['a token as a subprotocol', async () => ({ protocols: ['parley.token', bearer] })],
    ['the cookie from a page of ours', async () => ({ headers: { cookie, origin: service.address } })],
    ['the cookie and the word of the browser', async () => ({ headers: { cookie, 'sec-fetch-site': 'same-origin' } })],
  ])('is done with %s', async (_name, options) => {
    const { frames } = await connect(await options());
    expect(frames[0]).toMatchObject({ type: 'connected', pipeline_uuid: pipeline.uuid, session_type: 'person' });
    expect(frames[0].connection_id).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('does not send the token back as the chosen subprotocol', async () => {
    const { socket } = await connect({ protocols: ['parley.token', bearer] });
    expect(socket.protocol).toBe('parley.token');
  });

  it('is what the address is for: asked without one, it says so', async () => {
    const answer = await service.request({ url: `${base}/connect`, bearer });
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ code: -1, msg: 'This path is for websockets', reason: 'invalid_request' });
    expect((await service.request({ url: `${base}/connect` })).status).toBe(401);
  });

  it.each([
    ['an unknown pipeline', `${unknown}/connect`, 'not_found'],
    ['another kind of session', `${base}/connect?session_type=channel`, 'invalid_request'],
  ])('ends with an error frame for %s', async (_name, path, reason) => {
    const { socket, frames } = await connect({ ...authorized(), path });
    expect(frames[0]).toMatchObject({ type: 'error', message: expect.any(String), reason });
    if (socket.readyState !== WebSocket.CLOSED) await once(socket, 'close');
  });
});

describe('the requests around it', () => {
  it('answers 400 to a session that is neither of a person nor of a group', async () => {
    for (const [method, path] of [
      ['GET', 'messages'],
      ['POST', 'reset'],
    ] as const) {
      const answer = await service.request({ method, url: `${base}/${path}/channel`, bearer });
      expect(answer.status).toBe(400);
      expect(answer.body).toMatchObject({ code: -1, msg: 'session_type must be person or group' });
    }
  });

  it('answers 404 for an unknown pipeline', async () => {
    const requests = [
      { url: `${unknown}/messages/person` },
      { method: 'POST', url: `${unknown}/reset/group` },
      { url: `${unknown}/connections` },
      { method: 'POST', url: `${unknown}/broadcast`, json: { message: 'Hello' } },
    ];
    for (const request of requests) {
      expect((await service.request({ ...request, bearer })).status).toBe(404);
      const noUuid = request.url.replace(/[0-9a-f-]{36}/, 'not-a-uuid');
      expect((await service.request({ ...request, url: noUuid, bearer })).status).toBe(404);
    }
  });

  it('shows what was said, to whoever said it, until it is reset', async () => {
    const { socket, frames } = await connect(authorized());
    socket.send(JSON.stringify({ type: 'message', message: [{ type: 'Plain', text: 'Good morning' }] }));
    await vi.waitFor(() => expect(frames.at(-1)).toMatchObject({ type: 'response', data: { is_final: true } }), 10_000);
    const url = `${base}/messages/person`;
    await vi.waitFor(async () => {
      const { messages } = (await service.request({ url, bearer })).body.data;
      expect(messages).toMatchObject([
        { id: 1, role: 'user', content: 'Good morning', is_final: true },
        { id: 2, role: 'assistant', content: frames.at(-1).data.content, is_final: true },
      ]);
    });
    const { key } = await service.createApiKey();
    expect((await service.request({ url, apiKey: key })).body.data.messages).toEqual([]);
    expect((await service.request({ url: `${base}/messages/group`, bearer })).body.data.messages).toEqual([]);
    const reset = await service.request({ method: 'POST', url: `${base}/reset/person`, bearer });
    expect(reset.body).toEqual({ code: 0, msg: 'ok', data: { message: 'Session reset successfully' } });
    expect((await service.request({ url, bearer })).body.data.messages).toEqual([]);
  });

  it('lists the open connections', async () => {
    const none = (await service.request({ url: `${base}/connections`, bearer })).body.data;
    expect(none).toMatchObject({ stats: { total_connections: 0, pipelines: 0 }, connections: [] });
    const { frames } = await connect(authorized());
    await connect({ ...authorized(), path: `${base}/connect?session_type=group` });
    const { stats, connections } = (await service.request({ url: `${base}/connections`, bearer })).body.data;
    expect(stats).toEqual({
      total_connections: 2,
      pipelines: 1,
      connections_by_pipeline: { [pipeline.uuid]: 2 },
      connections_by_session_type: { person: 1, group: 1 },
    });
    expect(connections.map((connection: Frame) => connection.connection_id)).toContain(frames[0].connection_id);
  });

  it('shows a notice to everybody connected', async () => {
    const both = [
      await connect(authorized()),
      await connect({ ...authorized(), path: `${base}/connect?session_type=group` }),
    ];
    const request = { method: 'POST', url: `${base}/broadcast`, bearer, json: { message: { text: 'Hello all' } } };
    expect((await service.request(request)).body.data).toEqual({ message: 'Broadcast sent successfully' });
    for (const { frames } of both) {
      await vi.waitFor(() =>
        expect(frames.at(-1)).toMatchObject({ type: 'broadcast', message: { text: 'Hello all' } }),
      );
    }
  });

  it.each([{}, { message: '' }, { message: null }, { message: 0 }, { message: 'Hello', to: 'all' }])(
    'answers 400 to the notice %j',
    async (json) => {
      const answer = await service.request({ method: 'POST', url: `${base}/broadcast`, bearer, json });
      expect(answer.status).toBe(400);
      expect(answer.body.details[0].path).toMatch(/^(message|to)$/);
    },
  );

  it('answers 409 while no web chat is switched on', async () => {
    const update = (enable: number) => service.database.updateTable('bots').set({ enable }).execute();
    await update(0);
    const answer = await service.request({ url: `${base}/messages/person`, bearer });
    await update(1);
    expect(answer.status).toBe(409);
    expect(answer.body.reason).toBe('bot_disabled');
  });
});

it('a client that does not answer the close does not keep the server from stopping', async () => {
  const own = await startTestService();
  const [{ uuid }] = (await own.request({ url: '/api/v1/pipelines', bearer: own.account.token })).body.data.pipelines;
  const path = `/api/v1/pipelines/${uuid}/ws/connect`;
  const silent = offer(path, { authorization: `Bearer ${own.account.token}` }, own.address);
  const [upgraded] = (await once(silent, 'data')) as [Buffer];
  expect(upgraded.toString()).toMatch(/^HTTP\/1\.1 101 /);
  const closed = once(silent, 'close');
  silent.resume();
  const started = performance.now();
  await own.stop();
  expect(performance.now() - started).toBeLessThan(10_000);
  await closed;
});
