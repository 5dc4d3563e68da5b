import Type from 'typebox';
import { describe, expect, it } from 'vitest';
import type { MessageChain } from '../src/message-chain.ts';
import type { AnswerFilter, StageOutcome } from '../src/stage.ts';
import { fakeStageContext, pipelineMessage } from './fake-stage-context.ts';
import { stageContract } from './stage-contract.ts';
import { filterFaults, outcomeFaults } from './stage-faults.ts';

const plain = (text: string): MessageChain => [{ type: 'Plain', text }];
const later = pipelineMessage({ uuid: '00000000-0000-7000-8000-00000000000b', sequence: 2 });

stageContract({
  stage: {
    name: 'fake-stage',
    label: { en_US: 'Fake' },
    async check(message, context) {
      context.signal.throwIfAborted();
      if (message.session_type === 'group') return { outcome: 'stop', reason: 'ignored' };
      const [next] = await context.waitingMessages();
      if (next !== undefined) return { outcome: 'merge', message_chain: message.message_chain, merged: [next.uuid] };
      const count = await context.countEvent('key', 0, 1);
      return count > 1
        ? { outcome: 'wait', until: '2026-01-01T00:01:00.000Z', reason: 'rate_limited' }
        : { outcome: 'pass', details: { count } };
    },
    answer: () => {
      let letters = 0;
      return {
        show(chain) {
          letters = Math.max(letters, JSON.stringify(chain).length);
          return chain;
        },
        finish: (messages) => ({ messages, reason: 'long_text', details: { letters } }),
        delayMs: 5,
      };
    },
  },
  contexts: [{}, { waiting: [later] }],
});

describe('outcomeFaults', () => {
  const outcomes: [fault: string, outcome: StageOutcome][] = [
    ['there is no outcome', { outcome: 'perhaps' } as never],
    ['there is no reason', { outcome: 'stop', reason: 'because' as never }],
    ['stop without a reason', { outcome: 'stop' } as never],
    ['notice is empty', { outcome: 'stop', reason: 'ignored', notice: ' ' }],
    ['merge of nothing', { outcome: 'merge', message_chain: [], merged: [] }],
    ['not those that follow', { outcome: 'merge', message_chain: [], merged: ['two'] }],
    ['until is not an ISO 8601 UTC timestamp', { outcome: 'wait', reason: 'aggregating', until: 'tomorrow' }],
    ['must be one of', { outcome: 'pass', message_chain: [{ type: 'Shout' } as never] }],
    ['details are not JSON', { outcome: 'pass', details: { lost: undefined } }],
    ['details of', { outcome: 'pass', details: { long: 'a'.repeat(5000) } }],
  ];

  it.each(outcomes)('%s', (fault, outcome) => {
    expect(outcomeFaults(outcome, ['one', 'two'])).toEqual([expect.stringContaining(fault)]);
  });

  it('accepts valid outcomes', () => {
    for (const outcome of [
      { outcome: 'pass' },
      { outcome: 'pass', message_chain: [], reason: 'quote_combined', details: { images: 1, names: ['a', null] } },
      { outcome: 'merge', message_chain: plain('a'), merged: ['one'] },
      { outcome: 'stop', reason: 'rate_limited', notice: 'Later.' },
      { outcome: 'wait', reason: 'aggregating', until: '2026-01-01T00:00:00.000Z' },
    ] satisfies StageOutcome[]) {
      expect(outcomeFaults(outcome, ['one', 'two'])).toEqual([]);
    }
  });
});

describe('filterFaults', () => {
  const parts = ['a', 'ab', 'abc'].map(plain);
  const filters: [fault: string, filter: AnswerFilter][] = [
    ['was retracted', { show: (chain) => plain(JSON.stringify(chain).length % 2 ? 'x' : 'y') }],
    ['must be one of', { finish: () => ({ messages: [[{ type: 'Shout' } as never]] }) }],
    ['there is no reason', { finish: (messages) => ({ messages, reason: 'because' as never }) }],
    ['a wait of', { delayMs: Number.NaN }],
  ];

  it.each(filters)('%s', async (fault, filter) => {
    expect(await filterFaults(filter, parts, plain('abc'))).toContainEqual(expect.stringContaining(fault));
  });

  it('has nothing against a filter that does nothing', async () => {
    expect(await filterFaults({}, parts, plain('abc'))).toEqual([]);
  });
});

describe('fakeStageContext', () => {
  it('counts in windows, and does not count rejected events', async () => {
    const context = fakeStageContext({});
    const counts = [
      await context.countEvent('a', 1, 1),
      await context.countEvent('a', 1, 1),
      await context.countEvent('a', 1, 2),
      await context.countEvent('b', 1, 1),
      await context.countEvent('a', 2, 1),
    ];
    expect(counts).toEqual([1, 2, 2, 1, 1]);
  });

  it('lays fields over the defaults', () => {
    const rules = Type.Object({
      at: Type.Boolean({ default: true }),
      prefix: Type.Array(Type.String(), { default: ['ai'] }),
    });
    const config = Type.Object({ trigger: Type.Object({ rules }) });
    const context = fakeStageContext({ config }, { config: { trigger: { rules: { prefix: [] } } } });
    expect(context.config).toEqual({ trigger: { rules: { at: true, prefix: [] } } });
  });
});
