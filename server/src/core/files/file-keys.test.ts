import type { MessageChain } from '@parley/sdk';
import { describe, expect, it } from 'vitest';
import { fileKeysIn } from './file-keys.ts';

const key = (letter: string, ending = '') => letter.repeat(32) + ending;

describe('the keys of files in a chain', () => {
  it('are those of its elements, each once, in quotes and forwards too', () => {
    const chain: MessageChain = [
      { type: 'Plain', text: `see ${key('x')}` },
      { type: 'Image', path: key('a', '.png') },
      { type: 'Image', path: '', url: `https://parley.example/base/api/v1/files/image/${key('b', '.webp')}` },
      { type: 'Voice', path: key('c') },
      { type: 'File', path: key('d'), name: 'one.pdf', size: 1 },
      { type: 'WeChatFile', file_path: key('e'), file_name: 'two.pdf', file_size: 1 },
      {
        type: 'Quote',
        origin: [{ type: 'Forward', node_list: [{ message_chain: [{ type: 'File', path: key('f'), name: '' }] }, {}] }],
      },
      { type: 'Image', path: key('a', '.png') },
      { type: 'Plain', text: `![](/api/v1/files/image/${key('g', '.png')}) or /api/v1/files/image/${key('h')}.` },
    ] as MessageChain;
    expect(fileKeysIn(chain)).toEqual([
      key('a', '.png'),
      key('b', '.webp'),
      ...['c', 'd', 'e', 'f'].map((letter) => key(letter)),
      key('g', '.png'),
      key('h'),
    ]);
  });

  it('are not more than a statement takes', () => {
    const text = Array.from({ length: 40_000 }, () => `/api/v1/files/image/${key('a')}`).join(' ');
    expect(fileKeysIn([{ type: 'Plain', text }])).toEqual([key('a')]);
    const addresses = Array.from(
      { length: 40_000 },
      (_, index) => `/api/v1/files/image/${String(index).padStart(32, '0')}`,
    );
    expect(fileKeysIn([{ type: 'Plain', text: addresses.join(' ') }])).toHaveLength(1000);
  });

  it.each([
    [{ type: 'Image', path: '../../etc/passwd' }],
    [{ type: 'Image', url: `https://elsewhere.example/${key('a')}` }],
    [{ type: 'File', path: `${key('a')}x`, name: 'a' }],
    [{ type: 'Image', path: null, url: null, base64: 'YQ==' }],
    [{ type: 'Forward' }],
  ])('are none in %j', (element) => {
    expect(fileKeysIn([element] as MessageChain)).toEqual([]);
  });
});
