import type { AnswerFilter, MessageChain } from '@parley/sdk';
import { fakeStageContext, pipelineMessage, stageContract } from '@parley/sdk/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { removeThink } from './index.ts';

const on = { config: { output: { misc: { 'remove-think': true } } } };
const plain = (text: string): MessageChain => [{ type: 'Plain', text }];

stageContract({ stage: removeThink, contexts: [{}, on], answers: [plain('a <think>b</think> c <thinking>d')] });

const filter = () => removeThink.answer?.(pipelineMessage(), fakeStageContext(removeThink, on)) as AnswerFilter;
const finished = async (...chain: MessageChain) => (await filter().finish?.([chain]))?.messages[0];
const textOf = async (text: string) => ((await finished(...plain(text)))?.[0] as { text: string } | undefined)?.text;
const shown = (text: string) => (filter().show?.(plain(text))[0] as { text: string } | undefined)?.text ?? '';

it('output.misc.remove-think: thoughts stay unless it is on', () => {
  expect(removeThink.answer?.(pipelineMessage(), fakeStageContext(removeThink))).toBeNull();
});

describe('output.misc.remove-think: the rest of', () => {
  it.each<[string, string, string | undefined]>([
    ['a thought and an answer', '<think>\nHm.\n</think>\n\nYes.', 'Yes.'],
    ['the other tag', '<thinking>Hm, </think> no.</thinking>Yes.', 'Yes.'],
    ['tags in capitals', '<THINK>Hm.</Think>Yes.', 'Yes.'],
    ['two thoughts', '<think>a</think>One. <think>b</think>Two.', 'One. Two.'],
    ['a thought that is not closed', 'One.\n<think>and then', 'One.\n'],
    ['nothing but a thought', '<think>Hm.</think>', undefined],
    ['an empty thought', '<think></think>\nYes.', 'Yes.'],
    ['a thought about code', '<think>\n```\n<b>\n</think>\n\nYes.', 'Yes.'],
    ['a thought without its first tag', 'Hm.\nSo it is.\n</think>\n\nYes.', 'Yes.'],
    ['a second last tag', '<think>a</think>b\n</think>\nc', 'b\n</think>\nc'],
    ['a tag in the text', 'Close it with </think> please.', 'Close it with </think> please.'],
    ['a tag in code', 'Use `<think>` and </think>.', 'Use `<think>` and </think>.'],
    ['a tag in a block of code', '```xml\n<think>\na\n</think>\n```\nSee?', '```xml\n<think>\na\n</think>\n```\nSee?'],
    ['a thought behind a block of code', '```\na\n```\n<think>b</think>c', '```\na\n```\nc'],
    ['a thought behind code in a line', '```a```\n<think>b</think>c', '```a```\nc'],
    ['tags of another name', '<thinker>a</thinker><b>', '<thinker>a</thinker><b>'],
    ['a text without thoughts', '  Yes.\n', '  Yes.\n'],
    ['half a tag', 'a <thin', 'a <thin'],
  ])('%s', async (_, text, left) => {
    expect(await textOf(text)).toBe(left);
  });

  it('a thought that reaches over a picture', async () => {
    const image = { type: 'Image', url: 'https://example.com/a' } as const;
    const answer = await finished(...plain('a <think>b'), image, ...plain('c</think> d'));
    expect(answer).toEqual([...plain('a '), image, ...plain('d')]);
  });

  it('an answer, and how many thoughts it had', async () => {
    expect(await filter().finish?.([plain('<think>a</think>b')])).toMatchObject({ details: { thoughts: 1 } });
    expect(await filter().finish?.([plain('b')])).not.toHaveProperty('details');
  });
});

describe('output.misc.remove-think: while an answer grows', () => {
  it.each([
    ['a <', 'a '],
    ['a <thin', 'a '],
    ['a <thinking', 'a '],
    ['a </', 'a '],
    ['a <b', 'a <b'],
    ['a <think>b', 'a '],
    ['a <think>b</thin', 'a '],
    ['a <think>b</think>', 'a '],
    ['<think>b</think>\n\n', ''],
    ['<think>b</think>\n\nc', 'c'],
    ['use `<think', 'use `<think'],
    ['```\n<think', '```\n<think'],
  ])('%s', (text, left) => {
    expect(shown(text)).toBe(left);
  });

  it('nothing of a thought is shown and nothing is taken back, however it comes', async () => {
    const part = fc.constantFrom('a', ' ', '\n', '`', '```', '<think>', '</think>', '<thinking>', '<', 'th');
    const property = fc.asyncProperty(fc.array(part, { maxLength: 14 }), async (parts) => {
      // The first tag of a thought that has only a last one is not known while the answer grows.
      const text = `.<think></think>${parts.join('').replaceAll('</think>', '</think>.')}`;
      const whole = (await textOf(text)) ?? '';
      for (let end = 0; end <= text.length; end += 1) expect(whole.startsWith(shown(text.slice(0, end)))).toBe(true);
    });
    await fc.assert(property, { numRuns: 1000 });
  });
});
