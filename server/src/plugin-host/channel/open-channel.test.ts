import { setImmediate as nextTurn } from 'node:timers/promises';
import { ParleyError } from '@parley/sdk';
import { expect, it, test, vi } from 'vitest';
import { channelPair, channelRequest, collected } from '../../../test/factories/channel-pair.ts';
import { type ChannelOptions, channelLimits, type IncomingRequest } from './channel.ts';

async function* numbers(count: number): AsyncGenerator<number> {
  for (let number = 0; number < count; number += 1) yield number;
}
async function* chunks(count: number, size: number): AsyncGenerator<Uint8Array> {
  for (let number = 0; number < count; number += 1) yield Buffer.alloc(size, number);
}
const echo: ChannelOptions['answer'] = async ({ parameters }) => ({ result: parameters });
/** Answers once the request is cancelled. */
const untilCancelled: ChannelOptions['answer'] = ({ signal }) =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));

it('a request gets its result', async () => {
  const { near } = channelPair({ far: echo });
  const value = { text: 'ü\u0000\ud83d\ude00', list: [1, null, { deep: true }] };
  const results = [value, null, 'text', 0].map(
    (parameters) => near.open(channelRequest('echo', { parameters })).result,
  );
  expect(await Promise.all(results)).toEqual([value, null, 'text', 0]);
  const [nothing] = [channelPair({ far: async () => ({ result: undefined }) }).near.open(channelRequest('echo'))];
  expect(await nothing?.result).toBeNull();
});

it('requests go in both directions, during one another', async () => {
  const far = async ({ parameters, method }: IncomingRequest) => {
    if (method === 'inner') return { result: parameters };
    throw new Error('unknown');
  };
  const seen: unknown[] = [];
  const pair = channelPair({
    near: async (request) => {
      seen.push(request.during?.method ?? null);
      return { result: 'settings' };
    },
    far: async (request) => {
      if (request.method === 'inner') return far(request);
      const { result } = pair.far.open(channelRequest('host', { during: request }));
      return { result: [await result, request.parameters] };
    },
  });
  expect(await pair.near.open(channelRequest('outer', { parameters: 1 })).result).toEqual(['settings', 1]);
  expect(await pair.far.open(channelRequest('host')).result).toBe('settings');
  expect(seen).toEqual(['outer', null]);
});

it('a request during one that has ended is during none', async () => {
  let outer: IncomingRequest | null = null;
  const seen: unknown[] = [];
  const { near, far } = channelPair({
    near: async ({ during }) => {
      seen.push(during);
      return { result: null };
    },
    far: async (request) => {
      outer = request;
      return { result: null };
    },
  });
  await near.open(channelRequest('outer')).result;
  await far.open(channelRequest('host', { during: outer })).result;
  expect(seen).toEqual([null]);
});

test.each([
  ['a known reason', new ParleyError('conflict', 'No.'), { reason: 'conflict', message: 'No.' }],
  [
    'details',
    new ParleyError('invalid_request', 'No.', {
      details: [{ path: 'a', message: 'b', rule: 'c', limit: [1, 'd'] as never }],
    }),
    { details: [{ path: 'a', message: 'b', rule: 'c', limit: ['', 'd'] }] },
  ],
  ['a text that is long', new ParleyError('conflict', 'x'.repeat(5000)), { message: 'x'.repeat(2000) }],
  ['a text that no database keeps', new ParleyError('conflict', 'a\0b\ud800'), { message: 'a\ufffdb\ufffd' }],
  [
    'an error not thrown on purpose',
    new Error('secret'),
    { reason: 'internal', message: expect.not.stringMatching('secret') },
  ],
])('an error crosses: %s', async (_, error, expected) => {
  const { near } = channelPair({ far: () => Promise.reject(error) });
  await expect(near.open(channelRequest('fail')).result).rejects.toMatchObject(expected);
});

