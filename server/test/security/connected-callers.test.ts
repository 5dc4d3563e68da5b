import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import type { Account } from '../../src/core/accounts/account.ts';
import { AccountAdministration } from '../../src/core/accounts/account-administration.ts';
import { secondsFromNow } from '../../src/lib/clock.ts';
import { newUuid } from '../../src/lib/uuid.ts';
import { KyselyAccountStore } from '../../src/storage/accounts/kysely-account-store.ts';
import { startTestService, type TestService, type TestServiceOptions } from '../factories/start-test-service.ts';

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  vi.useRealTimers();
  for (const stop of stops.splice(0).reverse()) await stop();
});

/** Waits for what must come, also on a machine that has much to do. */
const eventually = <Value>(check: () => Value | Promise<Value>) => vi.waitFor(check, 10_000);

interface Place {
  service: TestService;
  /** Where the default pipeline's web chat is. */
  chat: string;
}

async function begin(options: TestServiceOptions = {}): Promise<Place> {
  const service = await startTestService(options);
  stops.push(() => service.stop());
  const { body } = await service.request({ url: '/api/v1/pipelines', bearer: service.account.token });
  return { service, chat: `/api/v1/pipelines/${body.data.pipelines[0].uuid}/ws` };
}

// biome-ignore lint/suspicious/noExplicitAny: frames are compared as they come
type Frame = any;

interface Socket {
  socket: WebSocket;
  frames: Frame[];
  /** How the server closed it; null while it is open. */
  code: number | null;
}

/** Opens a web chat socket and waits for its first frame. */
async function chat({ service, chat }: Place, token: string, autoPong = true): Promise<Socket> {
  const headers = { authorization: `Bearer ${token}` };
  const socket = new WebSocket(`${service.address.replace('http', 'ws')}${chat}/connect`, { headers, autoPong });
  const opened: Socket = { socket, frames: [], code: null };
  socket.on('message', (data) => opened.frames.push(JSON.parse(data.toString())));
  socket.on('close', (code) => {
    opened.code = code;
  });
  stops.push(async () => socket.terminate());
  await eventually(() => expect(opened.frames.length).toBeGreaterThan(0));
  return opened;
}

/** Opens an event stream. @returns whether it has ended */
async function follow({ service }: Place, token: string): Promise<() => boolean> {
  const headers = { authorization: `Bearer ${token}` };
  const [response] = (await once(request(`${service.address}/api/v1/events`, { headers }).end(), 'response')) as [
    IncomingMessage,
  ];
  expect(response.statusCode).toBe(200);
  let ended = false;
  response
    .on('error', () => {})
    .on('close', () => {
      ended = true;
    })
    .resume();
  stops.push(async () => void response.destroy());
  return () => ended;
}

async function signIn({ service }: Place): Promise<string> {
  const { user, password } = service.account;
  const answer = await service.request({ method: 'POST', url: '/api/v1/user/auth', json: { user, password } });
  return answer.body.data.token;
}

/** Another account with the same password, signed in. */
async function join({ service }: Place): Promise<{ uuid: string; token: string }> {
  const [first] = await service.database.selectFrom('accounts').selectAll().execute();
  const account = { ...(first as Account), uuid: newUuid(), user: 'bob@example.com' };
  await service.database.insertInto('accounts').values(account).execute();
  const json = { user: account.user, password: service.account.password };
  const answer = await service.request({ method: 'POST', url: '/api/v1/user/auth', json });
  return { uuid: account.uuid, token: answer.body.data.token };
}

const say = ({ socket }: Socket, text: string) =>
  socket.send(JSON.stringify({ type: 'message', message: [{ type: 'Plain', text }] }));

/** Ways to end a credential: which one the connections have, and the request that ends it. */
const ways: [name: string, end: (place: Place) => Promise<{ credential: string; end: () => Promise<unknown> }>][] = [
  [
    'its API key is revoked',
    async ({ service }) => {
      const { id, key } = await service.createApiKey(['read', 'send']);
      const url = `/api/v1/apikeys/${id}`;
      return { credential: key, end: () => service.request({ method: 'DELETE', url, bearer: service.account.token }) };
    },
  ],
  [
    'the user signs out',
    async (place) => {
      const credential = await signIn(place);
      const url = '/api/v1/user/sign-out';
      return { credential, end: () => place.service.request({ method: 'POST', url, bearer: credential }) };
    },
  ],
  [
    'its session is ended from another one',
    async (place) => {
      const [credential, bearer] = [await signIn(place), place.service.account.token];
      const url = '/api/v1/user/sessions';
      const listed = await place.service.request({ url, bearer: credential });
      const { uuid } = listed.body.data.sessions.find((session: { current: boolean }) => session.current);
      return { credential, end: () => place.service.request({ method: 'DELETE', url: `${url}/${uuid}`, bearer }) };
    },
  ],
  [
    'all other sessions are ended',
    async (place) => {
      const [credential, bearer] = [await signIn(place), place.service.account.token];
      const url = '/api/v1/user/sessions';
      return { credential, end: () => place.service.request({ method: 'DELETE', url, bearer }) };
    },
  ],
  [
    'the password is changed',
    async ({ service }) => {
      const { token, password } = service.account;
      const json = { current_password: password, new_password: 'another good password' };
      const url = '/api/v1/user/change-password';
      return { credential: token, end: () => service.request({ method: 'POST', url, bearer: token, json }) };
    },
  ],
  [
    'the password is reset',
    async ({ service }) => {
      const { token, user, recoveryKey } = service.account;
      const json = { user, recovery_key: recoveryKey, new_password: 'another good password' };
      const url = '/api/v1/user/reset-password';
      return { credential: token, end: () => service.request({ method: 'POST', url, json }) };
    },
  ],
  [
    'its account is removed',
    async (place) => {
      const { uuid, token } = await join(place);
      const [url, bearer] = [`/api/v1/accounts/${uuid}`, place.service.account.token];
      return { credential: token, end: () => place.service.request({ method: 'DELETE', url, bearer }) };
    },
  ],
  [
    'the account that made its API key is removed',
    async (place) => {
      const { uuid, token } = await join(place);
      const json = { name: 'Program' };
      const made = await place.service.request({ method: 'POST', url: '/api/v1/apikeys', bearer: token, json });
      const [url, bearer] = [`/api/v1/accounts/${uuid}`, place.service.account.token];
      return {
        credential: made.body.data.key.key,
        end: () => place.service.request({ method: 'DELETE', url, bearer }),
      };
    },
  ],
];

