import type { AnswerFilter, ConversationContext, MessageChain, StageOutcome } from '@parley/sdk';
import {
  type FakeStageContextOptions,
  fakeStageContext,
  type PartialConfig,
  pipelineMessage,
  stageContract,
} from '@parley/sdk/testing';
import { describe, expect, it } from 'vitest';
import type { SensitiveWordList } from './compile-words.ts';
import { createContentFilter } from './index.ts';

const plain = (text: string): MessageChain => [{ type: 'Plain', text }];
const list = (words: string[], over: Partial<SensitiveWordList> = {}): SensitiveWordList => ({
  words,
  mask: '*',
  mask_word: '',
  ...over,
});
const defaults = list(['bad', 'u.ly']);
const stageWith = (words: SensitiveWordList) => createContentFilter({ sensitiveWords: async () => words });

stageContract({ stage: stageWith(list(['Hello', '好', 'a{3}'])), answers: [plain('aaaa Hello a')] });
stageContract({ stage: stageWith(list(['l.*o'])) });
stageContract({ stage: stageWith(list([])) });

type Scope = 'all' | 'income-msg' | 'output-msg';
const contextOf = (filter: PartialConfig[string] = {}, over: FakeStageContextOptions = {}) =>
  fakeStageContext(stageWith(defaults), { config: { safety: filter }, ...over });
const scoped = (scope: Scope) => contextOf({ 'content-filter': { scope } });

const check = async (chain: MessageChain, { words = defaults, context = contextOf() } = {}) =>
  (await stageWith(words).check?.(pipelineMessage({ message_chain: chain }), context)) as StageOutcome;
const filterOf = async ({ words = defaults, context = contextOf() } = {}) =>
  (await stageWith(words).answer?.(pipelineMessage(), context)) as AnswerFilter | null;
const finish = async (chain: MessageChain, words = defaults) => {
  const change = await (await filterOf({ words }))?.finish?.([chain]);
  return change?.messages[0];
};

describe('safety.content-filter.scope', () => {
  it.each<[Scope, string, boolean]>([
    ['all', 'stop', true],
    ['income-msg', 'stop', false],
    ['output-msg', 'pass', true],
  ])('%s: checked content', async (scope, outcome, masksAnswers) => {
    expect((await check(plain('bad'), { context: scoped(scope) })).outcome).toBe(outcome);
    expect((await filterOf({ context: scoped(scope) })) !== null).toBe(masksAnswers);
  });
});

describe('context of a message', () => {
  const turn = (role: 'user' | 'assistant', text: string) => ({ role, text, message_chain: plain(text) });
  const checkWith = async (scope: Scope, context: ConversationContext) => {
    const message = pipelineMessage({ message_chain: plain('good'), context });
    return (await stageWith(defaults).check?.(message, scoped(scope)))?.outcome;
  };

  it.each<[string, Scope, ConversationContext, string]>([
    ['instructions', 'all', { instructions: 'be bad', history: [] }, 'stop'],
    ['an earlier question', 'income-msg', { instructions: '', history: [turn('user', 'bad')] }, 'stop'],
    ['an earlier answer', 'all', { instructions: '', history: [turn('assistant', 'bad')] }, 'stop'],
    ['an answer of the bot', 'income-msg', { instructions: '', history: [turn('assistant', 'bad')] }, 'pass'],
    ['nothing bad', 'all', { instructions: 'be kind', history: [turn('user', 'hi'), turn('assistant', 'ho')] }, 'pass'],
    ['content out of scope', 'output-msg', { instructions: 'bad', history: [turn('user', 'bad')] }, 'pass'],
  ])('is checked: %s', async (_, scope, context, outcome) => {
    expect(await checkWith(scope, context)).toBe(outcome);
  });
});

describe('safety.content-filter.check-sensitive-words', () => {
  it('off: nothing is checked', async () => {
    const context = contextOf({ 'content-filter': { 'check-sensitive-words': false } });
    expect(await check(plain('bad'), { context })).toEqual({ outcome: 'pass' });
    expect(await filterOf({ context })).toBeNull();
  });

  it('on, with an empty list: nothing is found, and answers are not held back', async () => {
    expect(await check(plain('bad'), { words: list([]) })).toEqual({ outcome: 'pass' });
    expect(await filterOf({ words: list([]) })).toBeNull();
  });
});

describe('a message', () => {
  it('with a word ends with a short notice, and the word is recorded', async () => {
    expect(await check(plain('so bad'))).toEqual({
      outcome: 'stop',
      reason: 'sensitive_word',
      notice: expect.stringMatching(/./),
      details: { word: 'bad' },
    });
    expect(await check(plain('so ugly'))).toMatchObject({ details: { word: 'u.ly' } });
  });

  it('without one continues unchanged', async () => {
    expect(await check(plain('so good'))).toEqual({ outcome: 'pass' });
  });

  const image = { type: 'Image', base64: 'data:image/png;base64,AAAA' } as const;
  const forward: MessageChain = [{ type: 'Forward', node_list: [{ message_chain: plain('bad') }] }];
  const quoting = (origin: MessageChain): MessageChain => [{ type: 'Quote', origin }];
  it.each<[string, MessageChain, string]>([
    ['next to a picture', [image, ...plain('bad')], 'stop'],
    ['behind a mention', [{ type: 'At', target: 'bot' }, ...plain(' bad')], 'stop'],
    ['in two texts', [...plain('ba'), ...plain('d')], 'stop'],
    ['in two texts around a quote', [...plain('ba'), { type: 'Quote', origin: [] }, ...plain('d')], 'stop'],
    ['in two texts around a picture', [...plain('ba'), image, ...plain('d')], 'pass'],
    ['in a forwarded message', forward, 'stop'],
    ['in a quote', [...quoting(plain('bad')), ...plain('why?')], 'stop'],
    ['in a nested quote', [...quoting(quoting(plain('bad'))), ...plain('why?')], 'stop'],
    ['in the name of a mentioned user', [{ type: 'At', target: 'x', display: 'bad' }, ...plain('hi')], 'pass'],
  ])('with a word %s', async (_, chain, outcome) => {
    expect((await check(chain)).outcome).toBe(outcome);
  });

  it('may contain words in quotes if quotes are not read', async () => {
    const context = fakeStageContext(stageWith(defaults), {
      config: { trigger: { misc: { 'combine-quote-message': false } } },
    });
    expect(await check([{ type: 'Quote', origin: plain('bad') }, ...plain('why?')], { context })).toEqual({
      outcome: 'pass',
    });
  });
});