it('streams go both ways, after the result, with the error that ends them', async () => {
  const { near } = channelPair({
    far: async ({ bytes, method }) => ({
      result: 'first',
      items: method === 'fails' ? failing() : numbers(100),
      bytes,
    }),
  });
  async function* failing(): AsyncGenerator<number> {
    yield 1;
    throw new ParleyError('provider_failed', 'no more');
  }
  const open = near.open(channelRequest('streams', { bytes: chunks(40, 50_000) }));
  expect(await open.result).toBe('first');
  const [items, bytes] = await Promise.all([collected(open.items), collected(open.bytes)]);
  expect(items).toEqual(await collected(numbers(100)));
  expect(Buffer.concat(bytes).equals(Buffer.concat(await collected(chunks(40, 50_000))))).toBe(true);
  const fails = near.open(channelRequest('fails', { bytes: chunks(1, 1) }));
  const seen: unknown[] = [];
  await expect(
    (async () => {
      for await (const item of fails.items) seen.push(item);
    })(),
  ).rejects.toMatchObject({ reason: 'provider_failed', message: 'no more' });
  expect(seen).toEqual([1]);
});

it('the bytes of a request fail with their source, and stop when nobody reads them', async () => {
  async function* failing(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('a');
    throw new ParleyError('not_found', 'the file is gone');
  }
  const returned = vi.fn();
  async function* endless(): AsyncGenerator<Uint8Array> {
    try {
      for (;;) yield Buffer.alloc(1000);
    } finally {
      returned();
    }
  }
  const { near } = channelPair({
    far: async ({ method, bytes }) => {
      if (method === 'all') return { result: (await collected(bytes)).length };
      for await (const part of bytes) return { result: part.length };
      return { result: null };
    },
  });
  await expect(near.open(channelRequest('all', { bytes: failing() })).result).rejects.toMatchObject({
    reason: 'not_found',
  });
  expect(await near.open(channelRequest('first', { bytes: endless() })).result).toBe(1000);
  await vi.waitFor(() => expect(returned).toHaveBeenCalledOnce());
});

test.each(['items', 'bytes'] as const)('a stream of %s waits for its reader, and holds at most 1 MB', async (kind) => {
  let taken = 0;
  const returned = vi.fn();
  async function* endless(): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        taken += 10_000;
        yield Buffer.alloc(10_000, 65);
      }
    } finally {
      returned();
    }
  }
  async function* texts(): AsyncGenerator<string> {
    for await (const part of endless()) yield part.toString();
  }
  const { near, toNear } = channelPair({
    far: async () => ({ result: null, ...(kind === 'items' ? { items: texts() } : { bytes: endless() }) }),
  });
  const open = near.open(channelRequest('endless'));
  const stream: AsyncIterable<unknown> = open[kind];
  let read = 0;
  for await (const _ of stream) {
    read += 10_000;
    if (read === 500_000) {
      // The reader stops until nothing moves any more.
      for (let before = -1; before !== taken; await nextTurn()) {
        before = taken;
        for (let turn = 0; turn < 20; turn += 1) await nextTurn();
      }
      expect(taken - read).toBeGreaterThan(100_000);
      expect(taken - read).toBeLessThan(1_000_000);
      expect(toNear.readableLength).toBeLessThan(100_000);
    }
    if (read === 3_000_000) break;
  }
  await vi.waitFor(() => expect(returned).toHaveBeenCalledOnce());
  expect(taken - read).toBeLessThan(1_000_000);
});

it('a stalled stream does not hold up others', async () => {
  const { near } = channelPair({
    far: async ({ method, parameters }) =>
      method === 'stream' ? { result: null, bytes: chunks(10_000, 60_000) } : { result: parameters },
  });
  const stalled = Array.from({ length: 8 }, () => near.open(channelRequest('stream')));
  await Promise.all(stalled.map(({ result }) => result));
  for (let number = 0; number < 100; number += 1) {
    expect(await near.open(channelRequest('echo', { parameters: number })).result).toBe(number);
  }
});

it('a cancelled request tells the other side, and fails with the reason of the signal', async () => {
  const cancelled = Promise.withResolvers<unknown>();
  const { near } = channelPair({
    far: (request) => {
      request.signal.addEventListener('abort', () => cancelled.resolve(request.signal.reason));
      return untilCancelled(request);
    },
  });
  const controller = new AbortController();
  const { result, items } = near.open(channelRequest('wait', { signal: controller.signal }));
  await nextTurn();
  controller.abort(new ParleyError('reset', 'reset'));
  await expect(result).rejects.toMatchObject({ reason: 'reset' });
  await expect(collected(items)).rejects.toMatchObject({ reason: 'reset' });
  expect(await cancelled.promise).toMatchObject({ reason: 'cancelled' });
  await nextTurn();
  expect(near.lateResponses).toBe(0);
});

