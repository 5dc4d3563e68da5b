import {
  type MessageChain,
  maximumChainElements,
  type PipelineMessage,
  type StageOutcome,
  textOfChain,
} from '@parley/sdk';
import { fakeStageContext, pipelineMessage, stageContract } from '@parley/sdk/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aggregation } from './index.ts';

const start = Date.parse('2026-01-01T00:00:00.000Z');
const at = (seconds: number) => new Date(start + seconds * 1000).toISOString();

const message = (name: string, seconds: number, over: Partial<PipelineMessage> = {}): PipelineMessage =>
  pipelineMessage({
    uuid: name,
    created_at: at(seconds),
    message_chain: [
      { type: 'Source', id: name, timestamp: 1 },
      { type: 'Plain', text: name },
    ],
    ...over,
  });

type Aggregation = { enabled?: boolean; delay?: number };

async function look(messages: readonly PipelineMessage[], seconds: number, settings: Aggregation = {}) {
  const [first, ...waiting] = messages;
  if (first === undefined) throw new Error('There is nothing to look at');
  const config = { trigger: { 'message-aggregation': { enabled: true, delay: 2, ...settings } } };
  const isCommand = ({ uuid }: PipelineMessage) => uuid.startsWith('!');
  const context = fakeStageContext(aggregation, { config, waiting, isCommand, now: start + seconds * 1000 });
  return (await aggregation.check?.(first, context)) as StageOutcome;
}

const on = { config: { trigger: { 'message-aggregation': { enabled: true } } } };
stageContract({
  stage: aggregation,
  contexts: [
    {},
    on,
    { ...on, now: start },
    { ...on, waiting: [message('next', 1)] },
    { ...on, waiting: [message('next', 1), message('other', 1, { sender_id: 'bob' })] },
  ],
});