describe('an open connection ends when', () => {
  it.each(ways)('%s', async (_name, prepare) => {
    const place = await begin();
    const { credential, end } = await prepare(place);
    const socket = await chat(place, credential);
    const hasEnded = await follow(place, credential);
    say(socket, 'Good morning');
    await eventually(() => expect(socket.frames.at(-1)).toMatchObject({ type: 'response', data: { is_final: true } }));

    expect(await end()).toMatchObject({ status: 200 });
    say(socket, 'still here');
    await eventually(() => expect([socket.code, hasEnded()]).toEqual([1008, true]));
    expect(socket.frames.at(-1)).toMatchObject({ type: 'error', reason: 'unauthorized' });
    const rows = await place.service.database.selectFrom('messages').select('message_chain').execute();
    expect(JSON.stringify(rows)).toContain('Good morning');
    expect(JSON.stringify(rows)).not.toContain('still here');
  });

  it('its API key expires', async () => {
    const place = await begin();
    const { key } = await place.service.createApiKey(['read', 'send'], secondsFromNow(3));
    const socket = await chat(place, key);
    const hasEnded = await follow(place, key);
    await eventually(() => expect([socket.code, hasEnded()]).toEqual([1008, true]));
  });

  it('its session expires', async () => {
    const place = await begin({ config: { tokenLifetimeSeconds: 3 } });
    const socket = await chat(place, place.service.account.token);
    const hasEnded = await follow(place, place.service.account.token);
    await eventually(() => expect([socket.code, hasEnded()]).toEqual([1008, true]));
  });

  it('another process resets the password', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const place = await begin();
    const { user, token } = place.service.account;
    const socket = await chat(place, token);
    const hasEnded = await follow(place, token);
    const administration = new AccountAdministration(new KyselyAccountStore(place.service.database));
    await administration.resetPassword(user, 'another good password');
    vi.advanceTimersByTime(15_000);
    await eventually(() => expect([socket.code, hasEnded()]).toEqual([1008, true]));
  });
});

describe('open connections', () => {
  it('stay with a credential that was not changed', async () => {
    const place = await begin();
    const [valid, revoked] = [await place.service.createApiKey(), await place.service.createApiKey()];
    const [socket, other] = [await chat(place, valid.key), await chat(place, revoked.key)];
    const bearer = place.service.account.token;
    await place.service.request({ method: 'DELETE', url: `/api/v1/apikeys/${revoked.id}`, bearer });
    await eventually(() => expect(other.code).toBe(1008));
    say(socket, 'Good morning');
    await eventually(() => expect(socket.frames.at(-1)).toMatchObject({ type: 'response' }));
  });

  it('are at most twenty for a caller', async () => {
    const place = await begin();
    const { key } = await place.service.createApiKey();
    const sockets = await Promise.all(Array.from({ length: 20 }, () => chat(place, key)));
    expect(sockets.map(({ frames }) => frames[0].type)).toEqual(sockets.map(() => 'connected'));
    const refused = await chat(place, key);
    expect(refused.frames).toMatchObject([{ type: 'error', reason: 'too_many_requests' }]);
    await eventually(() => expect(refused.code).toBe(1013));
    expect((await chat(place, place.service.account.token)).frames[0].type).toBe('connected');
    sockets[0]?.socket.close();
    await eventually(async () => expect((await chat(place, key)).frames[0].type).toBe('connected'));
  });

  it('are as many as the settings say', async () => {
    const place = await begin({ config: { maxSockets: 3, maxSocketsPerCaller: 2 } });
    const keys = await Promise.all([1, 2, 3].map(() => place.service.createApiKey()));
    const first = async (index: number) => (await chat(place, keys[index]?.key ?? '')).frames[0].type;
    expect([await first(0), await first(0), await first(0)]).toEqual(['connected', 'connected', 'error']);
    expect([await first(1), await first(2)]).toEqual(['connected', 'error']);
    expect(await follow(place, keys[2]?.key ?? '')).toBeTypeOf('function');
  });

  it('are pinged every 30 seconds, and cut off without an answer', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const place = await begin();
    const { key } = await place.service.createApiKey();
    const [alive, dead] = [await chat(place, key), await chat(place, key, false)];
    const pinged = Promise.all([once(alive.socket, 'ping'), once(dead.socket, 'ping')]);
    vi.advanceTimersByTime(30_000);
    await pinged;
    // The answer of the one that is alive has to arrive before the next ping.
    alive.socket.ping();
    await once(alive.socket, 'pong');
    vi.advanceTimersByTime(30_000);
    await eventually(() => expect(dead.code).toBe(1006));
    expect(alive.code).toBeNull();
    say(alive, 'Good morning');
    await eventually(() => expect(alive.frames.at(-1)).toMatchObject({ type: 'response' }));
  });
});
