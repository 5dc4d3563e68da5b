import { expect, it } from 'vitest';
import { decodeFrame, encodeFrame } from './frame.ts';
import { Payloads } from './payloads.ts';
import { readFrame, writeFrame } from './testing/fake-frames.ts';
import { larkTests } from './testing/start-adapter.ts';

const start = larkTests();

it('keeps all fields of a frame for its acknowledgement', () => {
  const frame = {
    method: 1,
    service: 33,
    headers: { type: 'event', seq: '0' },
    payload: Buffer.from('{}'),
    sequence: 2 ** 52,
  };
  const read = decodeFrame(writeFrame(frame));
  expect(read).toMatchObject({ kind: 'data', service: 33, headers: frame.headers });
  expect(readFrame(encodeFrame({ ...read, payload: Buffer.from('{"code":200}') }))).toEqual({
    ...frame,
    payload: Buffer.from('{"code":200}'),
  });
});

it('writes a frame of its own with the required fields', () => {
  const ping = { kind: 'control', service: 33, headers: { type: 'ping' }, payload: new Uint8Array() } as const;
  expect(readFrame(encodeFrame(ping))).toMatchObject({
    method: 0,
    service: 33,
    headers: { type: 'ping' },
    sequence: 0,
  });
});

it.each([
  ['nothing of it', Buffer.from([255, 255, 255])],
  ['another kind', writeFrame({ method: 5, service: 1, headers: {}, payload: new Uint8Array() })],
  [
    'too many headers',
    writeFrame({
      method: 1,
      service: 1,
      headers: Object.fromEntries(Array.from({ length: 65 }, (_, index) => [`h${index}`, ''])),
      payload: new Uint8Array(),
    }),
  ],
])('does not read a frame with %s', (_, bytes) => {
  expect(() => decodeFrame(bytes)).toThrow();
});

it('joins the parts of an event in any order', () => {
  const payloads = new Payloads();
  const part = (seq: number, text: string, id = 'a', sum = 3) => ({
    headers: { message_id: id, sum: String(sum), seq: String(seq) },
    payload: Buffer.from(text),
  });
  expect(payloads.add(part(2, 'c'))).toBeNull();
  expect(payloads.add(part(0, 'x', 'b', 2))).toBeNull();
  expect(payloads.add(part(0, 'a'))).toBeNull();
  expect(payloads.add(part(0, 'a'))).toBeNull();
  expect(Buffer.from(payloads.add(part(1, 'b')) ?? []).toString()).toBe('abc');
  expect(() => payloads.add(part(7, 'x'))).toThrow();
  expect(() => payloads.add(part(0, 'x', 'c', 9999))).toThrow();
  expect(() => payloads.add({ ...part(0, 'x', 'd'), payload: Buffer.alloc(9 * 1024 * 1024) })).toThrow();
});

it('connects again when the platform is back, and takes what was written meanwhile', async () => {
  const { fake, context } = await start();
  await fake.goAway();
  const { id } = await fake.deliver({ text: 'While you were away' });
  await expect.poll(() => context.reports.at(-1)?.state).toBe('reconnecting');
  await fake.comeBack();
  await expect.poll(() => context.received.map(({ platform_message_id }) => platform_message_id)).toEqual([id]);
  expect(context.reports.at(-1)).toEqual({ state: 'connected' });
});

it('notices a connection that has fallen silent', async () => {
  const { fake } = await start();
  fake.halfOpen();
  await expect.poll(() => fake.connections().attempts, { timeout: 3000 }).toBe(2);
});

it('stops when the credentials are refused, without a storm', async () => {
  const { fake, context } = await start();
  fake.revoke();
  await expect.poll(() => context.reports.at(-1)).toMatchObject({ state: 'failed', reason: 'platform_unauthorized' });
  expect(fake.connections().attempts).toBe(2);
});
