import type { AnswerFilter, MessageChain, MessageElementType } from '@parley/sdk';
import { fakeStageContext, type PartialConfig, pipelineMessage, stageContract } from '@parley/sdk/testing';
import { describe, expect, it } from 'vitest';
import { addressing } from './index.ts';

const plain = (text: string): MessageChain => [{ type: 'Plain', text }];
const misc = (over: NonNullable<PartialConfig['output']>['misc'] = {}): PartialConfig => ({ output: { misc: over } });
const bothOff = misc({ 'at-sender': false, 'quote-origin': false });
const atOnly = misc({ 'at-sender': true, 'quote-origin': false });
const quoteOnly = misc({ 'at-sender': false, 'quote-origin': true });

stageContract({ stage: addressing, contexts: [{}, { config: bothOff }, { config: atOnly }, { config: quoteOnly }] });

const group = { session_type: 'group', session_id: 'friends', sender_id: '7', sender_name: 'Ada' } as const;
const mention: MessageChain = [{ type: 'At', target: '7', display: 'Ada' }, ...plain(' ')];
const quote: MessageChain = [{ type: 'Quote', id: '1', sender_id: '7', origin: [] }];

function filterOf(config: PartialConfig, message = {}, elements: MessageElementType[] = ['Plain', 'At', 'Quote']) {
  const context = fakeStageContext(addressing, { config, platform: { text_limit: null, elements } });
  return addressing.answer?.(pipelineMessage({ ...group, ...message }), context) as AnswerFilter | null;
}
const first = async (filter: AnswerFilter | null) => (await filter?.finish?.([plain('yes'), plain('no')]))?.messages;

describe('output.misc.at-sender', () => {
  it('on: the first part of an answer in a group starts with a mention of the sender', async () => {
    expect(await first(filterOf(atOnly))).toEqual([[...mention, ...plain('yes')], plain('no')]);
  });

  it('on: so does a streamed answer, once it has text', () => {
    const filter = filterOf(atOnly);
    expect(filter?.show?.(plain('y'))).toEqual([...mention, ...plain('y')]);
    expect(filter?.show?.(plain(''))).toEqual(plain(''));
    expect(filter?.show?.([])).toEqual([]);
  });

  it('on: no mention in private', () => {
    expect(filterOf(atOnly, { session_type: 'person' })).toBeNull();
  });

  it('on: no mention if the platform has none, or the sender is unknown', () => {
    expect(filterOf(atOnly, {}, ['Plain', 'Quote'])).toBeNull();
    expect(filterOf(atOnly, { sender_id: '' })).toBeNull();
  });

  it('off: no mention', () => {
    expect(filterOf(bothOff)).toBeNull();
  });
});

describe('output.misc.quote-origin', () => {
  it('on: the first part starts with a quote of the message, which is not repeated', async () => {
    expect(await first(filterOf(quoteOnly))).toEqual([[...quote, ...plain('yes')], plain('no')]);
    expect(await first(filterOf(quoteOnly, { session_type: 'person' }))).toEqual([
      [...quote, ...plain('yes')],
      plain('no'),
    ]);
  });

  it('on: a streamed answer has it from its first word on', () => {
    expect(filterOf(quoteOnly)?.show?.(plain('y'))).toEqual([...quote, ...plain('y')]);
  });

  it('on: nothing is quoted where the platform has no quotes, or no name for the message', () => {
    expect(filterOf(quoteOnly, {}, ['Plain', 'At'])).toBeNull();
    expect(filterOf(quoteOnly, { platform_message_id: null })).toBeNull();
  });

  it('off: nothing is quoted', () => {
    expect(filterOf(bothOff)).toBeNull();
  });
});

it('quotes before it mentions', async () => {
  expect((await first(filterOf({})))?.[0]).toEqual([...quote, ...mention, ...plain('yes')]);
});

it('adds no mention to an empty answer', async () => {
  expect((await filterOf({})?.finish?.([[], plain('')]))?.messages).toEqual([[], plain('')]);
  const second = await filterOf({})?.finish?.([[], plain('a')]);
  expect(second?.messages).toEqual([[], [...quote, ...mention, ...plain('a')]]);
});
