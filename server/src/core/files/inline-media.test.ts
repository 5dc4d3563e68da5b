import type { MessageChain } from '@parley/sdk';
import { fakePlatformContext } from '@parley/sdk/testing';
import { describe, expect, it } from 'vitest';
import { storeInlineMedia } from './inline-media.ts';

const base64 = Buffer.from('a picture').toString('base64');

function store(chain: MessageChain) {
  const context = fakePlatformContext();
  const texts = () => [...context.media.values()].map(({ name, bytes }) => `${name}: ${Buffer.from(bytes)}`);
  return { stored: storeInlineMedia(chain, (name, content) => context.storeMedia(name, content)), texts };
}

describe('base64 in a chain', () => {
  it('becomes a file that the chain names', async () => {
    const { stored, texts } = store([
      { type: 'Plain', text: 'Look' },
      { type: 'Image', base64: `data:image/png;base64,${base64}` },
      { type: 'Voice', base64, length: 2 },
      { type: 'File', name: 'a.txt', base64, size: 1 },
      { type: 'Image', url: 'https://example.com/a.png' },
    ]);
    expect(await stored).toEqual([
      { type: 'Plain', text: 'Look' },
      { type: 'Image', path: 'media-1' },
      { type: 'Voice', path: 'media-2', length: 2 },
      { type: 'File', name: 'a.txt', path: 'media-3', size: 9 },
      { type: 'Image', url: 'https://example.com/a.png' },
    ]);
    expect(texts()).toEqual(['image: a picture', 'voice: a picture', 'a.txt: a picture']);
  });

  it('is found in quotes and forwards', async () => {
    const inner: MessageChain = [{ type: 'Quote', id: 1, origin: [{ type: 'Image', base64 }] as never }];
    const { stored } = store([{ type: 'Forward', node_list: [{ sender_id: 'a', message_chain: inner }, {}] }]);
    expect(await stored).toEqual([
      {
        type: 'Forward',
        node_list: [
          { sender_id: 'a', message_chain: [{ type: 'Quote', id: 1, origin: [{ type: 'Image', path: 'media-1' }] }] },
          {},
        ],
      },
    ]);
  });

  it.each<[string, MessageChain, string]>([
    ['is not base64', [{ type: 'Image', base64: 'a picture!' }], 'message_chain[0].base64'],
    ['is an address of another kind', [{ type: 'Image', base64: 'data:image/png,abc' }], 'message_chain[0].base64'],
    ['is empty behind its address', [{ type: 'File', base64: 'data:;base64,' }], 'message_chain[0].base64'],
    [
      'is broken in a quote',
      [{ type: 'Quote', origin: [{ type: 'Image', base64: '§' }] as never }],
      'message_chain[0].origin[0].base64',
    ],
  ])('that %s is refused, and nothing is stored', async (_, chain, path) => {
    const { stored, texts } = store([...chain, { type: 'Image', base64 }]);
    await expect(stored).rejects.toMatchObject({ reason: 'invalid_request', details: [{ path }] });
    expect(texts()).toEqual([]);
  });

  it('of many megabytes is checked quickly', async () => {
    const { stored, texts } = store([{ type: 'File', name: 'a', base64: 'A'.repeat(10_000_000) }]);
    expect(await stored).toEqual([{ type: 'File', name: 'a', path: 'media-1', size: 7_500_000 }]);
    expect(texts()).toHaveLength(1);
  });
});
