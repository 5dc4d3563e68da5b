import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import type { ParleyError } from '@parley/sdk';
import { expect, it, test } from 'vitest';
import { channelRequest, collected, type RawPeer, rawPeer } from '../../../test/factories/channel-pair.ts';
import { eventually } from '../../../test/factories/eventually.ts';
import { frameKinds } from './frames.ts';

const idBytes = (id: number, ...bytes: number[]) => Buffer.from([0, 0, 0, 0, 0, id, ...bytes]);
const isRequest = (method: string) => (message: Record<string, unknown>) => message.method === method;

/** A channel with a request that waits, one that has failed, and one that the other side has sent and that streams. */
async function inConversation(): Promise<RawPeer & { pending: Promise<unknown> }> {
  const peer = rawPeer({
    answer: async ({ method }) => {
      if (method === 'ended') return { result: 1 };
      return {
        result: null,
        items: (async function* () {
          for (let number = 0; number < 1000; number += 1) yield number;
        })(),
      };
    },
  });
  const { result: pending } = peer.channel.open(channelRequest('pending'));
  pending.catch(() => undefined);
  const failed = peer.channel.open(channelRequest('failed'));
  peer.json({ id: 1, error: { code: 1, message: 'no' } });
  await failed.result.catch(() => undefined);
  peer.json({ id: 0, method: 'ended', params: {} });
  peer.json({ id: 1, method: 'stream', params: {} });
  await peer.next((message) => message.method === '$/item');
  return { ...peer, pending };
}

const breaches: Record<string, (peer: RawPeer) => void> = {
  'a header of 1 GB': ({ input }) => input.write(Buffer.from([0x40, 0, 0, 0, 0])),
  'text that is no frame': ({ input }) => input.write('Debugger attached.\nFor help, see the documentation\n'),
  'half a frame': ({ input }) => input.end(Buffer.from([0, 0, 0, 9, 0, 1])),
  'no JSON': ({ frame }) => frame(frameKinds.json, Buffer.from('{"jsonrpc":')),
  'an empty frame': ({ frame }) => frame(frameKinds.json, Buffer.alloc(0)),
  'bytes that are no UTF-8': ({ frame }) => frame(frameKinds.json, Buffer.from([0xff, 0xfe])),
  'deep JSON': ({ frame }) => frame(frameKinds.json, Buffer.from('['.repeat(100_000) + ']'.repeat(100_000))),
  'JSON 65 deep': ({ json }) => json({ id: 5, method: 'a', params: JSON.parse('['.repeat(64) + ']'.repeat(64)) }),
  'a list of messages': ({ frame }) => frame(frameKinds.json, Buffer.from('[{"jsonrpc":"2.0"}]')),
  'another version': ({ json }) => json({ jsonrpc: '1.0', id: 2, method: 'a' }),
  'a method that is no text': ({ json }) => json({ id: 2, method: 5 }),
  'a long method': ({ json }) => json({ id: 2, method: 'x'.repeat(1000) }),
  'a request with the id of another': ({ json }) => json({ id: 1, method: 'a' }),
  'a request with an id that is none': ({ json }) => json({ id: 'two', method: 'a' }),
  'a request without an id': ({ json }) => json({ id: null, method: 'a' }),
  'an unknown notification': ({ json }) => json({ method: 'window/showMessage', params: { id: 0 } }),
  'a notification of the library': ({ json }) => json({ method: '$/setTrace', params: { value: 'verbose' } }),
  'a notification without a name': ({ json }) => json({ method: '$/notify', params: {} }),
  'a response to no request': ({ json }) => json({ id: 77, result: {} }),
  'a response without an id': ({ json }) => json({ id: null, error: { code: 1, message: '' } }),
  'a response with both': ({ json }) => json({ id: 0, result: {}, error: { code: 1, message: '' } }),
  'a response with neither': ({ json }) => json({ id: 0 }),
  'bytes without the id of a request': ({ frame }) => frame(frameKinds.responseBytes, Buffer.from([1])),
  'bytes of a response to no request': ({ frame }) => frame(frameKinds.responseBytes, idBytes(50, 1)),
  'bytes of no request': ({ frame }) => frame(frameKinds.requestBytes, idBytes(50, 1)),
  'bytes before the response': ({ frame }) => frame(frameKinds.responseBytes, idBytes(0, 1)),
  'bytes of a request without bytes': ({ frame }) => frame(frameKinds.requestBytes, idBytes(1, 1)),
  'an item before the response': ({ json }) => json({ method: '$/item', params: { id: 0, item: 1 } }),
  'an item of a stream that was not announced': ({ json }) => {
    json({ id: 0, result: { value: 1, bytes: true } });
    json({ method: '$/item', params: { id: 0, item: 1 } });
  },
  'the end of a stream without a name': ({ json }) => json({ method: '$/end', params: { id: 0, stream: 'x' } }),
  'credit for what was not sent': ({ json }) =>
    json({ method: '$/credit', params: { id: 1, stream: 'items', items: 99, bytes: 1 } }),
  'credit that is negative': ({ json }) =>
    json({ method: '$/credit', params: { id: 1, stream: 'items', items: -1, bytes: -1 } }),
  'more items than credit': ({ json }) => {
    json({ id: 0, result: { value: 1, items: true } });
    for (let item = 0; item < 17; item += 1) json({ method: '$/item', params: { id: 0, item } });
  },
  'more bytes than credit': ({ json, frame }) => {
    json({ id: 0, result: { value: 1, bytes: true } });
    for (let part = 0; part < 5; part += 1) frame(frameKinds.responseBytes, Buffer.alloc(100_000).fill(0));
  },
};

