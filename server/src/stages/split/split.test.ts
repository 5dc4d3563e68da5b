import { type AnswerFilter, type MessageChain, ParleyError, type TextLimit } from '@parley/sdk';
import { fakeStageContext, pipelineMessage, stageContract } from '@parley/sdk/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { split } from './index.ts';

const plain = (text: string): MessageChain => [{ type: 'Plain', text }];
const limitOf = (most: number | null): TextLimit | null => (most === null ? null : { most, unit: 'utf16' });
const limited = (most: number | null) => ({ platform: { text_limit: limitOf(most), elements: ['Plain' as const] } });
const long = Array.from({ length: 8 }, (_, index) => `Sentence number ${index} of many.`).join(' ');

stageContract({ stage: split, contexts: [{}, limited(40), limited(4096)], answers: [plain(long)] });

function filterOf(limit: number | null) {
  return split.answer?.(pipelineMessage(), fakeStageContext(split, limited(limit))) as AnswerFilter | null;
}
const finish = async (limit: number, ...messages: MessageChain[]) =>
  (await filterOf(limit)?.finish?.(messages))?.messages;
const mention = { type: 'At', target: '7', display: 'Ada' } as const;
const image = { type: 'Image', url: 'https://example.com/a' } as const;

describe('an answer', () => {
  it('is unchanged on platforms without a limit', () => {
    expect(filterOf(null)).toBeNull();
  });

  it('that fits stays as it is, without a word about it', async () => {
    const messages = [plain('a'.repeat(40)), [mention, image], [], plain('')];
    expect(await filterOf(40)?.finish?.(messages)).toEqual({ messages });
  });

  it('that is too long becomes several messages, and reports it', async () => {
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

  it('does not start a text at the end of a message', async () => {
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

describe('an answer of more messages than it may be', () => {
  const bounded = (
    maximum: number,
    elements: ('Plain' | 'File' | 'Image')[] = ['Plain', 'File', 'Image'],
    most = 12,
  ) => {
    const config = { output: { 'long-text-processing': { 'maximum-parts': maximum } } };
    const context = fakeStageContext(split, { platform: { text_limit: limitOf(most), elements }, config });
    const filter = split.answer?.(pipelineMessage(), context) as AnswerFilter;
    return { context, finish: async (...messages: MessageChain[]) => filter.finish?.(messages) };
  };
  const inFile = plain('This answer is too long for the chat. The rest is in the attached file.');
  const omitted = plain('This answer is too long for the chat. The rest was omitted.');
  const text = 'one two three four five six seven eight nine ten';

  it('output.long-text-processing.maximum-parts: has the rest of its text in a file', async () => {
    const { context, finish: finishBounded } = bounded(4);
    const file = { type: 'File', name: 'answer.md', path: 'media-1', size: 29 };
    expect(await finishBounded(plain(text))).toEqual({
      messages: [plain('one two'), plain('three four'), inFile, [file]],
      reason: 'long_text',
      details: { messages: 4, in_file: 29 },
    });
    expect(context.media.get('media-1')).toBe('five six seven eight nine ten');
  });

  it('is cut on platforms without files, and reports it', async () => {
    expect(await bounded(4, ['Plain']).finish(plain(text))).toEqual({
      messages: [plain('one two'), plain('three four'), plain('five six'), omitted],
      reason: 'long_text',
      details: { messages: 4, left_out: 20 },
    });
  });

  it('is cut when its rest is larger than a file may be', async () => {
    const { context, finish: finishBounded } = bounded(3);
    context.storeMedia = () => Promise.reject(new ParleyError('too_large', 'No'));
    expect((await finishBounded(plain(text)))?.messages).toEqual([plain('one two'), plain('three four'), omitted]);
  });

  it('is unchanged at the maximum length', async () => {
    expect((await bounded(5).finish(plain(text)))?.messages).toEqual(
      ['one two', 'three four', 'five six', 'seven eight', 'nine ten'].map((part) => plain(part)),
    );
    expect((await bounded(4).finish(plain(text)))?.messages).toHaveLength(4);
  });

  it('keeps blocks of code and later messages whole in the file, and its pictures', async () => {
    const { context, finish: finishBounded } = bounded(3, undefined, 24);
    const code = '```js\na = 1\nb = 2\nc = 3\nd = 4\n```';
    const result = await finishBounded(plain(code), [...plain('behind it all'), image], plain('the end'));
    expect(result?.messages.slice(1)).toEqual([inFile, [expect.objectContaining({ type: 'File' }), image]]);
    expect(context.media.get('media-1')).toBe('```js\nc = 3\nd = 4\n```\n\nbehind it all\n\nthe end');
  });

  it('is bounded for a huge text, of which only the first parts are split', async () => {
    const huge = 'word '.repeat(400_000);
    const { context, finish: finishBounded } = bounded(20);
    expect((await finishBounded(plain(huge)))?.messages).toHaveLength(20);
    const sent = 18 * 'word word'.length;
    expect((context.media.get('media-1') ?? '').length).toBeGreaterThan(huge.length - 2 * sent);
  });
});

describe('an answer on a platform that takes few messages for a question', () => {
  const text = 'one two three four five six seven eight nine ten '.repeat(20);
  const finishFew = async (messages: number, elements: ('Plain' | 'File' | 'Image')[], ...answer: MessageChain[]) => {
    const context = fakeStageContext(split, {
      platform: { text_limit: { most: 200, unit: 'bytes', messages }, elements },
    });
    const filter = split.answer?.(pipelineMessage(), context) as AnswerFilter;
    return { context, result: await filter.finish?.(answer) };
  };
  const textOf = (chain: MessageChain = []) =>
    chain.map((element) => (element.type === 'Plain' ? element.text : '#')).join('');

  it('has no more of them than the platform takes, nor than the pipeline says', async () => {
    const { result } = await finishFew(4, ['Plain'], plain(text));
    expect(result).toMatchObject({ reason: 'long_text', details: { messages: 4, left_out: expect.any(Number) } });
    expect((await finishFew(40, ['Plain'], plain(text.repeat(20)))).result?.messages).toHaveLength(20);
  });

  it.each([1, 2])('says at the end of the last of %i that something was omitted', async (messages) => {
    const { result } = await finishFew(messages, ['Plain', 'Image'], [...plain(text), image]);
    expect(result?.messages).toHaveLength(messages);
    expect(textOf(result?.messages.at(-1))).toMatch(
      / (?:[a-z]+)\n\nThis answer is too long for the chat\. The rest was omitted\.$/,
    );
    for (const message of result?.messages ?? []) expect(textOf(message).length).toBeLessThanOrEqual(200);
  });

  it('has its rest in a file as the second message', async () => {
    const { result, context } = await finishFew(2, ['Plain', 'File', 'Image'], [...plain(text), image]);
    expect(result?.messages.map((chain) => chain.map(({ type }) => type))).toEqual([
      ['Plain', 'Plain', 'Plain'],
      ['File', 'Image'],
    ]);
    const shown = textOf(result?.messages[0]).split('\n\n')[0] ?? '';
    expect(`${shown} ${context.media.get('media-1')}`).toBe(text.trim());
  });

  it('keeps pictures of further messages', async () => {
    const { result } = await finishFew(1, ['Plain', 'Image'], plain('Look'), [image]);
    expect(result?.messages).toEqual([[...plain('Look'), image]]);
  });

  it('is unchanged where it fits', async () => {
    const whole = plain('a'.repeat(200));
    expect((await finishFew(1, ['Plain'], whole)).result).toEqual({ messages: [whole] });
  });
});

describe('a streamed answer', () => {
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
      maxLength: 60,
    });
    const most = fc.constantFrom(undefined, 1, 2);
    const property = fc.asyncProperty(words, fc.boolean(), most, async (parts, isGroup, messages) => {
      const front: MessageChain = isGroup ? [mention, ...plain(' ')] : [];
      const whole = parts.join('');
      const text_limit: TextLimit = { most: messages === undefined ? 40 : 120, unit: 'utf16' };
      if (messages !== undefined) text_limit.messages = messages;
      const context = fakeStageContext(split, { platform: { text_limit, elements: ['Plain'] } });
      const filter = split.answer?.(pipelineMessage(), context) as AnswerFilter;
      const textOf = (chain: MessageChain | undefined) =>
        (chain ?? []).map((element) => (element.type === 'Plain' ? element.text : '@Ada')).join('');
      let shown = '';
      for (let end = 0; end <= whole.length; end += 1) {
        const next = textOf(filter?.show?.([...front, ...plain(whole.slice(0, end))]));
        expect(next.startsWith(shown)).toBe(true);
        expect(next.length).toBeLessThanOrEqual(text_limit.most);
        shown = next;
      }
      const sent = (await filter?.finish?.([[...front, ...plain(whole)]]))?.messages ?? [];
      expect(textOf(sent[0]).startsWith(shown)).toBe(true);
      for (const message of sent) expect(textOf(message).length).toBeLessThanOrEqual(text_limit.most);
      if (messages !== undefined && /too long for the chat/.test(textOf(sent.at(-1)))) return;
      const letters = (text: string) => text.replace(/\s/g, '');
      expect(letters(sent.map(textOf).join(''))).toBe(letters(textOf(front) + whole));
    });
    await fc.assert(property, { numRuns: 500 });
  });
});
