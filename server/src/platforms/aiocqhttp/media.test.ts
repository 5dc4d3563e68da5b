import type { PlatformAdapter } from '@parley/sdk';
import type { FakeMedia, FakePlatformContext } from '@parley/sdk/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FakeOneBot, startFakeOneBot } from './testing/fake-onebot.ts';
import { createAdapter } from './testing/start-adapter.ts';

let fake: FakeOneBot;
let adapter: PlatformAdapter;
let context: FakePlatformContext;

/** @param opensAll whether addresses in messages may be private, as those of the fake are */
async function start(opensAll = false): Promise<void> {
  const over = opensAll ? { fetchContent: globalThis.fetch } : {};
  ({ adapter, context } = await createAdapter(fake, { context: over }));
  await adapter.start();
}

beforeEach(async () => {
  fake = await startFakeOneBot();
});
afterEach(async () => {
  await adapter.stop();
  await fake.close();
});

const content = Buffer.from('the content');
const { signal } = new AbortController();

async function referencesTo(...media: Partial<FakeMedia>[]) {
  const complete = media.map((one): FakeMedia => ({ kind: 'image', name: 'a.jpg', content, ...one }));
  await fake.deliver({ chat: fake.group(), media: complete });
  await expect.poll(() => context.received).toHaveLength(1);
  return context.received[0]?.media ?? [];
}

async function fetched(value: unknown): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of (await adapter.fetchMedia?.(value, signal)) ?? []) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

describe('the content of a message', () => {
  it('is referred to, with one reference for each file', async () => {
    await start();
    const references = await referencesTo({ kind: 'image' }, { kind: 'voice' }, { kind: 'file', name: 'notes.txt' });
    const elements = context.received[0]?.message_chain.slice(1) ?? [];
    expect(elements.map(({ type }) => type)).toEqual(['Image', 'Voice', 'File']);
    expect(elements[2]).toMatchObject({ name: 'notes.txt', size: content.length });
    expect(new Set(references.map(({ id }) => id)).size).toBe(3);
    expect(JSON.stringify(elements)).not.toContain('http');
  });

  it.each(['image', 'voice', 'file'] as const)('comes from its address, or else from the client: %s', async (kind) => {
    await start(true);
    const [reference] = await referencesTo({ kind });
    expect(await fetched(reference?.value)).toBe('the content');
  });

  it.each(['image', 'voice', 'file'] as const)('is not fetched from private networks: %s', async (kind) => {
    await start();
    const [reference] = await referencesTo({ kind });
    // The client gives it.
    expect(await fetched(reference?.value)).toBe('the content');
    expect(fake.calls('media')).toBeGreaterThan(0);
  });

  it.each([
    ['gone', 'not_found'],
    ['forbidden', 'not_found'],
    ['private_address', 'address_not_allowed'],
  ] as const)('cannot be had when it is %s', async (fault, reason) => {
    await start(fault !== 'private_address');
    const [reference] = await referencesTo({ fault });
    await expect(fetched(reference?.value)).rejects.toMatchObject({ reason });
  });

  it('is fetched another time when the client does not respond', async () => {
    await start();
    const [reference] = await referencesTo({ kind: 'file' });
    fake.fail('media', 'silence');
    await expect(fetched(reference?.value)).rejects.toMatchObject({ reason: 'platform_failed', isRepeatable: true });
    expect(await fetched(reference?.value)).toBe('the content');
  });

  it('is fetched another time when its server fails', async () => {
    fake.fail('media', 'refused', 2);
    const fetchContent = async () => new Response('', { status: 503 });
    ({ adapter, context } = await createAdapter(fake, { context: { fetchContent } }));
    await adapter.start();
    const [reference] = await referencesTo({ kind: 'image' });
    await expect(fetched(reference?.value)).rejects.toThrow('status 503');
  });

  it('may be in the message itself', async () => {
    await start();
    await fake.raw(
      Buffer.from(
        JSON.stringify({
          ...fake.events.message(fake.account.keep({ chat: fake.group(), senderId: '10001', segments: [], at: 0 })),
          message: [{ type: 'image', data: { file: `base64://${content.toString('base64')}` } }],
        }),
      ),
    );
    await expect.poll(() => context.received).toHaveLength(1);
    expect(context.received[0]).not.toHaveProperty('media');
    expect(context.received[0]?.message_chain[1]).toMatchObject({ base64: content.toString('base64') });
  });
});