describe('joining messages', () => {
  it('trigger.message-aggregation.enabled: off, nothing waits and nothing is read', async () => {
    let asked = 0;
    const waitingMessages = async () => {
      asked += 1;
      return [message('b', 0)];
    };
    const context = fakeStageContext(aggregation, { now: start, waitingMessages });
    expect(await aggregation.check?.(message('a', 0), context)).toEqual({ outcome: 'pass' });
    expect(asked).toBe(0);
  });

  it('a command does not wait and is never merged', async () => {
    expect(await look([message('!status', 0), message('a', 0.1)], 0.2)).toEqual({ outcome: 'pass' });
    expect(await look([message('a', 0), message('!status', 0.1)], 0.2)).toEqual({ outcome: 'pass' });
    expect(await look([message('a', 0), message('b', 0.1), message('!status', 0.2)], 0.3)).toMatchObject({
      outcome: 'merge',
      merged: ['b'],
    });
  });

  it('trigger.message-aggregation.enabled: on, a message waits for another one', async () => {
    expect(await look([message('a', 0)], 0.5)).toEqual({
      outcome: 'wait',
      until: at(2),
      reason: 'aggregating',
      details: { messages: 1 },
    });
  });

  it('trigger.message-aggregation.delay: is the silence after the newest message', async () => {
    expect(await look([message('a', 0), message('b', 1.5)], 2)).toMatchObject({ outcome: 'wait', until: at(3.5) });
    expect(await look([message('a', 0), message('b', 1.5)], 3.499)).toMatchObject({ outcome: 'wait' });
    expect(await look([message('a', 0), message('b', 1.5)], 3.5)).toMatchObject({ outcome: 'merge' });
    expect(await look([message('a', 0)], 2)).toEqual({ outcome: 'pass' });
  });

  it.each([
    [0, 1],
    [1, 1],
    [7.5, 7.5],
    [10, 10],
    [86_400, 10],
  ])('trigger.message-aggregation.delay: %d s means %d s', async (delay, seconds) => {
    expect(await look([message('a', 0)], 0, { delay })).toMatchObject({ outcome: 'wait', until: at(seconds) });
  });

  it('joins texts with new lines, and the source of the first stays', async () => {
    expect(await look([message('a', 0), message('b', 1), message('c', 2)], 9)).toEqual({
      outcome: 'merge',
      message_chain: [
        { type: 'Source', id: 'a', timestamp: 1 },
        { type: 'Plain', text: 'a' },
        { type: 'Plain', text: '\n' },
        { type: 'Plain', text: 'b' },
        { type: 'Plain', text: '\n' },
        { type: 'Plain', text: 'c' },
      ],
      merged: ['b', 'c'],
    });
  });

  it('does not wait any more when ten are together', async () => {
    const many = Array.from({ length: 12 }, (_, index) => message(`m${index}`, index / 10));
    expect(await look(many.slice(0, 9), 1)).toMatchObject({ outcome: 'wait', details: { messages: 9 } });
    for (const messages of [many.slice(0, 10), many]) {
      expect(await look(messages, 1)).toMatchObject({
        outcome: 'merge',
        merged: many.slice(1, 10).map(({ uuid }) => uuid),
      });
    }
  });

  it('stops waiting when another user has written, and merges none of their messages', async () => {
    const bob = message('bob', 1.2, { sender_id: 'bob' });
    expect(await look([message('a', 0), bob, message('c', 1.4)], 1.5)).toEqual({ outcome: 'pass' });
    const outcome = await look([message('a', 0), message('b', 1), bob, message('c', 1.4)], 1.5);
    expect(outcome).toMatchObject({ outcome: 'merge', merged: ['b'] });
  });

  it('does not merge messages of another pipeline', async () => {
    expect(await look([message('a', 0), message('b', 1, { pipeline_uuid: 'another' })], 1)).toEqual({
      outcome: 'pass',
    });
  });

  it('does not merge messages after a pause, however long all of them have been waiting', async () => {
    const messages = [message('a', 0), message('b', 1), message('c', 3.001), message('d', 4)];
    expect(await look(messages, 60)).toMatchObject({ outcome: 'merge', merged: ['b'] });
    expect(await look(messages.slice(2), 60)).toMatchObject({ outcome: 'merge', merged: ['d'] });
  });

  it('finds the same after a restart: all it knows is in the ledger', async () => {
    const messages = [message('a', 0), message('b', 1)];
    expect(await look(messages, 100_000)).toEqual(await look(messages, 3));
  });

  it('does not make a message of more elements than one may have', async () => {
    const long: MessageChain = Array.from({ length: 600 }, () => ({ type: 'Plain', text: '.' }));
    const quoted: MessageChain = [{ type: 'Quote', origin: long }];
    const quoting: MessageChain = [{ type: 'Forward', node_list: [{ message_chain: quoted }] }];
    const first = message('a', 0, { message_chain: long });
    for (const message_chain of [long, quoting]) {
      expect(await look([first, message('b', 0, { message_chain })], 0)).toEqual({ outcome: 'pass' });
    }
    const fitting = message('b', 0, { message_chain: long.slice(0, maximumChainElements - 601) });
    const outcome = await look([first, fitting], 9);
    expect(outcome.outcome === 'merge' && outcome.message_chain.length).toBe(maximumChainElements);
  });

  it('does not wait for a clock that was set back, but does for one that is a little ahead', async () => {
    expect(await look([message('a', 3600)], 0)).toEqual({ outcome: 'pass' });
    expect(await look([message('a', 5)], 0)).toMatchObject({ outcome: 'wait', until: at(7) });
    expect(await look([message('a', 0, { created_at: 'never' })], 0)).toEqual({ outcome: 'pass' });
  });

  it('answers each message once, in order, and only those of one user together', async () => {
    const written = fc.record({
      gap: fc.integer({ min: 0, max: 4000 }),
      sender: fc.constantFrom('ada', 'bob'),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(written, { minLength: 1, maxLength: 25 }), async (all) => {
        let seconds = 0;
        let left = all.map(({ gap, sender }, index) => {
          seconds += gap / 1000;
          return message(`m${index}`, seconds, { sender_id: sender });
        });
        const answered: string[][] = [];
        let now = 0;
        while (left[0] !== undefined) {
          const outcome = await look(left, now);
          if (outcome.outcome === 'wait') {
            const until = (Date.parse(outcome.until) - start) / 1000;
            expect(until).toBeGreaterThan(now);
            now = until;
            continue;
          }
          const merged = outcome.outcome === 'merge' ? outcome.merged : [];
          expect(merged.length).toBeLessThan(10);
          const together = left.slice(0, merged.length + 1);
          expect(new Set(together.map(({ sender_id }) => sender_id)).size).toBe(1);
          if (outcome.outcome === 'merge') {
            expect(textOfChain(outcome.message_chain)).toBe(together.map(({ uuid }) => uuid).join('\n'));
          }
          answered.push(together.map(({ uuid }) => uuid));
          left = left.slice(together.length);
        }
        expect(answered.flat()).toEqual(all.map((_, index) => `m${index}`));
      }),
    );
  });
});
