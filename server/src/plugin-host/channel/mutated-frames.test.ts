import { PassThrough } from 'node:stream';
import { ParleyError } from '@parley/sdk';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { channelRequest, collected } from '../../../test/factories/channel-pair.ts';
import { runsTried } from '../../../test/shared/looks-closely.ts';
import { channelLimits } from './channel.ts';
import { binaryFrame, frameKinds, jsonFrame } from './frames.ts';
import { openChannel } from './open-channel.ts';

const numRuns = runsTried(5000);
const inherited = Object.getOwnPropertyNames(Object.prototype);

const json = (message: object) => jsonFrame(JSON.stringify({ jsonrpc: '2.0', ...message }));

/** What a plugin sends in a conversation in which the server has sent two requests, of which one streams. */
const conversation = [
  json({ method: '$/notify', params: { name: 'log', parameters: { level: 'info', text: 'a line' } } }),
  json({ id: 0, method: 'storage_get', params: { value: { key: 'a' }, during: 0 } }),
  json({ method: '$/about', params: { id: 0, name: 'progress', parameters: { done: 1, total: 2 } } }),
  json({ id: 0, result: { value: { text: 'result' }, items: true, bytes: true } }),
  json({ method: '$/item', params: { id: 0, item: { type: 'text', text: 'an item' } } }),
  binaryFrame(frameKinds.responseBytes, 0, Buffer.from('some bytes')),
  json({ method: '$/credit', params: { id: 1, stream: 'request', items: 1, bytes: 5 } }),
  json({ id: 1, method: 'upload', params: { value: {}, bytes: true } }),
  binaryFrame(frameKinds.requestBytes, 1, Buffer.from('more bytes')),
  json({ method: '$/end', params: { id: 1, stream: 'request' } }),
  json({ method: '$/end', params: { id: 0, stream: 'items', error: { code: 1, message: 'no', data: {} } } }),
  json({ method: '$/end', params: { id: 0, stream: 'bytes' } }),
  json({ method: '$/stop', params: { id: 1 } }),
  json({ method: '$/cancelRequest', params: { id: 1 } }),
  json({ id: 1, error: { code: -32_000, message: 'no', data: { reason: 'conflict', details: [] } } }),
];

/** Sends bytes in chunks to a channel with open requests, then the end; checks that everything ends as it should. */
async function survives(bytes: Buffer, chunkSizes: readonly number[]): Promise<Error | null> {
  const input = new PassThrough();
  const output = new PassThrough();
  output.resume();
  const channel = openChannel({
    input,
    output,
    limits: { ...channelLimits, frameBytes: 1 << 16, bytesInFlight: 1 << 18 },
    answer: async (request) => ({ result: (await collected(request.bytes)).length, bytes: request.bytes }),
    notified: () => undefined,
  });
  const sent = [
    channel.open(channelRequest('tool')),
    channel.open(channelRequest('parser', { bytes: new Blob(['bytes']).stream() })),
  ];
  const endings = sent.flatMap(({ result, items, bytes: streamed }) => [result, collected(items), collected(streamed)]);
  const settled = Promise.allSettled(endings);
  let start = 0;
  for (let turn = 0; start < bytes.length && !input.destroyed; turn += 1) {
    const size = chunkSizes[turn % chunkSizes.length] ?? bytes.length;
    input.write(bytes.subarray(start, start + size));
    start += size;
  }
  if (!input.destroyed) input.end();
  const fault = await channel.closed;
  for (const ending of await settled) {
    if (ending.status === 'rejected') expect(ending.reason).toBeInstanceOf(ParleyError);
  }
  if (fault !== null) expect(fault.name).toBe('ChannelFault');
  return fault;
}

const sizes = fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 1, maxLength: 5 });
const whole = Buffer.concat(conversation);

it('the conversation itself is free of faults, wherever its chunks end', async () => {
  for (const size of [1, 2, 3, 7, whole.length]) expect(await survives(whole, [size])).toBeNull();
});

it('a conversation with changed bytes faults at most its connection', { timeout: 300_000 }, async () => {
  let faults = 0;
  const changes = fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { minLength: 1, maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(changes, sizes, async (changed, chunkSizes) => {
      const bytes = Buffer.from(whole);
      for (const [at, byte] of changed) bytes[at] = byte;
      if ((await survives(bytes, chunkSizes)) !== null) faults += 1;
    }),
    { numRuns },
  );
  expect(faults).toBeGreaterThan(numRuns / 10);
  expect(faults).toBeLessThan(numRuns);
});

/** A frame of the conversation, perhaps with another value somewhere, or noise. */
const frame = fc.oneof(
  fc.constantFrom(...conversation),
  fc.tuple(fc.constantFrom(...conversation), fc.nat(9), fc.jsonValue({ maxDepth: 2 })).map(([valid, place, value]) => {
    if (valid[4] !== frameKinds.json) return valid;
    const message: Record<string, unknown> = JSON.parse(valid.subarray(5).toString());
    const inner = (message.params ?? message.result ?? message.error) as Record<string, unknown>;
    const fields = place % 2 === 0 ? message : inner;
    const names = Object.keys(fields);
    fields[names[place % names.length] ?? 'more'] = value;
    return json(message);
  }),
  fc.tuple(fc.nat(3), fc.uint8Array({ maxLength: 30 })).map(([kind, content]) => {
    const noise = Buffer.from([0, 0, 0, content.length, kind, ...content]);
    return noise;
  }),
);

it('frames in any order, with any values, fault at most their connection', { timeout: 300_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(frame, { maxLength: 20 }), sizes, async (frames, chunkSizes) => {
      await survives(Buffer.concat(frames), chunkSizes);
    }),
    { numRuns },
  );
  expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(inherited);
});
