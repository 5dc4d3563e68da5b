import { ParleyError, type PlatformAdapter } from '@parley/sdk';
import type { FakePlatformContext } from '@parley/sdk/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FakeTelegram, startFakeTelegram } from './testing/fake-telegram.ts';
import { ada, fileFields, incoming } from './testing/fixtures.ts';
import { type AdapterOptions, createAdapter } from './testing/start-adapter.ts';

/** Waits for a condition, also on a slow machine. */
const eventually = <Value>(actual: () => Value) => expect.poll(actual, { timeout: 10_000 });

let fake: FakeTelegram;
const adapters: PlatformAdapter[] = [];
beforeEach(async () => {
  fake = await startFakeTelegram();
});
afterEach(async () => {
  await Promise.all(adapters.splice(0).map((adapter) => adapter.stop()));
  await fake.close();
});

async function start(options: AdapterOptions = {}) {
  const created = await createAdapter(fake, options);
  adapters.push(created.adapter);
  await created.adapter.start();
  return created;
}
const say = (text: string, over: object = {}) => incoming({ text, ...over });
const texts = ({ received }: FakePlatformContext) =>
  received.map(({ message_chain }) => (message_chain.at(-1) as { text?: string }).text);
const states = ({ reports }: FakePlatformContext) => reports.map(({ state }) => state);

describe('files', () => {
  const photo = (id: string, size: number) => ({
    photo: [{ ...fileFields(id, size), width: 90, height: 90 }],
    text: undefined as never,
  });
  const elements = ({ received }: FakePlatformContext) => received.map(({ message_chain }) => message_chain.at(-1));

  it('are stored, and named in the chain', async () => {
    fake.addFile('p', Buffer.from('a picture'), 'photos/file 1.jpg');
    const { context } = await start();
    const message = incoming({ photo: [{ ...fileFields('p', 9), width: 90, height: 90 }], caption: 'Look' });
    fake.deliver(message);
    await eventually(() => context.received).toHaveLength(1);
    expect(context.received[0]?.message_chain.slice(1)).toEqual([
      { type: 'Plain', text: 'Look' },
      { type: 'Image', image_id: 'p', path: 'media-1' },
    ]);
    const stored = context.media.get('media-1');
    expect(Buffer.from(stored?.bytes ?? []).toString()).toBe('a picture');
    expect(stored?.name).toBe(`photo-${message.message_id}.jpg`);
    // A message that comes again brings no second copy.
    fake.deliver(message);
    fake.deliver(say('after'));
    await eventually(() => texts(context)).toContain('after');
    expect(context.media.size).toBe(1);
  });

  it.each<[string, (id: string) => void]>([
    ['are gone', () => undefined],
    ['are too large for Telegram', (id) => fake.addFile(id, Buffer.alloc(20 * 1024 * 1024 + 1))],
    ['are not provided', (id) => fake.addFile(id, Buffer.from('x'), '/var/lib/telegram/x')],
    ['are empty', (id) => fake.addFile(id, Buffer.alloc(0))],
    ['are refused', () => fake.fail('getFile', { kind: 'error', code: 403, description: 'Forbidden' })],
  ])('that %s leave the message without them', async (_, prepare) => {
    prepare('p');
    const storeMedia: FakePlatformContext['storeMedia'] = async (_name, content) => {
      for await (const chunk of content) if (chunk.length > 0) throw new Error('not expected');
      throw new ParleyError('empty_file', 'The file is empty');
    };
    const { context } = await start({ context: { storeMedia } });
    fake.deliver(incoming(photo('p', 5)));
    await eventually(() => elements(context)).toEqual([{ type: 'Image', image_id: 'p' }]);
    expect(fake.callsOf('getFile')).toHaveLength(1);
    expect(states(context)).toEqual([]);
  });

  it('that are too large for us leave the message without them', async () => {
    fake.addFile('p', Buffer.alloc(100_000));
    let left = false;
    const storeMedia: FakePlatformContext['storeMedia'] = async (_name, content) => {
      try {
        for await (const _ of content) throw new ParleyError('too_large', 'The file is too large');
      } finally {
        left = true;
      }
      throw new Error('not reached');
    };
    const { context } = await start({ context: { storeMedia } });
    fake.deliver(incoming(photo('p', 100_000)));
    fake.deliver(incoming({ document: fileFields('d', 21 * 1024 * 1024) }));
    await eventually(() => elements(context)).toHaveLength(2);
    expect(elements(context)).toEqual([
      { type: 'Image', image_id: 'p' },
      { type: 'File', id: 'd', name: expect.stringMatching(/^document-/), size: 21 * 1024 * 1024 },
    ]);
    expect(left).toBe(true);
    expect(fake.callsOf('getFile')).toHaveLength(1);
  });

  it('that fail temporarily are fetched again before the message is taken', async () => {
    fake.addFile('p', Buffer.from('a picture'));
    fake.fail('getFile', { kind: 'error', code: 500, description: 'Internal Server Error' });
    fake.fail('file', { kind: 'page', status: 503 });
    fake.fail('file', { kind: 'closed' });
    const { context } = await start();
    fake.deliver(incoming(photo('p', 9)));
    await eventually(() => elements(context)).toEqual([{ type: 'Image', image_id: 'p', path: 'media-1' }]);
    expect(context.received).toHaveLength(1);
    // Downloads do not affect the connection status.
    expect(states(context)).toEqual([]);
  });

  it('that keep failing do not hold up the chat for ever', async () => {
    fake.addFile('p', Buffer.from('a picture'));
    fake.fail('file', { kind: 'page', status: 503 }, 100);
    const { context } = await start();
    fake.deliver(incoming(photo('p', 9)));
    fake.deliver(say('Hello?'));
    await eventually(() => elements(context)).toEqual([
      { type: 'Image', image_id: 'p' },
      { type: 'Plain', text: 'Hello?' },
    ]);
  });

  it('do not give the token away', async () => {
    const secret = fake.token.split(':')[1] as string;
    const lines: unknown[] = [];
    const logger = Object.fromEntries(
      ['debug', 'info', 'warn', 'error'].map((level) => [level, (...line: unknown[]) => lines.push(line)]),
    ) as never;
    fake.fail('getFile', { kind: 'error', code: 400, description: `Bad Request: ${fake.token}` });
    fake.fail('getUpdates', { kind: 'error', code: 500, description: `No ${fake.token}` });
    const { context } = await start({ context: { logger } });
    fake.deliver(incoming({ ...photo('p', 9), from: ada }));
    await eventually(() => context.received).toHaveLength(1);
    await eventually(() => context.reports.length).toBeGreaterThan(1);
    const told = JSON.stringify([lines, context.received, context.reports], (_, value) =>
      value instanceof Error ? `${value.stack}${JSON.stringify(value.cause)}` : value,
    );
    expect(told).toContain('No …');
    expect(told).not.toContain(secret);
  });
});
