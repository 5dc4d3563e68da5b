import { expect, it } from 'vitest';
import { describeOnEachEngine } from '../../../test/stores/each-engine.ts';
import { conversationKey, plain } from '../../../test/stores/ledger-records.ts';
import { answerOf, ledgerSteps, noRecord, partOf, sent } from '../../../test/stores/ledger-steps.ts';
import type { MessageOutcome } from '../../core/messages/message-ledger.ts';
import { newUuid } from '../../lib/uuid.ts';

const failure = { reason: 'unknown_target', message: 'The user left' } as const;

describeOnEachEngine('a part that failed after it was sent', (storage) => {
  const { ledger, accept, claimed, messageRows } = ledgerSteps(storage);
  const rows = () => storage().database.selectFrom('deliveries').selectAll().orderBy('piece').execute();
  const fail = (botUuid: string, id = 'p-1') => ledger().deliveries.failDelivered(botUuid, id, failure);
  /** Answers a message in two parts, of which the platform names the first. */
  const answered = async (outcome: MessageOutcome = { state: 'answered', reason: 'answered' }) => {
    await accept('one');
    const question = await claimed();
    const { message } = await ledger().deliveries.finishAnswer(question, answerOf(['a', 'b']), noRecord);
    const { uuid } = message;
    await ledger().deliveries.storeHandle(partOf(uuid, 0, question), { id: 1 });
    await ledger().deliveries.settleDelivery(partOf(uuid, 0, question), { ...sent, platform_message_id: 'p-1' });
    const end = { answer: { uuid, piece: 1, delivery: sent }, merged: [], record: null };
    await ledger().messages.settle(question, outcome, end);
    return { question, answer: message };
  };

  it('is failed, and so is the message that it answers', async () => {
    const { question, answer } = await answered();
    const [before] = await messageRows();
    const failed = await fail(question.bot_uuid);
    expect(failed).toMatchObject({
      outbound: { uuid: answer.uuid },
      question: { uuid: question.uuid, state: 'failed' },
    });
    expect(await rows()).toMatchObject([
      { state: 'failed', reason: 'unknown_target', error: 'The user left', platform_message_id: 'p-1' },
      { state: 'sent', reason: null },
    ]);
    expect((await messageRows())[0]).toMatchObject({
      state: 'failed',
      reason: 'unknown_target',
      finished_at: before?.finished_at,
    });
    // The same report again is one of a message that is not sent any more.
    expect(await fail(question.bot_uuid)).toBeNull();
  });

  it('is sent by a retry as a new message', async () => {
    const { question, answer } = await answered();
    const [{ idempotency_token: token } = { idempotency_token: '' }] = await rows();
    await fail(question.bot_uuid);
    expect(await ledger().deliveries.reopenDelivery(answer, 0, '2099-01-01T00:00:00.000Z')).toEqual({
      state: 'pending',
    });
    expect(await claimed()).toMatchObject({ uuid: question.uuid, attempts: 2 });
    const [part] = (await ledger().deliveries.answerTo(question.uuid))?.deliveries ?? [];
    expect(part).toMatchObject({ state: 'pending', handle: null });
    expect(part?.idempotency_token).not.toBe(token);
  });

  it.each<[MessageOutcome, boolean]>([
    [{ state: 'uncertain', reason: 'uncertain' }, true],
    [{ state: 'stopped', reason: 'command' }, false],
    [{ state: 'failed', reason: 'provider_failed' }, false],
  ])('changes how its message ended: %j, %s', async (outcome, isChanged) => {
    const { question } = await answered(outcome);
    const failed = await fail(question.bot_uuid);
    expect(failed?.question === null).toBe(!isChanged);
    expect((await messageRows())[0]).toMatchObject(
      isChanged ? { state: 'failed', reason: 'unknown_target' } : { state: outcome.state, reason: outcome.reason },
    );
    expect((await rows())[0]).toMatchObject({ state: 'failed' });
  });

  it('does not end a message that is still answered', async () => {
    await accept('one');
    const question = await claimed();
    const { message } = await ledger().deliveries.finishAnswer(question, answerOf(['a', 'b']), noRecord);
    await ledger().deliveries.settleDelivery(partOf(message.uuid, 0, question), {
      ...sent,
      platform_message_id: 'p-1',
    });
    expect(await fail(question.bot_uuid)).toMatchObject({ outbound: { uuid: message.uuid }, question: null });
    expect((await messageRows())[0]).toMatchObject({ state: 'processing', reason: null });
    expect((await rows()).map(({ state }) => state)).toEqual(['failed', 'sending']);
  });

  it.each<[MessageOutcome, MessageOutcome]>([
    [
      { state: 'answered', reason: 'answered' },
      { state: 'failed', reason: 'unknown_target' },
    ],
    [
      { state: 'uncertain', reason: 'uncertain' },
      { state: 'failed', reason: 'unknown_target' },
    ],
    [
      { state: 'stopped', reason: 'command' },
      { state: 'stopped', reason: 'command' },
    ],
  ])('decides how a message ends that was still answered: %j, %j', async (intended, stored) => {
    await accept('one');
    const question = await claimed();
    const { message } = await ledger().deliveries.finishAnswer(question, answerOf(['a', 'b']), noRecord);
    const { uuid } = message;
    await ledger().deliveries.settleDelivery(partOf(uuid, 0, question), { ...sent, platform_message_id: 'p-1' });
    await fail(question.bot_uuid);
    const end = { answer: { uuid, piece: 1, delivery: sent }, merged: [], record: null };
    expect(await ledger().messages.settle(question, intended, end)).toEqual(stored);
    expect((await messageRows())[0]).toMatchObject(stored);
    expect((await rows()).map(({ state }) => state)).toEqual(['failed', 'sent']);
  });

  it('may be an unsolicited message', async () => {
    const key = conversationKey();
    const news = await ledger().deliveries.createOutgoing(key, plain('News'), 'News');
    const { uuid } = news;
    await ledger().deliveries.settleDelivery(partOf(uuid, 0, news), { ...sent, platform_message_id: 'p-1' });
    expect(await fail(key.bot_uuid)).toMatchObject({ outbound: { uuid, state: 'finished' }, question: null });
    const [outbound] = await messageRows();
    if (outbound === undefined) throw new Error('no message');
    expect(await rows()).toMatchObject([{ state: 'failed', reason: 'unknown_target' }]);
  });

  it('is the latest where the platform uses an id again', async () => {
    const { question } = await answered();
    await storage().database.updateTable('deliveries').set({ updated_at: '2026-01-01T00:00:00.000Z' }).execute();
    const { answer } = await answered();
    expect(await fail(question.bot_uuid)).toMatchObject({ outbound: { uuid: answer.uuid } });
  });

  it.each([
    ['of another bot', 'p-1', newUuid()],
    ['with another id', 'p-2', undefined],
    ['without an id', '', undefined],
    ['with a broken id', 'p\u0000-1\ud800', undefined],
    ['with a huge id', 'p'.repeat(1_000_000), undefined],
  ])('is none %s', async (_, id, other) => {
    const { question } = await answered();
    expect(await fail(other ?? question.bot_uuid, id)).toBeNull();
    expect((await rows()).map(({ state }) => state)).toEqual(['sent', 'sent']);
  });
});
