import type { MessageReceipt } from '@parley/sdk';
import { textOfChain } from '@parley/sdk';
import { expect, it } from 'vitest';
import { describeOnEachEngine } from '../../../test/stores/each-engine.ts';
import { conversationKey, plain } from '../../../test/stores/ledger-records.ts';
import { answerOf, ledgerSteps, noRecord, sent } from '../../../test/stores/ledger-steps.ts';

describeOnEachEngine('history before a message', (storage) => {
  const { ledger, accept, claimed, answer, end, conversationOf } = ledgerSteps(storage);
  const messagesBefore = async (sequence: number, rounds: number) =>
    ledger().history.before((await conversationOf()).uuid, sequence, rounds);
  const textsBefore = async (sequence: number, rounds: number) =>
    (await messagesBefore(sequence, rounds)).map(({ text }) => text);

  it('is answered questions with their answers, up to a number of rounds', async () => {
    for (const number of [1, 2, 3]) {
      await accept(`question ${number}`);
      await answer(await claimed(), `answer ${number}`);
    }
    await accept('unheard');
    await end(await claimed(), { state: 'stopped', reason: 'no_pipeline' });
    await accept('failed');
    const failed = await claimed();
    const { message } = await ledger().deliveries.finishAnswer(
      failed,
      answerOf('Request failed.', { state: 'failed' }),
      noRecord,
    );
    await ledger().messages.settle(
      failed,
      { state: 'failed', reason: 'provider_failed' },
      { answer: { uuid: message.uuid, piece: 0, delivery: sent }, merged: [], record: null },
    );
    const { sequence } = await accept('now');
    expect(await textsBefore(sequence, 2)).toEqual(['question 2', 'answer 2', 'question 3', 'answer 3']);
    expect(await textsBefore(sequence, 10)).toHaveLength(6);
    expect(await textsBefore(1, 10)).toEqual([]);
    expect(await textsBefore(sequence, 0)).toEqual([]);
  });

  it('has an answer after its question, although more questions came before it was written', async () => {
    const receipts: MessageReceipt[] = [];
    for (const text of ['one', 'two', 'three']) receipts.push(await accept(text));
    await answer(await claimed(), 'answer to one');
    await answer(await claimed(), 'answer to two');
    const { sequence } = receipts[2] as MessageReceipt;
    expect(await textsBefore(sequence, 10)).toEqual(['one', 'answer to one', 'two', 'answer to two']);
    expect(await textsBefore(sequence, 1)).toEqual(['two', 'answer to two']);
  });

  it('has unsolicited messages sent before the message', async () => {
    await ledger().deliveries.createOutgoing(conversationKey(), plain('Shall I?'), 'Shall I?');
    const { sequence } = await accept('Yes');
    await ledger().deliveries.createOutgoing(conversationKey(), plain('later'), 'later');
    expect(await textsBefore(sequence, 10)).toEqual(['Shall I?']);
  });

  it('has only the unasked messages since its first question', async () => {
    await ledger().deliveries.createOutgoing(conversationKey(), plain('long ago'), 'long ago');
    await accept('one');
    await answer(await claimed(), 'answer to one');
    await ledger().deliveries.createOutgoing(conversationKey(), plain('news'), 'news');
    const { sequence } = await accept('two');
    expect(await textsBefore(sequence, 1)).toEqual(['one', 'answer to one', 'news']);
    expect(await textsBefore(sequence, 2)).toEqual(['long ago', 'one', 'answer to one', 'news']);
  });

  it('has a question with those merged into it', async () => {
    for (const text of ['one', 'two', 'three', 'other']) await accept(text);
    const message = await claimed();
    const [second, third] = await ledger().messages.waitingBehind(message, 2);
    // In the order in which they came, whatever the order in which they are named.
    await answer(message, 'to all', [third?.uuid ?? '', second?.uuid ?? '']);
    const { sequence } = await claimed();
    const [asked, said, ...more] = await messagesBefore(sequence, 5);
    expect([asked?.text, said?.text, more.length]).toEqual(['one\ntwo\nthree', 'to all', 0]);
    expect(textOfChain(asked?.message_chain ?? [])).toBe('one\ntwo\nthree');
  });

  it('has a question whose answer was stopped, with what was sent of it, unless nothing was', async () => {
    await accept('one');
    await answer(await claimed(), 'answer to one');
    await accept('two');
    const stopped = await claimed();
    const outcome = { state: 'stopped', reason: 'answer_stopped' } as const;
    const { message } = await ledger().deliveries.finishAnswer(stopped, answerOf('answer to', { outcome }), noRecord);
    const part = { answer: { uuid: message.uuid, piece: 0, delivery: sent }, merged: [], record: null };
    await ledger().messages.settle(stopped, outcome, part);
    await accept('three');
    await end(await claimed(), { state: 'stopped', reason: 'cancelled' });
    const { sequence } = await accept('now');
    expect(await textsBefore(sequence, 1)).toEqual(['two', 'answer to']);
    expect(await textsBefore(sequence, 2)).toEqual(['one', 'answer to one', 'two', 'answer to']);
    expect(await ledger().history.status(await claimed())).toMatchObject({ rounds: 2 });
  });

  it('has no commands and no replies to them', async () => {
    await accept('!model small');
    const command = await claimed();
    const outcome = { state: 'answered', reason: 'command' } as const;
    const { message } = await ledger().deliveries.finishAnswer(command, answerOf('Done', { outcome }), noRecord);
    const delivered = { answer: { uuid: message.uuid, piece: 0, delivery: sent }, merged: [], record: null };
    await ledger().messages.settle(command, outcome, delivered);
    const { sequence } = await accept('now');
    expect(await textsBefore(sequence, 5)).toEqual([]);
  });

  it('is empty after the conversation was ended', async () => {
    await accept('one');
    await answer(await claimed(), 'answer to one');
    await ledger().conversations.endCurrent(conversationKey());
    const { sequence } = await accept('two');
    expect(await textsBefore(sequence, 10)).toEqual([]);
  });

  it('is counted for the status of the conversation', async () => {
    const first = await accept('one');
    await answer(await claimed(), 'answer to one');
    await accept('stopped');
    await end(await claimed(), { state: 'stopped', reason: 'ignored' });
    await accept('!status');
    await accept('behind it');
    const { created_at } = await conversationOf();
    expect(await ledger().history.status(await claimed())).toEqual({ rounds: 1, waiting: 1, since: created_at });
    expect(created_at <= first.created_at).toBe(true);
  });

  it('counts the messages that failed since a command', async () => {
    await accept('long ago');
    await end(await claimed(), { state: 'stopped', reason: 'cancelled' });
    // So that the timestamps differ, which have a resolution of a millisecond.
    await new Promise((resolve) => setTimeout(resolve, 5));
    for (const text of ['running', 'waiting', '!cancel', 'behind it']) await accept(text);
    await accept('other', 'bob');
    const running = await claimed();
    const [, command] = await ledger().messages.waitingBehind(running, 2);
    if (command === undefined) throw new Error('the command does not wait');
    await end(running, { state: 'stopped', reason: 'cancelled' });
    await ledger().messages.stopWaiting(running.conversation_uuid, command.sequence, 'cancelled');
    await end(await claimed(), { state: 'stopped', reason: 'cancelled' });
    expect(await ledger().history.cancelledBy(command)).toBe(2);
  });

  it('uses the model that was selected for the conversation', async () => {
    await accept('one');
    await accept('two');
    const message = await claimed();
    expect(message.model_uuid).toBeNull();
    await ledger().conversations.chooseModel(message.conversation_uuid, 'some model');
    await end(message);
    const next = await claimed();
    expect(next.model_uuid).toBe('some model');
    await ledger().conversations.chooseModel(message.conversation_uuid, null);
    await ledger().messages.release(next, null);
    expect((await claimed()).model_uuid).toBeNull();
  });
});
