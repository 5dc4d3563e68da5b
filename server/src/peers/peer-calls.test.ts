import { once } from 'node:events';
import { createServer, connect as openSocket, type Socket } from 'node:net';
import { problemError } from '@parley/sdk';
import Type from 'typebox';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { IncomingCall } from '../core/replicas/peer-calls.ts';
import { callWindow, maximumBody } from './peer-server.ts';
import { type CallHead, digestOf, signedHead } from './signed-calls.ts';
import { type Peer, Peers } from './testing/peers.ts';

let peers: Peers;
let one: Peer;
let two: Peer;
/** What was done at the second replica. */
let done: { payload: unknown; call: Omit<IncomingCall, 'signal'> }[];

beforeEach(async () => {
  peers = new Peers();
  [one, two] = [await peers.add('one'), await peers.add('two')];
  done = [];
  two.handlers.add('note', Type.Object({ text: Type.String() }), async (payload, { from, principal }) => {
    done.push({ payload, call: { from, principal } });
    return { noted: done.length };
  });
});
afterEach(() => peers.close());

const principal = { kind: 'user', id: 'account' } as const;

function note(text = 'hello', options: { signal?: AbortSignal } = {}): Promise<unknown> {
  return one.client.call('two', 'note', { text }, { principal, ...options });
}

describe('a call', () => {
  it('reaches the other replica with its principal, and brings the result', async () => {
    expect(await note('Grüße 😀')).toEqual({ noted: 1 });
    expect(done).toEqual([{ payload: { text: 'Grüße 😀' }, call: { from: 'one', principal } }]);
  });

  it('brings the error of the other replica with its reason, code and parameters', async () => {
    two.handlers.add('fail', Type.Null(), async () => {
      throw problemError('part_delivered', { part: '2' }, { retryAfterSeconds: 7 });
    });
    two.handlers.add('break', Type.Null(), async () => {
      throw new Error('the password is hunter2');
    });
    await expect(one.client.call('two', 'fail', null, { principal })).rejects.toMatchObject({
      reason: 'conflict',
      message: 'Part 2 was delivered',
      problem: { code: 'part_delivered', parameters: { part: '2' } },
      retryAfterSeconds: 7,
    });
    const unexpected = await one.client.call('two', 'break', null, { principal }).catch((error: unknown) => error);
    expect(unexpected).toMatchObject({ reason: 'internal' });
    expect(String(unexpected)).not.toContain('hunter2');
  });

  it('is unreachable, with a time to try again, when nothing was sent', async () => {
    const unreachable = { reason: 'not_ready', problem: { code: 'replica_unreachable' }, retryAfterSeconds: 10 };
    await expect(one.client.call('three', 'note', {}, { principal })).rejects.toMatchObject(unreachable);
    await two.server.close(0);
    await expect(note()).rejects.toMatchObject(unreachable);
  });

  it.each([
    ['that is not known there', 'nothing', {}],
    ['whose payload another version made', 'note', { words: 'hello' }],
  ])('%s is refused without an effect', async (_, name, payload) => {
    await expect(one.client.call('two', name, payload, { principal })).rejects.toMatchObject({
      problem: { code: 'replica_unreachable' },
    });
    expect(done).toEqual([]);
  });

  it('is uncertain when the connection is lost after it was sent', async () => {
    const begun = Promise.withResolvers<void>();
    two.handlers.add('stay', Type.Null(), async (_payload, call) => {
      begun.resolve();
      await once(call.signal, 'abort');
    });
    const call = one.client.call('two', 'stay', null, { principal });
    await begun.promise;
    const cut = expect(call).rejects.toMatchObject({ reason: 'uncertain', problem: { code: 'replica_cut_off' } });
    await two.server.close(0);
    await cut;
  });

  it('is uncertain when the other replica accepts it and says nothing, and ends in time', async () => {
    const silent = createServer(() => undefined).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as { port: number };
    const hasty = await peers.add('hasty', { answerMs: 100 });
    peers.addresses.set('two', `http://127.0.0.1:${port}`);
    await expect(hasty.client.call('two', 'note', { text: 'x' }, { principal })).rejects.toMatchObject({
      problem: { code: 'replica_cut_off' },
    });
    silent.close();
  });

  it('is aborted there when its caller leaves', async () => {
    const left = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    two.handlers.add('stay', Type.Null(), async (_payload, { signal }) => {
      begun.resolve();
      await once(signal, 'abort');
      left.resolve();
    });
    const caller = new AbortController();
    const call = one.client.call('two', 'stay', null, { principal, signal: caller.signal });
    await begun.promise;
    caller.abort(new Error('gone'));
    await expect(call).rejects.toThrow('gone');
    await left.promise;
  });

  it.each([
    ['unsigned', 'HTTP/1.1 200 OK\r\ncontent-length: 13\r\n\r\n{"result": 1}'],
    ['no HTTP', '\0\x01\xff\xfe hello\r\n\r\n'],
    ['cut off', 'HTTP/1.1 200 OK\r\ncontent-length: 9999\r\n\r\n{"res'],
  ])('takes no answer that is %s', async (_, answer) => {
    const forger = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => socket.end(answer));
    }).listen(0, '127.0.0.1');
    await once(forger, 'listening');
    const { port } = forger.address() as { port: number };
    peers.addresses.set('two', `http://127.0.0.1:${port}`);
    await expect(note()).rejects.toMatchObject({ problem: { code: 'replica_cut_off' } });
    forger.close();
  });
});