test.each(Object.entries(breaches))('the connection is closed: %s', async (_, breach) => {
  const peer = await inConversation();
  breach(peer);
  const fault = await peer.channel.closed;
  expect(fault).toBeInstanceOf(Error);
  expect(fault?.name).toBe('ChannelFault');
  // A stream that broke its credit had been answered.
  const ending = await peer.pending.catch(({ reason }: ParleyError) => reason);
  expect([1, 'plugin_crashed']).toContain(ending);
  expect(peer.input.destroyed).toBe(true);
  expect(peer.output.destroyed).toBe(true);
});

const latecomers: Record<string, [counted: number, sent: (peer: RawPeer) => void]> = {
  'a second response': [1, ({ json }) => json({ id: 1, result: { value: 2 } })],
  'a second response, also an error': [1, ({ json }) => json({ id: 1, error: { code: 1, message: 'again' } })],
  'a confirmation that a request was cancelled': [
    0,
    ({ json }) => json({ id: 1, error: { code: -32800, message: '' } }),
  ],
  'bytes of a response that has ended': [1, ({ frame }) => frame(frameKinds.responseBytes, idBytes(1, 1))],
  'bytes of a request that has ended': [1, ({ frame }) => frame(frameKinds.requestBytes, idBytes(0, 1))],
  'an item of a request that has ended': [1, ({ json }) => json({ method: '$/item', params: { id: 1, item: 1 } })],
  'the end of a stream that has ended': [
    0,
    ({ json }) => json({ method: '$/end', params: { id: 1, stream: 'items' } }),
  ],
  'credit for a stream that has ended': [
    0,
    ({ json }) => json({ method: '$/credit', params: { id: 0, stream: 'items', items: 1, bytes: 1 } }),
  ],
  'cancelling what has ended': [0, ({ json }) => json({ method: '$/cancelRequest', params: { id: 0 } })],
  'cancelling what was never requested': [0, ({ json }) => json({ method: '$/cancelRequest', params: { id: 99 } })],
  'stopping bytes that are not sent': [0, ({ json }) => json({ method: '$/stop', params: { id: 0 } })],
  'a notification about a request that has ended': [
    0,
    ({ json }) => json({ method: '$/about', params: { id: 1, name: 'progress', parameters: {} } }),
  ],
};

test.each(Object.entries(latecomers))('what is late is dropped: %s', async (_, [counted, send]) => {
  const peer = await inConversation();
  send(peer);
  peer.json({ id: 0, result: { value: 'in time' } });
  expect(await peer.pending).toBe('in time');
  expect(peer.channel.lateResponses).toBe(counted);
});

