import { type MessageChain, type MessageElement, type MessageFacts, type StageOutcome, textOfChain } from '@parley/sdk';
import { fakeStageContext, pipelineMessage, stageContract } from '@parley/sdk/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createGroupRules } from './index.ts';

const stage = createGroupRules();
const plain = (text: string): MessageElement => ({ type: 'Plain', text });
const mention = (target: string | number = 'bot'): MessageElement => ({ type: 'At', target });
const source: MessageElement = { type: 'Source', id: 1, timestamp: 1 };
const image: MessageElement = { type: 'Image', path: 'stored' };
const quoted: MessageElement = { type: 'Quote', origin: [mention(), plain('ai')] };

type Rules = { at?: boolean; 'all-mentions'?: boolean; prefix?: string[]; regexp?: string[]; random?: number };
/** No rule at all. */
const none = { at: false, prefix: [], regexp: [], random: 0 };

interface Circumstances {
  chance?: number;
  botAccountId?: string | null;
  facts?: MessageFacts;
}

async function look(message_chain: MessageChain, rules: Rules, circumstances: Circumstances = {}) {
  const { chance, botAccountId = 'bot', facts = {} } = circumstances;
  const used = chance === undefined ? stage : createGroupRules({ chance: () => chance });
  const config = { trigger: { 'group-respond-rules': { ...none, ...rules } } };
  const message = pipelineMessage({ session_type: 'group', session_id: 'friends', message_chain, facts });
  return (await used.check?.(message, fakeStageContext(stage, { config, botAccountId }))) as StageOutcome;
}

/** The chain of a message that passes; null for one that does not. */
async function left(message_chain: MessageChain, rules: Rules, circumstances?: Circumstances) {
  const outcome = await look(message_chain, rules, circumstances);
  return outcome.outcome === 'pass' ? (outcome.message_chain ?? message_chain) : null;
}

async function ruleOf(message_chain: MessageChain, rules: Rules, circumstances?: Circumstances) {
  const outcome = await look(message_chain, rules, circumstances);
  return outcome.outcome === 'pass' ? outcome.details?.rule : null;
}

stageContract({
  stage,
  contexts: [
    {},
    { config: { trigger: { 'group-respond-rules': { random: 0.5 } } } },
    {
      config: {
        trigger: {
          'group-respond-rules': {
            prefix: Array.from({ length: 1000 }, (_, index) => `${index}`.repeat(1000)),
            regexp: ['(?=x)', '(a+)+$', 'H', ...Array.from({ length: 900 }, (_, index) => `(${'x'.repeat(index)}`)],
          },
        },
      },
    },
  ],
});

