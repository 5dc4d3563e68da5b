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
const states = ({ reports }: FakePlatformContext) => reports.map(({ state }) => state);

/** Has the service fetch the files of the messages that arrived. @returns the content of each */
async function fetched({ adapter, context }: Awaited<ReturnType<typeof start>>): Promise<string[]> {
  const contents: string[] = [];
  for (const { name, value } of context.received.flatMap(({ media = [] }) => media)) {
    const content = await adapter.fetchMedia?.(JSON.parse(JSON.stringify(value)), AbortSignal.timeout(5000));
    const { path } = await context.storeMedia(name, content as AsyncIterable<Uint8Array>);
    contents.push(Buffer.from(context.media.get(path)?.bytes ?? []).toString());
  }
  return contents;
}

describe('files', () => {
  const photo = (id: string, size: number) => ({
    photo: [{ ...fileFields(id, size), width: 90, height: 90 }],
    text: undefined as never,
  });
  const elements = ({ received }: FakePlatformContext) => received.map(({ message_chain }) => message_chain.at(-1));

  it('are named in the chain, and fetched after the message was stored', async () => {
    fake.addFile('p', Buffer.from('a picture'), 'photos/file 1.jpg');
    const started = await start();
    const { context } = started;
    const message = incoming({ photo: [{ ...fileFields('p', 9), width: 90, height: 90 }], caption: 'Look' });
    fake.deliver(message);
    await eventually(() => context.received).toHaveLength(1);
    expect(context.received[0]?.message_chain.slice(1)).toEqual([
      { type: 'Plain', text: 'Look' },
      { type: 'Image', image_id: 'p' },
    ]);
    expect(await fetched(started)).toEqual(['a picture']);
    expect(context.media.get('media-1')?.name).toBe(`photo-${message.message_id}.jpg`);
  });

  it.each<[string, (id: string) => void, string]>([
    ['are gone', () => undefined, 'not_found'],
    ['are too large for Telegram', (id) => fake.addFile(id, Buffer.alloc(20 * 1024 * 1024 + 1)), 'not_found'],
    ['are not provided', (id) => fake.addFile(id, Buffer.from('x'), '/var/lib/telegram/x'), 'not_found'],
    ['are refused', () => fake.fail('getFile', { kind: 'error', code: 403, description: 'Forbidden' }), 'not_found'],
    [
      'cannot be downloaded',
      (id) => {
        fake.addFile(id, Buffer.from('x'));
        fake.fail('file', { kind: 'page', status: 404 });
      },
      'not_found',
    ],
  ])('that %s are not fetched again', async (_, prepare, reason) => {
    prepare('p');
    const started = await start();
    fake.deliver(incoming(photo('p', 5)));
    await eventually(() => elements(started.context)).toEqual([{ type: 'Image', image_id: 'p' }]);
    await expect(fetched(started)).rejects.toMatchObject({ reason });
    expect(states(started.context)).toEqual([]);
  });

  it('that Telegram names as too large are not called for', async () => {
    const started = await start();
    fake.deliver(incoming({ document: fileFields('d', 21 * 1024 * 1024) }));
    await eventually(() => started.context.received).toHaveLength(1);
    await expect(fetched(started)).rejects.toMatchObject({ reason: 'too_large' });
    expect(fake.callsOf('getFile')).toHaveLength(0);
  });

  it('that are too large for the service are left', async () => {
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
    const started = await start({ context: { storeMedia } });
    fake.deliver(incoming(photo('p', 100_000)));
    await eventually(() => started.context.received).toHaveLength(1);
    await expect(fetched(started)).rejects.toMatchObject({ reason: 'too_large' });
    expect(left).toBe(true);
  });

  it('that fail temporarily can be fetched again', async () => {
    fake.addFile('p', Buffer.from('a picture'));
    fake.fail('getFile', { kind: 'error', code: 500, description: 'Internal Server Error' });
    const started = await start();
    fake.deliver(incoming(photo('p', 9)));
    await eventually(() => started.context.received).toHaveLength(1);
    await expect(fetched(started)).rejects.not.toHaveProperty('reason');
    fake.fail('file', { kind: 'page', status: 503 });
    await expect(fetched(started)).rejects.not.toHaveProperty('reason');
    fake.fail('file', { kind: 'closed' });
    await expect(fetched(started)).rejects.not.toHaveProperty('reason');
    expect(await fetched(started)).toEqual(['a picture']);
    // Downloads do not affect the connection status.
    expect(states(started.context)).toEqual([]);
  });

  it('are no longer fetched when the service stops waiting', async () => {
    fake.addFile('p', Buffer.from('a picture'));
    fake.fail('file', { kind: 'silence' });
    const { adapter, context } = await start();
    fake.deliver(incoming(photo('p', 9)));
    await eventually(() => context.received).toHaveLength(1);
    const ended = new AbortController();
    const content = await adapter.fetchMedia?.({ file_id: 'p', size: 9 }, ended.signal);
    const read = context.storeMedia('p', content as AsyncIterable<Uint8Array>);
    await eventually(() => fake.callsOf('getFile')).toHaveLength(1);
    ended.abort();
    await expect(read).rejects.toBeInstanceOf(Error);
  });

  it('do not give the token away', async () => {
    const secret = fake.token.split(':')[1] as string;
    const lines: unknown[] = [];
    const logger = Object.fromEntries(
      ['debug', 'info', 'warn', 'error'].map((level) => [level, (...line: unknown[]) => lines.push(line)]),
    ) as never;
    fake.fail('getFile', { kind: 'error', code: 400, description: `Bad Request: ${fake.token}` });
    fake.fail('getUpdates', { kind: 'error', code: 500, description: `No ${fake.token}` });
    const started = await start({ context: { logger } });
    const { context } = started;
    fake.deliver(incoming({ ...photo('p', 9), from: ada }));
    await eventually(() => context.received).toHaveLength(1);
    await eventually(() => context.reports.length).toBeGreaterThan(1);
    lines.push(await fetched(started).catch((error: unknown) => error));
    const told = JSON.stringify([lines, context.received, context.reports], (_, value) =>
      value instanceof Error ? `${value.stack}${JSON.stringify(value.cause)}` : value,
    );
    expect(told).toContain('No …');
    expect(told).not.toContain(secret);
  });
});