test.each([
  ['a reason that there is not', { reason: 'gotcha' }, 'plugin_failed'],
  ['a reason that objects have', { reason: 'constructor' }, 'plugin_failed'],
  ['a reason of an outcome', { reason: 'stopped_by_plugin' }, 'plugin_failed'],
  ['no data', undefined, 'plugin_failed'],
  ['data that is none', 'text', 'plugin_failed'],
  ['a reason that there is', { reason: 'too_large', details: 'none' }, 'too_large'],
])('an error of the other side is bounded: %s', async (_, data, reason) => {
  const peer = await inConversation();
  peer.json({ id: 0, error: { code: 'x', message: `a\u0000${'b'.repeat(10_000)}`, data } });
  await expect(peer.pending).rejects.toMatchObject({ reason, message: `a\ufffd${'b'.repeat(1998)}` });
});

it('an error without a message has the text of its reason', async () => {
  const peer = await inConversation();
  peer.json({ id: 0, error: { code: 1, message: { no: 'text' } } });
  await expect(peer.pending).rejects.toThrow('The plugin reported an error.');
});

it('a request during one of another side, or of none, is during none', async () => {
  const seen: unknown[] = [];
  const peer = rawPeer({
    answer: async ({ during }) => {
      seen.push(during?.method ?? null);
      return { result: null };
    },
  });
  peer.channel.open(channelRequest('ours'));
  for (const [id, during] of [1, 99, -1, 'x', null, {}, 0].entries()) {
    peer.json({ id, method: 'host', params: { value: {}, during } });
  }
  await peer.next(({ id }) => id === 6);
  expect(seen).toEqual([null, null, null, null, null, null, 'ours']);
});

it('a flood of requests leaves half of the time, and is refused where it is too much', async () => {
  const peer = rawPeer({ limits: { incomingRequests: 2 }, answer: () => new Promise(() => undefined) });
  const frame = (id: number) => {
    const content = JSON.stringify({ jsonrpc: '2.0', id, method: 'a', params: { value: 'x'.repeat(100) } });
    const header = Buffer.alloc(5);
    header.writeUInt32BE(content.length);
    return Buffer.concat([header, Buffer.from(content)]);
  };
  const count = 20_000;
  for (let id = 0; id < count; id += 1) peer.input.write(frame(id));
  let longest = 0;
  let turns = 0;
  let before = processorMilliseconds();
  while (peer.received.at(-1)?.message.id !== count - 1) {
    await nextTurn();
    const now = processorMilliseconds();
    longest = Math.max(longest, now - before);
    before = now;
    turns += 1;
  }
  const refused = peer.received.filter(({ message }) => 'error' in message);
  expect(refused.length).toBe(count - 2);
  expect(refused[0]?.message).toMatchObject({ error: { data: { reason: 'plugin_busy' } } });
  expect(turns).toBeGreaterThan(20);
  expect(longest).toBeLessThan(500);
});

/** Of this thread: other work of the machine does not count. */
function processorMilliseconds(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

it('nothing more is read of a side that does not read the responses it causes', async () => {
  let answered = 0;
  const peer = rawPeer({
    limits: { bytesInFlight: 100_000, frameBytes: 20_000 },
    answer: async () => {
      answered += 1;
      return { result: null };
    },
  });
  peer.output.pause();
  for (let id = 0; id < 10_000; id += 1) peer.json({ id, method: 'a', params: {} });
  await eventually(() => answered).toBeGreaterThan(100);
  for (let before = 0; before !== answered; ) {
    before = answered;
    await delay(60);
  }
  expect(answered).toBeLessThan(5000);
  expect(peer.output.writableLength).toBeLessThan(100_000);
  peer.output.resume();
  await peer.next(({ id }) => id === 9_999);
});

it('items that come with the response are not lost', async () => {
  const peer = rawPeer({});
  const { items } = peer.channel.open(channelRequest('a'));
  peer.json({ id: 0, result: { value: null, items: true } });
  peer.json({ method: '$/item', params: { id: 0, item: 'one' } });
  peer.json({ method: '$/end', params: { id: 0, stream: 'items' } });
  expect(await collected(items)).toEqual(['one']);
  expect(peer.received.some(({ message }) => isRequest('$/cancelRequest')(message))).toBe(false);
});