it('a request that was cancelled before sends nothing', async () => {
  const answer = vi.fn(echo);
  const { near } = channelPair({ far: answer });
  const reason = new ParleyError('cancelled', 'before');
  await expect(near.open(channelRequest('a', { signal: AbortSignal.abort(reason) })).result).rejects.toBe(reason);
  await near.open(channelRequest('b')).result;
  expect(answer).toHaveBeenCalledTimes(1);
});

it('a deadline cancels, and a result that comes later is dropped and counted', async () => {
  const release = Promise.withResolvers<void>();
  const { near } = channelPair({
    far: async ({ method }) => {
      if (method === 'slow') await release.promise;
      return { result: 'late' };
    },
  });
  await expect(near.open(channelRequest('slow', { timeoutMs: 10 })).result).rejects.toMatchObject({
    reason: 'plugin_timeout',
  });
  release.resolve();
  await near.open(channelRequest('other')).result;
  expect(near.lateResponses).toBe(1);
});

it('leaving a loop over a stream cancels the request', async () => {
  const cancelled = Promise.withResolvers<void>();
  const { near } = channelPair({
    far: async ({ signal }) => {
      signal.addEventListener('abort', () => cancelled.resolve());
      return { result: null, items: numbers(1000) };
    },
  });
  for await (const item of near.open(channelRequest('numbers')).items) if (item === 3) break;
  await cancelled.promise;
});

it('what is requested during a request ends with it', async () => {
  const ended = Promise.withResolvers<string>();
  const pair = channelPair({
    near: (request) => {
      request.signal.addEventListener('abort', () => ended.resolve(request.method));
      return untilCancelled(request);
    },
    far: async (request) => {
      pair.far.open(channelRequest('left-behind', { during: request }));
      return { result: null };
    },
  });
  await pair.near.open(channelRequest('outer')).result;
  expect(await ended.promise).toBe('left-behind');
});

it('more requests at once than allowed are refused, until others have ended', async () => {
  const release = Promise.withResolvers<void>();
  const { near } = channelPair({
    limits: { incomingRequests: 3 },
    far: async () => {
      await release.promise;
      return { result: 'done' };
    },
  });
  const requests = Array.from({ length: 5 }, () => near.open(channelRequest('wait')).result);
  for (const refused of requests.slice(3)) await expect(refused).rejects.toMatchObject({ reason: 'plugin_busy' });
  release.resolve();
  expect(await Promise.all(requests.slice(0, 3))).toEqual(['done', 'done', 'done']);
  expect(await near.open(channelRequest('wait')).result).toBe('done');
});

it('requests of more bytes than allowed are refused', async () => {
  const release = Promise.withResolvers<void>();
  const { near } = channelPair({
    limits: { bytesInFlight: 200_000, frameBytes: 100_000 },
    far: async () => {
      await release.promise;
      return { result: 'done' };
    },
  });
  const parameters = 'x'.repeat(60_000);
  const [first, second] = [1, 2].map(() => near.open(channelRequest('wait', { parameters })).result);
  await expect(second).rejects.toMatchObject({ reason: 'plugin_busy' });
  release.resolve();
  expect(await first).toBe('done');
});

it('what cannot be sent fails where it is sent, and nothing else does', async () => {
  const huge = 'x'.repeat(channelLimits.frameBytes);
  const deep = Array.from({ length: 70 }).reduce<unknown>((inner) => [inner], null);
  const { near } = channelPair({
    far: async ({ method, parameters }) => ({ result: { huge, deep, big: 1n }[method] ?? parameters }),
  });
  for (const parameters of [huge, deep, 1n]) {
    const request = channelRequest('echo', { parameters, bytes: chunks(1, 1) });
    await expect(near.open(request).result).rejects.toMatchObject({ reason: 'invalid_request' });
  }
  await expect(near.open(channelRequest('huge')).result).rejects.toMatchObject({ reason: 'too_large' });
  for (const method of ['deep', 'big']) {
    await expect(near.open(channelRequest(method)).result).rejects.toMatchObject({ reason: 'plugin_response_invalid' });
  }
  expect(await near.open(channelRequest('echo', { parameters: 1 })).result).toBe(1);
});

