import type { MessageChain } from '@parley/sdk';
import { expect, it } from 'vitest';
import { markdownOf } from './answer-text.ts';

it.each<[string, MessageChain, string]>([
  ['no elements', [], ''],
  [
    'texts',
    [
      { type: 'Plain', text: 'a' },
      { type: 'Plain', text: 'b' },
    ],
    'ab',
  ],
  [
    'a mention',
    [
      { type: 'At', target: 1, display: 'Ann' },
      { type: 'Plain', text: ' hi' },
    ],
    '@Ann hi',
  ],
  [
    'a picture behind a text',
    [
      { type: 'Plain', text: 'Look:' },
      { type: 'Image', base64: 'data:image/webp;base64,QQ==' },
    ],
    'Look:\n\n![image](data:image/webp;base64,QQ==)',
  ],
  ['a picture without its type', [{ type: 'Image', base64: 'QQ==' }], '![image](data:image/png;base64,QQ==)'],
  [
    'a picture elsewhere',
    [{ type: 'Image', url: 'https://a.test/b (1).png' }],
    '![image](https://a.test/b%20%281%29.png)',
  ],
  [
    'a file',
    [{ type: 'File', name: 'a]b\n.txt', base64: 'QQ==' }],
    '[a b .txt](data:application/octet-stream;base64,QQ==)',
  ],
  ['a voice', [{ type: 'Voice', base64: 'data:audio/ogg;base64,QQ==' }], '[voice](data:audio/ogg;base64,QQ==)'],
  ['a picture that is only named', [{ type: 'Image', image_id: '7' }], '[Image]'],
])('renders %s as Markdown', (_, chain, expected) => {
  expect(markdownOf(chain)).toBe(expected);
});
