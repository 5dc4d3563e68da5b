import type { MessageChain } from '@parley/sdk';
import { expect, it } from 'vitest';
import { isContinued } from './chain-growth.ts';

const plain = (text: string): MessageChain => [{ type: 'Plain', text }];
const mention: MessageChain = [{ type: 'At', target: '7', display: 'Ada' }];
const image: MessageChain = [{ type: 'Image', url: 'https://example.com/a' }];

it.each<[MessageChain, MessageChain, boolean]>([
  [[], [], true],
  [[], plain('a'), true],
  [plain(''), image, true],
  [plain('a'), plain('a'), true],
  [plain('a'), plain('ab'), true],
  [plain('a'), [...plain('a'), ...image], true],
  [[...plain('a'), ...plain('b')], plain('abc'), true],
  [plain('abc'), [...plain('a'), ...plain('bcd')], true],
  [[...mention, ...plain(' a')], [...mention, ...plain(' a, b')], true],
  [plain('ab'), plain('a'), false],
  [plain('ab'), plain('ba'), false],
  [plain('a'), [], false],
  [plain('a'), [...image, ...plain('a')], false],
  [[...plain('a'), ...image], plain('ab'), false],
  [[...plain('a'), ...image], [...plain('ab'), ...image], false],
  [mention, [{ type: 'At', target: '8', display: 'Ada' }], false],
])('%j continues as %j: %s', (shown, chain, expected) => {
  expect(isContinued(shown, chain)).toBe(expected);
});
