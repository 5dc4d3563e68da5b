import { type MessageChain, ParleyError, type PipelineMessage, type Stage, type StageContext } from '@parley/sdk';
import { describe, expect, it } from 'vitest';
import { answerFilters, checkMessage, finishedAnswer, shownPart } from './pipeline-stages.ts';
import { PipelineTrace } from './pipeline-trace.ts';

const plain = (text: string): MessageChain => [{ type: 'Plain', text }];
const message = { uuid: 'message', message_chain: plain('hello') } as PipelineMessage;
const context = () => ({}) as StageContext;
const stage = (name: string, parts: Partial<Stage>): Stage => ({ name, label: { en_US: name }, ...parts });
const gates = (trace: PipelineTrace) => trace.record.trace.gates.map(({ milliseconds: _, ...gate }) => gate);

describe('the stages before an answer', () => {
  it('see the message one after the other, as those before left it', async () => {
    const seen: MessageChain[] = [];
    const trace = new PipelineTrace(1);
    const checked = await checkMessage(
      [
        stage('cut', { check: () => ({ outcome: 'pass', message_chain: plain('cut'), reason: 'quote_combined' }) }),
        stage('answers-only', { answer: () => null }),
        stage('look', {
          check: (given) => {
            seen.push(given.message_chain);
            return { outcome: 'pass', details: { length: 3 } };
          },
        }),
        stage('join', { check: () => ({ outcome: 'merge', message_chain: plain('joined'), merged: ['a', 'b'] }) }),
      ],
      message,
      context,
      trace,
    );
    expect(seen).toEqual([plain('cut')]);
    expect(checked).toEqual({
      outcome: 'pass',
      message: { ...message, message_chain: plain('joined') },
      merged: ['a', 'b'],
    });
    expect(gates(trace)).toEqual([
      { name: 'cut', outcome: 'changed', reason: 'quote_combined', details: {} },
      { name: 'look', outcome: 'passed', reason: null, details: { length: 3 } },
      { name: 'join', outcome: 'merged', reason: 'merged', details: { messages: 2 } },
    ]);
  });

  it.each([
    [{ outcome: 'stop', reason: 'ignored', notice: 'no' } as const, 'stopped'],
    [{ outcome: 'wait', until: '2026-01-01T00:00:00.000Z', reason: 'aggregating' } as const, 'waited'],
  ])('end with the first that says %j', async (result, outcome) => {
    const trace = new PipelineTrace(1);
    let isReached = false;
    const checked = await checkMessage(
      [
        stage('join', { check: () => ({ outcome: 'merge', message_chain: plain('x'), merged: ['a'] }) }),
        stage('end', { check: () => result }),
        stage('never', {
          check: () => {
            isReached = true;
            return { outcome: 'pass' };
          },
        }),
      ],
      message,
      context,
      trace,
    );
    expect(checked).toMatchObject(result);
    // Merged messages end with the stopped one; a waiting one does not affect others.
    expect('merged' in checked ? checked.merged : null).toEqual(result.outcome === 'stop' ? ['a'] : null);
    expect(isReached).toBe(false);
    expect(gates(trace).at(-1)).toMatchObject({ name: 'end', outcome, reason: result.reason });
  });

  it('that fail are recorded, distinguishing intended failures from bugs', async () => {
    const trace = new PipelineTrace(1);
    const broken = stage('broken', {
      check: () => {
        throw new TypeError('x is undefined');
      },
    });
    await expect(checkMessage([broken], message, context, trace)).rejects.toMatchObject({
      reason: 'stage_failed',
      message: 'The stage broken failed',
      cause: new TypeError('x is undefined'),
    });
    const refusing = stage('refusing', { check: () => Promise.reject(new ParleyError('quota', 'No more')) });
    await expect(checkMessage([refusing], message, context, trace)).rejects.toMatchObject({ reason: 'quota' });
    expect(gates(trace)).toMatchObject([
      { name: 'broken', outcome: 'failed', reason: 'stage_failed' },
      { name: 'refusing', outcome: 'failed', reason: 'quota' },
    ]);
  });
});

describe('the stages after an answer', () => {
  const upper = stage('upper', {
    answer: () => ({
      show: (chain) =>
        chain.map((element) => (element.type === 'Plain' ? plain(element.text.toUpperCase())[0] : element) as never),
      finish: (messages) => ({
        messages: messages.map(([first]) => plain((first as { text: string }).text.toUpperCase())),
        reason: 'long_text',
      }),
    }),
  });
  const twice = stage('twice', {
    answer: () => ({ finish: (messages) => ({ messages: [...messages, ...messages] }) }),
  });

  it('transform the shown and the sent answer, in their order', async () => {
    const filters = await answerFilters(
      [stage('none', {}), upper, stage('off', { answer: () => null }), twice],
      message,
      context,
    );
    expect(filters.map(({ stage: name }) => name)).toEqual(['upper', 'twice']);
    expect(shownPart(filters, plain('hel'))).toEqual(plain('HEL'));
    const trace = new PipelineTrace(1);
    expect(await finishedAnswer(filters, plain('hello'), trace)).toEqual([plain('HELLO'), plain('HELLO')]);
    expect(gates(trace)).toEqual([
      { name: 'upper', outcome: 'changed', reason: 'long_text', details: {} },
      { name: 'twice', outcome: 'passed', reason: null, details: {} },
    ]);
  });

  it('that empty a message drop it', async () => {
    const nothing = stage('nothing', { answer: () => ({ finish: () => ({ messages: [[], plain('a')] }) }) });
    const filters = await answerFilters([nothing], message, context);
    expect(await finishedAnswer(filters, plain('hello'), new PipelineTrace(1))).toEqual([plain('a')]);
  });

  it('that fail keep the answer from being sent', async () => {
    const broken = stage('broken', { answer: () => ({ finish: () => Promise.reject(new Error('x')) }) });
    const filters = await answerFilters([broken], message, context);
    const trace = new PipelineTrace(1);
    await expect(finishedAnswer(filters, plain('hello'), trace)).rejects.toMatchObject({ reason: 'stage_failed' });
    expect(gates(trace)).toMatchObject([{ name: 'broken', outcome: 'failed', reason: 'stage_failed' }]);
  });
});