describe('an answer', () => {
  it('has its words masked, and reports how many', async () => {
    expect(await (await filterOf())?.finish?.([plain('a bad and ugly day')])).toEqual({
      messages: [plain('a *** and **** day')],
      reason: 'sensitive_word',
      details: { masked: 2 },
    });
    expect(await (await filterOf())?.finish?.([plain('a good day')])).toEqual({ messages: [plain('a good day')] });
  });

  it('has its words masked in every part', async () => {
    const change = await (await filterOf())?.finish?.([plain('bad'), plain('good'), plain('ugly')]);
    expect(change?.messages).toEqual([plain('***'), plain('good'), plain('****')]);
  });

  it('has its words masked in all visible texts', async () => {
    const node = { sender_name: 'bad', message_chain: [...plain('ba'), ...plain('d')] };
    const answer: MessageChain = [
      { type: 'Quote', id: 1, origin: plain('bad') },
      { type: 'Forward', display: { title: 'bad', preview: ['bad', 'good'] }, node_list: [node] },
      { type: 'At', target: 'bad', display: 'bad' },
      { type: 'File', name: 'bad.txt', url: 'https://example.com/bad' },
      { type: 'Unknown', text: 'bad' },
      { type: 'Image', url: 'https://example.com/bad' },
    ];
    expect(await finish(answer)).toEqual([
      { type: 'Quote', id: 1, origin: plain('***') },
      {
        type: 'Forward',
        display: { title: '***', preview: ['***', 'good'] },
        node_list: [{ sender_name: '***', message_chain: plain('***') }],
      },
      { type: 'At', target: 'bad', display: '***' },
      { type: 'File', name: '***.txt', url: 'https://example.com/bad' },
      { type: 'Unknown', text: '***' },
      { type: 'Image', url: 'https://example.com/bad' },
    ]);
  });

  it('has content that is nested too deeply dropped', async () => {
    let chain = plain('bad');
    for (let depth = 0; depth < 5000; depth += 1) chain = [{ type: 'Quote', origin: chain }];
    expect(JSON.stringify(await finish(chain))).not.toContain('bad');
  });

  it('has the mask of the list, and the list as it is now', async () => {
    let words = list(['bad'], { mask: '#' });
    const stage = createContentFilter({ sensitiveWords: async () => words });
    const say = async () => (await stage.answer?.(pipelineMessage(), contextOf()))?.finish?.([plain('bad worse')]);
    expect((await say())?.messages).toEqual([plain('### worse')]);
    words = list(['worse'], { mask_word: '(…)' });
    expect((await say())?.messages).toEqual([plain('bad (…)')]);
  });
});

describe('a streamed answer', () => {
  const show = async (chains: MessageChain[], words = defaults) => {
    const filter = await filterOf({ words });
    return chains.map((chain) => filter?.show?.(chain));
  };

  it('is masked, and a word over several chunks is never seen', async () => {
    const texts = ['so b', 'so ba', 'so bad', 'so bad and', 'so bad and more'].map(plain);
    expect(await show(texts, list(['bad', 'add']))).toEqual([
      plain('so '),
      plain('so '),
      plain('so '),
      plain('so *** and'),
      plain('so *** and more'),
    ]);
  });

  it('grows at its last text; others are complete', async () => {
    const image = { type: 'Image', url: 'https://example.com/a' } as const;
    expect(await show([[...plain('ba'), image, ...plain('bad ba')]], list(['bad']))).toEqual([
      [...plain('ba'), image, ...plain('*** ')],
    ]);
    expect(await show([[...plain('ba'), ...plain('d ba')]], list(['bad']))).toEqual([plain('*** ')]);
    const forward: MessageChain = [...plain('a'), { type: 'Forward', node_list: [] }, ...plain('b')];
    expect(await show([forward], list(['bad']))).toEqual([plain('a')]);
    expect(await show([[image], []], list(['bad']))).toEqual([[image], []]);
  });

  it('waits for its end when a word may have any length', async () => {
    for (const endless of ['b.*d', '(?:bad ?)+', 'b.{200}d']) {
      const filter = await filterOf({ words: list([endless]) });
      expect(filter).toMatchObject({ needsWholeText: true });
      expect(filter?.show).toBeUndefined();
    }
    expect(await filterOf({ words: list(['b.{198}d', '中'.repeat(200)]) })).not.toHaveProperty('needsWholeText');
    const text = `b${'-'.repeat(5000)}d`;
    expect(await finish(plain(text), list(['b.*d']))).toEqual(plain('*'.repeat(5002)));
  });
});
