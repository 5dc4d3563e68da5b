import type { AnswerFilter, MessageChain } from '@parley/sdk';
import { fakeStageContext, pipelineMessage, stageContract } from '@parley/sdk/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { split } from './index.ts';

const plain = (text: string): MessageChain => [{ type: 'Plain', text }];
const limited = (text_limit: number | null) => ({ platform: { text_limit, elements: ['Plain' as const] } });
const long = Array.from({ length: 8 }, (_, index) => `Sentence number ${index} of many.`).join(' ');

stageContract({ stage: split, contexts: [{}, limited(40), limited(4096)], answers: [plain(long)] });

function filterOf(limit: number | null) {
  return split.answer?.(pipelineMessage(), fakeStageContext(limited(limit))) as AnswerFilter | null;
}
const finish = async (limit: number, ...messages: MessageChain[]) =>
  (await filterOf(limit)?.finish?.(messages))?.messages;
const mention = { type: 'At', target: '7', display: 'Ada' } as const;
const image = { type: 'Image', url: 'https://example.com/a' } as const;

describe('an answer', () => {
  it('stays as it is where messages may be as long as they like', () => {
    expect(filterOf(null)).toBeNull();
  });

  it('that fits stays as it is, without a word about it', async () => {
    const messages = [plain('a'.repeat(40)), [mention, image], [], plain('')];
    expect(await filterOf(40)?.finish?.(messages)).toEqual({ messages });
  });

  it('that is too long becomes several messages, and says so', async () => {
    expect(await filterOf(12)?.finish?.([plain('one two three four five')])).toEqual({
      messages: [plain('one two'), plain('three four'), plain('five')],
      reason: 'long_text',
      details: { messages: 3 },
    });
  });

  it('counts everything that is read in a message', async () => {
    expect(await finish(16, [mention, ...plain(' '), ...plain('one two three four five')])).toEqual([
      [mention, ...plain(' '), ...plain('one two')],
      plain('three four five'),
    ]);
    expect(await finish(10, [...plain('one two'), mention, ...plain('three')])).toEqual([
      plain('one two'),
      [mention, ...plain('three')].slice(0, 2),
    ]);
  });

  it('does not begin a text at the end of a message', async () => {
    expect(await finish(16, [mention, ...plain(' and some'), ...plain('more words than fit')])).toEqual([
      [mention, ...plain(' and some')],
      plain('more words than'),
      plain('fit'),
    ]);
  });

  it('keeps the order of its pictures and texts', async () => {
    expect(await finish(12, [...plain('one two three four'), image, ...plain('five')])).toEqual([
      plain('one two'),
      [...plain('three four'), image],
      plain('five'),
    ]);
  });

  it('of several messages has each cut by itself', async () => {
    expect(await finish(9, plain('one two three'), plain('four'))).toEqual([
      plain('one two'),
      plain('three'),
      plain('four'),
    ]);
  });
});

describe('a growing answer', () => {
  it('shows the first message only', () => {
    const filter = filterOf(40);
    expect(filter?.show?.(plain('short'))).toEqual(plain('short'));
    expect(filter?.show?.(plain(long))).toEqual(plain('Sentence number 0 of many.'));
    expect(filter?.show?.([mention, ...plain(' '), ...plain(long)])).toEqual([
      mention,
      ...plain(' '),
      ...plain('Sentence number 0 of many.'),
    ]);
    expect(filter?.show?.([...plain('a'.repeat(30)), ...plain(long)])).toEqual(plain('a'.repeat(30)));
    expect(filter?.show?.([])).toEqual([]);
  });

  it('takes nothing back, and ends as its first message', async () => {
    const words = fc.array(fc.constantFrom('word', ' ', '. ', '\n', '\n\n', '中文。', '`code of it`', '[a', '](b)'), {
      maxLength: 40,
    });
    const property = fc.asyncProperty(words, fc.boolean(), async (parts, isGroup) => {
      const front: MessageChain = isGroup ? [mention, ...plain(' ')] : [];
      const whole = parts.join('');
      const filter = filterOf(40);
      const textOf = (chain: MessageChain | undefined) =>
        (chain ?? []).map((element) => (element.type === 'Plain' ? element.text : '@Ada')).join('');
      let shown = '';
      for (let end = 0; end <= whole.length; end += 1) {
        const next = textOf(filter?.show?.([...front, ...plain(whole.slice(0, end))]));
        expect(next.startsWith(shown)).toBe(true);
        expect(next.length).toBeLessThanOrEqual(40);
        shown = next;
      }
      const messages = (await filter?.finish?.([[...front, ...plain(whole)]]))?.messages ?? [];
      expect(textOf(messages[0]).startsWith(shown)).toBe(true);
      for (const message of messages) expect(textOf(message).length).toBeLessThanOrEqual(40);
      const letters = (text: string) => text.replace(/\s/g, '');
      expect(letters(messages.map(textOf).join(''))).toBe(letters(textOf(front) + whole));
    });
    await fc.assert(property, { numRuns: 500 });
  });
});