/** A call by hand. */
function headOf(body: string, changes: Partial<CallHead> = {}): CallHead {
  const bytes = Buffer.from(body);
  const nonce = `nonce ${Math.random()}`;
  const [digest, length] = [digestOf(bytes), bytes.length];
  return { from: 'one', to: 'two', principal, name: 'note', time: peers.time, nonce, digest, length, ...changes };
}

function post(headers: Record<string, string>, body: string): Promise<Response> {
  return fetch(`${two.address}/call`, { method: 'POST', headers, body });
}

describe('a replica refuses without an effect', () => {
  const body = JSON.stringify({ text: 'hello' });
  afterEach(() => expect(done).toEqual([]));

  it('a call of a sender without the key', async () => {
    expect((await post(signedHead(Buffer.alloc(32), headOf(body)), body)).status).toBe(401);
    expect((await post({}, body)).status).toBe(401);
  });

  it.each(['parley-call', 'parley-signature'] as const)('a changed %s', async (name) => {
    const headers = signedHead(peers.key, headOf(body));
    const text = headers[name] ?? '';
    headers[name] = (text.startsWith('A') ? 'B' : 'A') + text.slice(1);
    expect((await post(headers, body)).status).toBe(401);
    headers[name] = '';
    expect((await post(headers, body)).status).toBe(401);
  });

  it('a changed body', async () => {
    expect((await post(signedHead(peers.key, headOf(body)), body.replace('hello', 'jello'))).status).toBe(400);
  });

  it('a call for another replica, as one that was started before', async () => {
    expect((await post(signedHead(peers.key, headOf(body, { to: 'three' })), body)).status).toBe(421);
  });

  it.each([-callWindow - 1, callWindow + 1])('a call that is %i ms off', async (off) => {
    expect((await post(signedHead(peers.key, headOf(body, { time: peers.time + off })), body)).status).toBe(401);
  });

  it('a signed head that is none', async () => {
    // Another version may write it.
    const head = { ...headOf(body), further: true } as CallHead;
    expect((await post(signedHead(peers.key, head), body)).status).toBe(401);
  });

  it('a body that is larger than may be, before it is read', async () => {
    const head = headOf(body, { length: maximumBody + 1 });
    const { status } = await fetch(`${two.address}/call`, {
      method: 'POST',
      headers: signedHead(peers.key, head),
      body,
    });
    expect(status).toBe(413);
  });

  it('a body that is no JSON', async () => {
    for (const text of ['', '{"text":', '\0\x7f', '[[[[']) {
      expect((await post(signedHead(peers.key, headOf(text)), text)).status).toBe(400);
    }
  });

  it('a body that is not complete', async () => {
    const { port } = new URL(two.address);
    const socket = openSocket(Number(port), '127.0.0.1');
    const headers = Object.entries(signedHead(peers.key, headOf(body))).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.end(`POST /call HTTP/1.1\r\nhost: a\r\ncontent-length: ${body.length}\r\n${headers.join('')}\r\n{"text"`);
    await closed(socket);
  });

  it('what is no HTTP', async () => {
    const { port } = new URL(two.address);
    for (const bytes of [
      '\0'.repeat(1000),
      'GET / HTTP/9.9\r\n\r\n',
      `POST /call HTTP/1.1\r\nx: ${'y'.repeat(9000)}\r\n\r\n`,
    ]) {
      const socket = openSocket(Number(port), '127.0.0.1');
      socket.write(bytes);
      await closed(socket);
    }
    // It goes on.
    expect((await post({}, body)).status).toBe(401);
  });
});

it('a call that is repeated takes effect once, also when both arrive together', async () => {
  const body = JSON.stringify({ text: 'hello' });
  const headers = signedHead(peers.key, headOf(body));
  const statuses = await Promise.all([1, 2, 3].map(async () => (await post(headers, body)).status));
  expect(statuses.toSorted()).toEqual([200, 409, 409]);
  expect((await post(headers, body)).status).toBe(409);
  expect(done).toHaveLength(1);
});

it('a call that was changed on its way can still arrive', async () => {
  const body = JSON.stringify({ text: 'hello' });
  const headers = signedHead(peers.key, headOf(body));
  expect((await post(headers, body.replace('hello', 'jello'))).status).toBe(400);
  expect((await post(headers, body)).status).toBe(200);
});

it('large messages arrive', async () => {
  const text = 'x'.repeat(10 * 1024 * 1024);
  expect(await note(text)).toEqual({ noted: 1 });
});

it('a server that stops waits for the calls that run', async () => {
  const begun = Promise.withResolvers<void>();
  const go = Promise.withResolvers<void>();
  two.handlers.add('work', Type.Null(), async () => {
    begun.resolve();
    await go.promise;
    return 'worked';
  });
  const call = one.client.call('two', 'work', null, { principal });
  await begun.promise;
  const closing = two.server.close(10_000);
  go.resolve();
  expect(await call).toBe('worked');
  await closing;
});

it('logs what it refuses, without what was in it', async () => {
  const body = JSON.stringify({ text: 'a secret' });
  await post(signedHead(peers.key, headOf(body, { to: 'three' })), body);
  await vi.waitFor(() => expect(two.logged.join()).toContain('other_addressee'));
  expect(two.logged.join()).not.toContain('a secret');
});

async function closed(socket: Socket): Promise<void> {
  socket.on('error', () => undefined);
  socket.resume();
  await once(socket, 'close');
}
