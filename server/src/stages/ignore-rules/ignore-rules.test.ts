import type { MessageChain, MessageElement } from '@parley/sdk';
import { fakeStageContext, pipelineMessage, stageContract } from '@parley/sdk/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createIgnoreRules } from './index.ts';

const stage = createIgnoreRules();
const plain = (text: string): MessageElement => ({ type: 'Plain', text });

type Rules = { prefix?: string[]; regexp?: string[] };

const look = async (message_chain: MessageChain, rules: Rules) =>
  stage.check?.(
    pipelineMessage({ message_chain }),
    fakeStageContext(stage, { config: { trigger: { 'ignore-rules': rules } } }),
  );

const isIgnored = async (text: string, rules: Rules) => (await look([plain(text)], rules))?.outcome === 'stop';

stageContract({
  stage,
  contexts: [
    {},
    { config: { trigger: { 'ignore-rules': { prefix: ['Hel'], regexp: ['(?=x)'] } } } },
    { config: { trigger: { 'ignore-rules': { regexp: ['(?<!x)', '(a+)+$', 'a'.repeat(4096), 'o'] } } } },
    { config: { trigger: { 'ignore-rules': { regexp: Array.from({ length: 1000 }, (_, index) => `(${index}`) } } } },
  ],
});

describe('messages to pass over', () => {
  it('trigger.ignore-rules.prefix: silently ends a message that starts with one', async () => {
    expect(await look([plain('/help me')], { prefix: ['!', '/'] })).toEqual({
      outcome: 'stop',
      reason: 'ignored',
      details: { rule: 'prefix', prefix: ['/'] },
    });
    expect(await isIgnored('help /me', { prefix: ['/'] })).toBe(false);
    expect(await isIgnored('  /help', { prefix: ['/'] })).toBe(true);
    expect(await isIgnored('AI', { prefix: ['ai'] })).toBe(false);
  });

  it('trigger.ignore-rules.prefix: an empty one means nothing', async () => {
    expect(await isIgnored('hello', { prefix: ['', '  '] })).toBe(false);
  });

  it('trigger.ignore-rules.regexp: ends a message with a match anywhere, without a word', async () => {
    expect(await look([plain('see you tomorrow')], { regexp: ['^you', 'y\\w+ t'] })).toEqual({
      outcome: 'stop',
      reason: 'ignored',
      details: { rule: 'regexp', regexp: ['y\\w+ t'] },
    });
    expect(await isIgnored('see you', { regexp: ['^you'] })).toBe(false);
    expect(await isIgnored('我要退订', { regexp: ['(?P<what>退订|取消)'] })).toBe(true);
    expect(await isIgnored('HELLO', { regexp: ['(?i)hello'] })).toBe(true);
  });

  it('trigger.ignore-rules.regexp: an empty one means nothing', async () => {
    expect(await look([plain('hello')], { regexp: [''] })).toEqual({ outcome: 'pass', details: {} });
  });

  it('trigger.ignore-rules.regexp: an invalid one never matches, which the trace shows', async () => {
    expect(await look([plain('hello')], { regexp: ['(?=h)', '(h)\\1'] })).toEqual({
      outcome: 'pass',
      details: { invalid_pattern: ['(?=h)', '(h)\\1'] },
    });
    expect(await look([plain('hello')], { regexp: ['(?=h)', 'l+'] })).toMatchObject({
      outcome: 'stop',
      details: { regexp: ['l+'], invalid_pattern: ['(?=h)'] },
    });
  });

  it.each<[string, MessageChain]>([
    ['an image', [{ type: 'Image', path: 'stored' }, plain('buy now')]],
    ['a mention', [plain('buy '), { type: 'At', target: 'someone' }, plain(' now')]],
    ['a quote', [{ type: 'Quote', origin: [plain('quoted')] }, plain('buy now')]],
    ['a source', [{ type: 'Source', id: 1, timestamp: 1 }, plain('buy now')]],
    ['two texts', [plain('bu'), plain('y now')]],
  ])('matches a message with %s', async (_name, chain) => {
    expect((await look(chain, { regexp: ['buy.*now'] }))?.outcome).toBe('stop');
  });

  it('checks the text of the message, not quotes', async () => {
    expect((await look([{ type: 'Quote', origin: [plain('buy')] }, plain('hm')], { regexp: ['buy'] }))?.outcome).toBe(
      'pass',
    );
  });

  it('ends a message when one of its rules would alone, in whatever order', async () => {
    const prefix = fc.array(fc.stringMatching(/^[ab ]{0,2}$/), { maxLength: 3 });
    const regexp = fc.array(fc.constantFrom('a+b', '^b', 'b$', '(?=a)', '', 'c'), { maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(prefix, regexp, fc.stringMatching(/^[abc ]{0,6}$/), async (prefixes, patterns, text) => {
        const alone = [...prefixes.map((one) => ({ prefix: [one] })), ...patterns.map((one) => ({ regexp: [one] }))];
        const expected = (await Promise.all(alone.map((rules) => isIgnored(text, rules)))).includes(true);
        expect(await isIgnored(text, { prefix: prefixes, regexp: patterns })).toBe(expected);
        const reversed = { prefix: prefixes.toReversed(), regexp: patterns.toReversed() };
        expect(await isIgnored(text, reversed)).toBe(expected);
      }),
    );
  });
});