it('keys that pollute prototypes do not arrive', async () => {
  const { near } = channelPair({ far: echo });
  const parameters = JSON.parse(
    '{"a":{"__proto__":{"polluted":1},"b":[{"constructor":{"prototype":{"polluted":1}}}],"constructor":"kept","\\u0061":2}}',
  );
  const result = await near.open(channelRequest('echo', { parameters })).result;
  expect(result).toEqual({ a: { b: [{}], constructor: 'kept', a: 2 } });
  expect(Object.keys((result as { a: object }).a)).not.toContain('__proto__');
});

it('notifications arrive, in the order of requests', async () => {
  const seen: unknown[] = [];
  const { near, far } = channelPair({
    notified: (name, parameters) => seen.push([name, parameters]),
    far: async (request) => {
      request.notify('progress', { done: 1 });
      return { result: null };
    },
  });
  far.notify('log', { text: 'a' });
  const about: unknown[] = [];
  await near.open(channelRequest('work', { notified: (...all) => about.push(all) })).result;
  expect(seen).toEqual([['log', { text: 'a' }]]);
  expect(about).toEqual([['progress', { done: 1 }]]);
});

it('who is notified cannot break the connection', async () => {
  const { near, far } = channelPair({
    far: echo,
    notified: () => {
      throw new Error('of the service');
    },
  });
  far.notify('log', {});
  expect(await near.open(channelRequest('echo', { parameters: 1 })).result).toBe(1);
});

it('closing fails all requests, ends all streams, and leaves no timer or listener behind', async () => {
  const aborted: string[] = [];
  const returned = vi.fn();
  async function* endless(): AsyncGenerator<number> {
    try {
      for (let number = 0; ; number += 1) yield number;
    } finally {
      returned();
    }
  }
  const { near, far, toFar, toNear } = channelPair({
    far: (request) => {
      request.signal.addEventListener('abort', () => aborted.push(request.method));
      return request.method === 'stream'
        ? Promise.resolve({ result: null, items: endless() })
        : untilCancelled(request);
    },
  });
  const controller = new AbortController();
  const { signal } = controller;
  const add = vi.spyOn(signal, 'addEventListener');
  const remove = vi.spyOn(signal, 'removeEventListener');
  const set = vi.spyOn(globalThis, 'setTimeout');
  const clear = vi.spyOn(globalThis, 'clearTimeout');
  const pending = near.open(channelRequest('wait', { signal, timeoutMs: 60_000 }));
  const stream = near.open(channelRequest('stream', { signal, timeoutMs: 60_000 }));
  await stream.result;
  near.close();
  await expect(pending.result).rejects.toMatchObject({ reason: 'plugin_crashed' });
  await expect(collected(stream.items)).rejects.toMatchObject({ reason: 'plugin_crashed' });
  expect([await near.closed, await far.closed]).toEqual([null, null]);
  await vi.waitFor(() => expect(returned).toHaveBeenCalledOnce());
  expect(aborted.toSorted()).toEqual(['stream', 'wait']);
  expect(remove).toHaveBeenCalledTimes(add.mock.calls.length);
  const deadlines = set.mock.results.filter((_, index) => set.mock.calls[index]?.[1] === 60_000);
  expect(deadlines.length).toBe(2);
  const cleared = new Set<unknown>(clear.mock.calls.map(([timer]) => timer));
  expect(deadlines.every(({ value }) => cleared.has(value))).toBe(true);
  set.mockRestore();
  clear.mockRestore();
  for (const end of [toFar, toNear]) {
    expect(end.destroyed || end.writableEnded).toBe(true);
    expect([end.listenerCount('data'), end.listenerCount('drain')]).toEqual([0, 0]);
  }
  await expect(near.open(channelRequest('later')).result).rejects.toMatchObject({ reason: 'plugin_crashed' });
  expect(() => near.notify('log', {})).not.toThrow();
});

it('messages wait for a side that does not read, within bounds', async () => {
  const { near, toFar } = channelPair({
    limits: { bytesInFlight: 4 << 20, frameBytes: 1 << 20 },
    far: async () => ({ result: 1 }),
  });
  toFar.pause();
  const parameters = 'x'.repeat(900_000);
  const results = Array.from({ length: 12 }, () => near.open(channelRequest('a', { parameters })).result);
  await nextTurn();
  expect(toFar.writableLength).toBeGreaterThan(2 << 20);
  expect(toFar.writableLength).toBeLessThan(4 << 20);
  toFar.resume();
  expect(await Promise.all(results)).toEqual(results.map(() => 1));
});
