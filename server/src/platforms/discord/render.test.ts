import type { MessageChain } from '@parley/sdk';
import { describe, expect, it } from 'vitest';
import { cutText, lengthOf } from './cut-text.ts';
import { renderChain, splitChain } from './render.ts';
import { parseTarget } from './target.ts';

const unchanged = (text: string) => text;
const plain = (text: string): MessageChain => [{ type: 'Plain', text }];

describe('cutting a text', () => {
  it.each([1999, 2000])('leaves %i code points in one piece', (length) => {
    expect(cutText('🦜'.repeat(length))).toEqual(['🦜'.repeat(length)]);
  });

  it('keeps characters whole', () => {
    const parts = cutText(`a${'🦜'.repeat(2000)}`);
    expect(parts).toHaveLength(2);
    expect(parts.join('')).toBe(`a${'🦜'.repeat(2000)}`);
    for (const part of parts) expect(part.isWellFormed()).toBe(true);
  });

  it('prefers paragraphs, lines, words', () => {
    const paragraph = `${'word '.repeat(250).trim()}.`;
    expect(cutText(`${paragraph}\n\n${paragraph}`)).toEqual([paragraph, paragraph]);
    expect(cutText('word '.repeat(500).trim()).every((part) => /^word( word)*$/.test(part))).toBe(true);
  });

  it('closes and opens a block of code', () => {
    const lines = Array.from({ length: 300 }, (_, index) => `line ${index}`);
    const parts = cutText(`\`\`\`ts\n${lines.join('\n')}\n\`\`\``);
    expect(parts.length).toBeGreaterThan(1);
    for (const part of parts) {
      expect(part.startsWith('```ts\n')).toBe(true);
      expect(part.endsWith('\n```')).toBe(true);
      expect(lengthOf(part)).toBeLessThanOrEqual(2000);
    }
    expect(parts.map((part) => part.slice(6, -4)).join('\n')).toBe(lines.join('\n'));
  });

  it('does not depend on what follows', () => {
    const text = 'Some words, and more. '.repeat(300);
    expect(cutText(text.slice(0, 5000))[0]).toBe(cutText(text)[0]);
  });
});

describe('splitting a chain', () => {
  const samples: MessageChain[] = [
    plain('short'),
    plain('long '.repeat(3000)),
    [{ type: 'At', target: '1' }, ...plain('x'.repeat(1999)), { type: 'At', target: '2' }],
    [{ type: 'Quote', id: '5', origin: [] }, ...plain('y'.repeat(4500))],
    [...plain('a'), { type: 'Image', base64: 'eA==' }, ...plain('b'), { type: 'Image', base64: 'eA==' }],
    Array.from({ length: 25 }, () => ({ type: 'File' as const, base64: 'eA==' })),
    [...plain('1 '.repeat(900)), ...plain('2 '.repeat(900))],
  ];

  it.each(samples)('gives messages that each take one message, case %#', (...chain) => {
    const parts = splitChain(chain, unchanged);
    for (const part of parts) {
      const drafts = renderChain(part, unchanged);
      expect(drafts).toHaveLength(1);
      expect(lengthOf(drafts[0]?.content ?? '')).toBeLessThanOrEqual(2000);
      expect(drafts[0]?.files.length).toBeLessThanOrEqual(10);
    }
    const text = (chains: MessageChain[]) =>
      chains.flatMap((one) => renderChain(one, unchanged)).map(({ content }) => content);
    expect(text(parts)).toEqual(text([chain]));
  });

  it('keeps what is quoted and mentioned', () => {
    const [first, ...others] = renderChain(samples[3] ?? [], unchanged);
    expect(first?.replyTo).toBe('5');
    expect(others.map(({ replyTo }) => replyTo)).toEqual([null, null]);
    expect(renderChain(samples[2] ?? [], unchanged).map(({ users }) => users)).toEqual([['1'], ['2']]);
  });

  it('lets no text behind a mention of everyone notify them as well', () => {
    const drafts = renderChain([{ type: 'AtAll' }, ...plain(`${'a '.repeat(1500)}@everyone`)], unchanged);
    expect(drafts.map(({ everyone }) => everyone)).toEqual([true, false]);
  });
});

describe('a target', () => {
  it.each([
    ['person', '1', { session_id: '1', thread_id: '' }],
    ['group', '12', { session_id: '12', thread_id: '' }],
    ['group', '12_34', { session_id: '12', thread_id: '34' }],
  ] as const)('%s %s is read', (type, id, expected) => {
    expect(parseTarget(type, id)).toEqual(expected);
  });

  it.each([
    ['group', ''],
    ['group', '12_'],
    ['group', '_12'],
    ['group', '12_34_56'],
    ['group', '#general'],
    ['group', '1/../2'],
    ['person', '12_34'],
    ['person', '1'.repeat(21)],
  ] as const)('%s %j is refused', (type, id) => {
    expect(() => parseTarget(type, id)).toThrow(expect.objectContaining({ reason: 'invalid_request' }));
  });
});