describe('rules for groups', () => {
  it('let private messages through as they are', async () => {
    const context = fakeStageContext(stage, { config: { trigger: { 'group-respond-rules': none } } });
    const message = pipelineMessage({ message_chain: [mention(), plain('ai hello')] });
    expect(await stage.check?.(message, context)).toEqual({ outcome: 'pass' });
  });

  it('end a message silently when none matches, and record the active rules', async () => {
    const rules = {
      at: true,
      prefix: ['ai', 'a'.repeat(500)],
      regexp: ['1', '2', '3', '4', '5', '6', '7'],
      random: 0.25,
    };
    expect(await look([plain('hello')], rules, { chance: 0.25 })).toEqual({
      outcome: 'stop',
      reason: 'group_rule_not_matched',
      details: {
        rules: {
          at: true,
          'all-mentions': false,
          prefix: ['ai', `${'a'.repeat(80)}…`],
          regexp: ['1', '2', '3', '4', '5', '… 2 more'],
          random: 0.25,
        },
      },
    });
    expect((await look([plain('ai hello')], none)).outcome).toBe('stop');
  });

  it('trigger.group-respond-rules.at: a message that mentions the bot passes, without the mention', async () => {
    expect(await look([source, mention(), plain(' hello')], { at: true })).toEqual({
      outcome: 'pass',
      message_chain: [source, plain('hello')],
      details: { rule: 'at' },
    });
    expect(await left([plain('what does '), mention(), plain(' say?')], { at: true })).toEqual([
      plain('what does '),
      plain(' say?'),
    ]);
    expect(await left([mention(), plain('hello')], { at: false })).toBeNull();
  });

  it('trigger.group-respond-rules.at: identifiers are compared as texts', async () => {
    expect(await ruleOf([mention(123)], { at: true }, { botAccountId: '123' })).toBe('at');
    expect(await ruleOf([mention('123')], { at: true }, { botAccountId: '123' })).toBe('at');
  });

  it.each<[string, MessageElement, string | null]>([
    ['of another user', mention('bob'), 'bot'],
    ['of everybody', { type: 'AtAll' }, 'bot'],
    ['in a quote', quoted, 'bot'],
    ['while the bot does not know itself', mention('null'), null],
  ])('trigger.group-respond-rules.at: a mention %s does not count', async (_name, element, botAccountId) => {
    const outcome = await look([element, plain(' hello')], { at: true }, { botAccountId });
    expect(outcome.outcome).toBe('stop');
  });

  it.each(['role', 'reply', 'everyone'] as const)(
    'trigger.group-respond-rules.all-mentions: a mention by %s counts only if it is on, beside `at`',
    async (kind) => {
      const facts = { bot_mentions: [kind] };
      expect((await look([plain('hello')], { at: true }, { facts })).outcome).toBe('stop');
      expect((await look([plain('hello')], { 'all-mentions': true }, { facts })).outcome).toBe('stop');
      const both = { at: true, 'all-mentions': true };
      expect(await look([plain('hello')], both, { facts })).toEqual({
        outcome: 'pass',
        details: { rule: 'at', mentions: [kind] },
      });
      expect(await look([plain('hello')], both)).toMatchObject({ outcome: 'stop' });
      expect(await look([mention(), plain('hello')], both, { facts })).toEqual({
        outcome: 'pass',
        message_chain: [plain('hello')],
        details: { rule: 'at' },
      });
    },
  );

  it('trigger.group-respond-rules.prefix: is cut from the first text only, with white space around it', async () => {
    expect(await look([plain(' ai  tell me'), image, plain('ai again')], { prefix: ['ai'] })).toEqual({
      outcome: 'pass',
      message_chain: [plain('tell me'), image, plain('ai again')],
      details: { rule: 'prefix', prefix: ['ai'] },
    });
    expect(await left([plain('AI tell me')], { prefix: ['ai'] })).toBeNull();
    expect(await left([plain('hey ai')], { prefix: ['ai'] })).toBeNull();
  });

  it('trigger.group-respond-rules.prefix: an empty one means nothing', async () => {
    expect(await left([plain('hello')], { prefix: ['', '  '] })).toBeNull();
    expect(await left([plain('')], { prefix: [''] })).toBeNull();
  });

  it('trigger.group-respond-rules.prefix: the longest of those that fit is cut', async () => {
    expect(await left([plain('ai: hello')], { prefix: ['ai', 'ai:', 'a'] })).toEqual([plain('hello')]);
  });

  it('trigger.group-respond-rules.prefix: may be all of a text, go over several, or follow a mention', async () => {
    expect(await left([plain('ai'), plain('\n'), plain('hello')], { prefix: ['ai'] })).toEqual([plain('hello')]);
    expect(await left([plain('hey '), plain('bot, hello')], { prefix: ['hey bot,'] })).toEqual([plain('hello')]);
    expect(await left([source, quoted, mention(), plain(' ai'), image], { prefix: ['ai'] })).toEqual([
      source,
      quoted,
      image,
    ]);
    expect(await left([plain('ai')], { prefix: ['ai'] })).toEqual([]);
  });

  it('trigger.group-respond-rules.prefix: a placeholder of an image is not cut', async () => {
    expect(await left([image, plain('hello')], { prefix: ['[Image]'] })).toEqual([image, plain('hello')]);
    expect(await left([plain('a'), mention('bob'), plain(' c')], { prefix: ['a@bob'] })).toEqual([
      plain('a'),
      mention('bob'),
      plain(' c'),
    ]);
  });

  it('trigger.group-respond-rules.regexp: matches from the start of the text, which is unchanged', async () => {
    expect(await look([plain('weather in Oslo')], { regexp: ['in', 'w\\w+ in'] })).toEqual({
      outcome: 'pass',
      details: { rule: 'regexp', regexp: ['w\\w+ in'] },
    });
    expect(await left([plain('weather in Oslo')], { regexp: ['in'] })).toBeNull();
    expect(await ruleOf([mention(), plain('  天气')], { regexp: ['(?P<what>\\w+)$'] })).toBe('regexp');
    expect(await ruleOf([plain('Hi')], { regexp: ['(?i)hi|bye'] })).toBe('regexp');
    expect(await ruleOf([plain('oh hi')], { regexp: ['hi|hi'] })).toBeNull();
  });

  it('trigger.group-respond-rules.regexp: an empty one means nothing', async () => {
    expect(await left([plain('hello')], { regexp: [''] })).toBeNull();
  });

  it('trigger.group-respond-rules.regexp: an invalid one never matches, which the trace shows', async () => {
    expect((await look([plain('hello')], { regexp: ['(?=h)'] })).details).toMatchObject({ invalid_pattern: ['(?=h)'] });
    expect(await look([plain('hello')], { regexp: ['(h)\\1', 'h'] })).toMatchObject({
      outcome: 'pass',
      details: { rule: 'regexp', invalid_pattern: ['(h)\\1'] },
    });
  });

  it('trigger.group-respond-rules.random: lets that share of the messages through', async () => {
    expect(await ruleOf([plain('hello')], { random: 0.3 }, { chance: 0.29 })).toBe('random');
    expect(await ruleOf([plain('hello')], { random: 0.3 }, { chance: 0.3 })).toBeNull();
    expect(await ruleOf([plain('hello')], { random: 1 }, { chance: 0.999_999 })).toBe('random');
    expect(await ruleOf([plain('hello')], { random: 0 }, { chance: 0 })).toBeNull();
  });

  it('trigger.group-respond-rules.random: is rolled only when nothing else held', async () => {
    let rolled = 0;
    const counting = createGroupRules({
      chance: () => {
        rolled += 1;
        return 0;
      },
    });
    const config = { trigger: { 'group-respond-rules': { at: true, prefix: ['ai'], regexp: ['w'], random: 0.5 } } };
    for (const chain of [[mention()], [plain('ai')], [plain('what')], [plain('hello')]]) {
      await counting.check?.(
        pipelineMessage({ session_type: 'group', message_chain: chain }),
        fakeStageContext(stage, { config }),
      );
    }
    expect(rolled).toBe(1);
  });

  it('trigger.group-respond-rules.random: a message has the same luck each time, and messages differ', async () => {
    const context = fakeStageContext(stage, {
      config: { trigger: { 'group-respond-rules': { ...none, random: 0.4 } } },
    });
    const outcomes = (uuid: string) =>
      Promise.all(
        [1, 2].map(
          async () => (await stage.check?.(pipelineMessage({ uuid, session_type: 'group' }), context))?.outcome,
        ),
      );
    let passed = 0;
    for (let index = 0; index < 2000; index += 1) {
      const [first, second] = await outcomes(`01900000-0000-7000-8000-${index.toString(16).padStart(12, '0')}`);
      expect(second).toBe(first);
      if (first === 'pass') passed += 1;
    }
    // The luck of these messages never changes: 2000 times 0.4, give or take.
    expect(passed).toBeGreaterThan(740);
    expect(passed).toBeLessThan(860);
  });

  it('are checked in a fixed order', async () => {
    const all = { at: true, prefix: ['a'], regexp: ['a'], random: 1 };
    expect(await ruleOf([mention(), plain('a')], all)).toBe('at');
    expect(await ruleOf([plain('a')], all)).toBe('prefix');
    expect(await ruleOf([plain('a')], { ...all, prefix: [] })).toBe('regexp');
    expect(await ruleOf([plain('b')], all)).toBe('random');
  });

  it('take away mentions and a prefix whichever rule held', async () => {
    const chain = [mention(), plain(' ai hello')];
    for (const rules of [{ at: true }, { regexp: ['ai h'] }, { random: 1 }]) {
      expect(await left(chain, { ...rules, prefix: [] })).toEqual([plain('ai hello')]);
      expect(await left(chain, { ...rules, prefix: ['ai'] })).toEqual([plain('hello')]);
    }
  });

  it('take away all mentions at the start, and others until there were two', async () => {
    const three = [mention(), mention(), mention()];
    expect(await left([source, ...three, plain(' hello')], { at: true })).toEqual([source, plain('hello')]);
    expect(await left([plain(' '), mention(), plain(' hello '), ...three], { at: true })).toEqual([
      plain('hello '),
      mention(),
      mention(),
    ]);
    expect(await left([plain('hello '), ...three], { at: true })).toEqual([plain('hello '), mention()]);
    expect(await left([mention()], { at: true })).toEqual([]);
  });

  it('let a message through when one of them would alone, and take away the same', async () => {
    const text = fc.stringMatching(/^[ab ]{0,4}$/).map(plain);
    const chain = fc.array(fc.oneof(text, fc.constantFrom(mention(), mention('bob'), image, source)), { maxLength: 5 });
    const rules = fc.record({
      at: fc.boolean(),
      prefix: fc.array(fc.stringMatching(/^[ab ]{0,3}$/), { maxLength: 3 }),
      regexp: fc.array(fc.constantFrom('a+b', 'b$', '(?=a)', '', 'a b'), { maxLength: 3 }),
    });
    await fc.assert(
      fc.asyncProperty(chain, rules, async (message, { at, prefix, regexp }) => {
        const alone: Rules[] = [
          { at },
          ...prefix.map((one) => ({ prefix: [one] })),
          ...regexp.map((one) => ({ regexp: [one] })),
        ];
        const holds = (await Promise.all(alone.map((one) => ruleOf(message, one)))).some((rule) => rule !== null);
        const found = await left(message, { at, prefix, regexp });
        expect(found !== null).toBe(holds);
        const reversed = { at, prefix: prefix.toReversed(), regexp: regexp.toReversed() };
        expect(await left(message, reversed)).toEqual(found);
        if (found === null) return;
        // The result is a suffix of the message without its mentions, with all elements other than texts.
        const unmentioned = textOfChain(message.filter((each) => each.type !== 'At' || each.target !== 'bot'));
        const rest = textOfChain(found.filter((each) => each.type !== 'At' || each.target !== 'bot'));
        expect(unmentioned.endsWith(rest)).toBe(true);
        const others = (each: MessageElement) => each.type !== 'Plain' && (each.type !== 'At' || each.target !== 'bot');
        expect(found.filter(others)).toEqual(message.filter(others));
        // It passes on the same when everything passes: nothing depends on the rule that held.
        expect(await left(message, { at: false, prefix, random: 1 })).toEqual(found);
      }),
      { numRuns: 300 },
    );
  });
});
