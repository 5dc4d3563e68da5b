import { expect, it } from 'vitest';
import { citationReport, retrievalRecord } from '../../../test/factories/retrieval-records.ts';
import { claimOne } from '../../../test/stores/claim-one.ts';
import { describeOnEachEngine } from '../../../test/stores/each-engine.ts';
import { conversationKey, plain } from '../../../test/stores/ledger-records.ts';
import { answered, answerOf, ledgerSteps, noRecord, partOf, sent } from '../../../test/stores/ledger-steps.ts';
import type { DeliveryOutcome } from '../../core/messages/delivery.ts';
import type { MessageRecord } from '../../core/messages/message-trace.ts';
import { newUuid } from '../../lib/uuid.ts';

const tooMany = { piece: 0, reason: 'quota', error: 'Too many', unconfirmed_since: null } as const;
const failed: DeliveryOutcome = { state: 'failed', reason: 'quota', error: 'too many', platform_message_id: null };

describeOnEachEngine('answers in the ledger', (storage) => {
  const { ledger, accept, claimed, end, deliveries, messageRows } = ledgerSteps(storage);
  const question = async (text = 'one') => {
    await accept(text);
    return claimed();
  };
  const traceOf = async (uuid: string) => {
    const rows = await storage().database.selectFrom('message_traces').selectAll().execute();
    const row = rows.find(({ message_uuid }) => message_uuid === uuid);
    return row === undefined ? null : JSON.parse(row.trace);
  };
  const calls = () => storage().database.selectFrom('model_calls').selectAll().orderBy('uuid').execute();
  const recordOf = (attempt: number, tokens: number): MessageRecord => ({
    trace: {
      attempt,
      gates: [{ name: 'runner', outcome: 'passed', reason: null, milliseconds: 1.5, details: { characters: 2 } }],
    },
    model_calls: [
      {
        uuid: newUuid(),
        model_uuid: 'model',
        model_name: 'small',
        started_at: '2026-01-01T00:00:00.000Z',
        milliseconds: 20,
        first_piece_milliseconds: null,
        input_tokens: tokens,
        output_tokens: 2,
        cost: 0.00125,
        reason: null,
        error: null,
      },
    ],
  });

  it('start once, however often requested', async () => {
    const message = await question();
    const first = await ledger().deliveries.beginAnswer(message);
    expect(first).toMatchObject({ direction: 'outbound', reply_to: message.uuid, sequence: 2, state: 'writing' });
    expect(await ledger().deliveries.beginAnswer(message)).toEqual(first);
    expect(await messageRows()).toHaveLength(2);
    expect(await deliveries()).toEqual({});
    expect(await ledger().deliveries.answerTo(message.uuid)).toMatchObject({ message: first, deliveries: [] });
  });

  it('keep until they are complete that a part of them may remain', async () => {
    const message = await question();
    const first = await ledger().deliveries.beginAnswer(message);
    expect(first.reason).toBeNull();
    await ledger().deliveries.beginAnswer(message, true);
    await ledger().deliveries.beginAnswer(message);
    expect((await ledger().deliveries.answerTo(message.uuid))?.message).toEqual({
      ...first,
      reason: 'partial_remains',
    });
    const { message: finished } = await ledger().deliveries.finishAnswer(message, answerOf('Hi'), noRecord);
    expect(finished.reason).toBeNull();
    expect((await ledger().deliveries.answerTo(message.uuid))?.message).toEqual(finished);
  });

  it('are sent as messages of their own where what was shown cannot be completed', async () => {
    const message = await question();
    const { uuid } = await ledger().deliveries.beginAnswer(message);
    await ledger().deliveries.storeHandle(partOf(uuid, 0, message), { id: 7 });
    await ledger().deliveries.finishAnswer(message, answerOf(['Hel', 'lo']), noRecord);
    const token = await ledger().deliveries.detachDelivery(partOf(uuid, 0, message));
    expect((await ledger().deliveries.answerTo(message.uuid))?.deliveries).toMatchObject([
      { piece: 0, state: 'sending', handle: null, idempotency_token: token },
      { piece: 1, state: 'pending', idempotency_token: `${uuid}.1` },
    ]);
    expect(token).not.toBe(uuid);
    await ledger().messages.release(message, null);
    await expect(ledger().deliveries.detachDelivery(partOf(uuid, 0, message))).rejects.toThrow(
      'not claimed by this process',
    );
  });

  it.each([true, false])('are complete with a delivery for each part (started before: %s)', async (isBegun) => {
    const message = await question();
    expect(await ledger().deliveries.answerTo(message.uuid)).toBeNull();
    const begun = isBegun ? await ledger().deliveries.beginAnswer(message) : null;
    const stored = await ledger().deliveries.finishAnswer(message, answerOf(['Hel', 'lo', '!']), noRecord);
    const { uuid } = stored.message;
    if (begun !== null) expect(uuid).toBe(begun.uuid);
    expect(stored.message).toMatchObject({
      direction: 'outbound',
      reply_to: message.uuid,
      sequence: 2,
      state: 'finished',
      text: 'Hello!',
      message_chain: [...plain('Hel'), ...plain('lo'), ...plain('!')],
      finished_at: expect.stringMatching(/Z$/),
    });
    const delivery = {
      message_uuid: uuid,
      platform_message_id: null,
      reason: null,
      error: null,
      expires_at: null,
      unconfirmed_since: null,
      handle: null,
      created_at: expect.stringMatching(/Z$/),
      updated_at: expect.stringMatching(/Z$/),
    };
    expect(stored.deliveries).toEqual([
      { ...delivery, piece: 0, message_chain: plain('Hel'), state: 'sending', idempotency_token: uuid },
      { ...delivery, piece: 1, message_chain: plain('lo'), state: 'pending', idempotency_token: `${uuid}.1` },
      { ...delivery, piece: 2, message_chain: plain('!'), state: 'pending', idempotency_token: `${uuid}.2` },
    ]);
    expect(stored.outcome).toEqual(answered);
    expect(await ledger().deliveries.answerTo(message.uuid)).toEqual(stored);
    expect((await messageRows())[0]).toMatchObject({ state: 'processing' });
  });

  it('of one part are sent as they are stored', async () => {
    const message = await question();
    const { deliveries: pieces } = await ledger().deliveries.finishAnswer(message, answerOf('Hi'), noRecord);
    expect(pieces).toMatchObject([{ piece: 0, message_chain: plain('Hi'), state: 'sending' }]);
    const row = await storage().database.selectFrom('deliveries').select('message_chain').executeTakeFirst();
    expect(row).toEqual({ message_chain: null });
  });

  it('are sent part by part and end with the last one', async () => {
    const message = await question();
    const { message: answer } = await ledger().deliveries.finishAnswer(message, answerOf(['a', 'b', 'c']), noRecord);
    await ledger().deliveries.settleDelivery(partOf(answer.uuid, 0, message), { ...sent, platform_message_id: 'p-1' });
    expect(await deliveries()).toEqual({ 'abc 0': 'sent', 'abc 1': 'sending', 'abc 2': 'pending' });
    await ledger().deliveries.settleDelivery(partOf(answer.uuid, 1, message), failed);
    expect(await deliveries()).toEqual({ 'abc 0': 'sent', 'abc 1': 'failed', 'abc 2': 'sending' });
    await ledger().messages.settle(
      message,
      { state: 'failed', reason: 'quota' },
      { answer: { uuid: answer.uuid, piece: 2, delivery: failed }, merged: [], record: null },
    );
    const stored = await ledger().deliveries.answerTo(message.uuid);
    expect(stored?.deliveries).toMatchObject([{ platform_message_id: 'p-1', state: 'sent' }, failed, failed]);
    expect((await messageRows())[0]).toMatchObject({
      state: 'failed',
      reason: 'quota',
      finished_at: expect.stringMatching(/Z$/),
    });
  });

  it('rest on the passages of the attempt that completed them', async () => {
    const message = await question();
    const knowledge = (over: Parameters<typeof retrievalRecord>[0], dropped: number) => ({
      retrievals: [{ ...retrievalRecord(over), uuid: newUuid() }],
      citations: citationReport({ dropped }),
    });
    const stored = async () => {
      const { database } = storage();
      const retrievals = await database.selectFrom('message_retrievals').selectAll().execute();
      const citations = await database.selectFrom('message_citations').selectAll().execute();
      return {
        questions: retrievals.map(({ message_uuid, retrieval }) => [message_uuid, JSON.parse(retrieval).question]),
        citations: citations.map(({ message_uuid, cited, dropped }) => [message_uuid, cited, dropped]),
      };
    };
    // State after a process died before settling the message: its answer is stored, and the message is claimed again.
    await ledger().deliveries.finishAnswer(message, answerOf('Hi'), {
      ...noRecord,
      knowledge: knowledge({ question: 'first' }, 1),
    });
    expect(await stored()).toEqual({ questions: [[message.uuid, 'first']], citations: [[message.uuid, 1, 1]] });
    const again = { ...noRecord, trace: { attempt: 2, gates: [] }, knowledge: knowledge({ question: 'second' }, 2) };
    // A complete answer is not written again, and neither are its passages.
    await ledger().deliveries.finishAnswer(message, answerOf('Hi'), again);
    expect(await stored()).toMatchObject({ questions: [[message.uuid, 'first']] });
    const settled = (record: MessageRecord) =>
      ledger().messages.settle(
        message,
        { state: 'stopped', reason: 'cancelled' },
        { answer: null, merged: [], record },
      );
    await settled(again);
    expect(await stored()).toEqual({ questions: [[message.uuid, 'second']], citations: [[message.uuid, 1, 2]] });
    // Once settled, it is no longer claimed.
    await settled({ ...noRecord, trace: { attempt: 3, gates: [] } });
    expect(await stored()).toMatchObject({ questions: [[message.uuid, 'second']] });
  });

  it('rest on nothing when a later attempt searched nothing', async () => {
    const message = await question();
    const { database } = storage();
    const row = {
      uuid: newUuid(),
      message_uuid: message.uuid,
      started_at: '2026-01-01T00:00:00.000Z',
      retrieval: '{}',
    };
    await database.insertInto('message_retrievals').values(row).execute();
    await ledger().deliveries.finishAnswer(message, answerOf('Hi'), { ...noRecord, trace: { attempt: 2, gates: [] } });
    expect(await database.selectFrom('message_retrievals').selectAll().execute()).toEqual([]);
  });

  it('store the outcome of the message for the process that sends the rest', async () => {
    const message = await question();
    const outcome = { state: 'stopped', reason: 'command' } as const;
    const stored = await ledger().deliveries.finishAnswer(
      message,
      answerOf('Done', { state: 'failed', outcome }),
      noRecord,
    );
    expect(stored.outcome).toEqual(outcome);
    expect((await ledger().deliveries.answerTo(message.uuid))?.outcome).toEqual(outcome);
  });

  it.each([
    ['finished', answered],
    ['failed', { state: 'failed', reason: 'internal' }],
  ] as const)('that are %s without a stored outcome give their message a matching one', async (state, outcome) => {
    const message = await question();
    await ledger().deliveries.finishAnswer(message, answerOf('Hi', { state }), noRecord);
    await storage().database.deleteFrom('message_traces').execute();
    expect((await ledger().deliveries.answerTo(message.uuid))?.outcome).toEqual(outcome);
  });

  it('that are complete stay as they are', async () => {
    const message = await question();
    const first = await ledger().deliveries.finishAnswer(message, answerOf(['a', 'b']), recordOf(1, 10));
    await ledger().deliveries.settleDelivery(partOf(first.message.uuid, 0, message), sent);
    const again = await ledger().deliveries.finishAnswer(message, answerOf('something else'), recordOf(2, 20));
    expect(again.message).toEqual(first.message);
    expect(again.deliveries.map(({ state }) => state)).toEqual(['sent', 'sending']);
    expect((await calls()).map(({ input_tokens }) => input_tokens)).toEqual([10]);
  });

  it('replace deliveries that an earlier attempt left', async () => {
    const message = await question();
    const { uuid } = await ledger().deliveries.beginAnswer(message);
    const timestamp = '2026-01-01T00:00:00.000Z';
    const left = { message_uuid: uuid, state: 'pending' as const, created_at: timestamp, updated_at: timestamp };
    const unsent = {
      message_chain: null,
      platform_message_id: null,
      reason: null,
      error: null,
      expires_at: null,
      unconfirmed_since: null,
    };
    await storage()
      .database.insertInto('deliveries')
      .values([0, 1, 2].map((piece) => ({ ...left, ...unsent, piece, idempotency_token: `old ${piece}` })))
      .execute();
    const { deliveries: pieces } = await ledger().deliveries.finishAnswer(message, answerOf(['a', 'b']), noRecord);
    expect(pieces.map(({ idempotency_token }) => idempotency_token)).toEqual([uuid, `${uuid}.1`]);
  });

  it('end the messages that are answered along, at once', async () => {
    await accept('one');
    await accept('two');
    const message = await claimed();
    const [second] = await ledger().messages.waitingBehind(message, 1);
    const merged = [second?.uuid ?? ''];
    await ledger().deliveries.finishAnswer(message, answerOf('Hi', { merged }), noRecord);
    const rows = (await messageRows()).filter(({ direction }) => direction === 'inbound');
    expect(rows).toMatchObject([
      { text: 'one', state: 'processing' },
      { text: 'two', state: 'stopped', reason: 'merged', merged_into: message.uuid },
    ]);
    await end(message);
    expect(await claimOne(ledger().messages, [])).toBeNull();
  });

  it('leave the trace of their message, with its model calls', async () => {
    const message = await question();
    const record = recordOf(1, 10);
    await ledger().deliveries.finishAnswer(message, answerOf('Hi'), record);
    expect(await traceOf(message.uuid)).toEqual({ ...record.trace, outcome: answered });
    expect(await calls()).toEqual([{ ...record.model_calls[0], message_uuid: message.uuid, plugin_id: null }]);
  });

  it('are not needed for a message to leave its way behind', async () => {
    const message = await question();
    const record = recordOf(3, 10);
    await ledger().messages.settle(
      message,
      { state: 'stopped', reason: 'ignored' },
      { answer: null, merged: [], record },
    );
    expect(await traceOf(message.uuid)).toEqual(record.trace);
    expect(await calls()).toHaveLength(1);
  });

  it('that were started are removed when the message ends without one', async () => {
    const message = await question();
    await ledger().deliveries.beginAnswer(message);
    await end(message);
    expect((await messageRows()).map(({ state }) => state)).toEqual(['answered']);
  });

  it('that are complete stay when their message fails, with no open deliveries', async () => {
    const message = await question();
    const { message: answer } = await ledger().deliveries.finishAnswer(message, answerOf(['a', 'b', 'c']), noRecord);
    await ledger().deliveries.settleDelivery(partOf(answer.uuid, 0, message), sent);
    await end(message, { state: 'failed', reason: 'internal' });
    expect((await messageRows()).map(({ state }) => state)).toEqual(['failed', 'finished']);
    expect(await deliveries()).toEqual({ 'abc 0': 'sent', 'abc 1': 'uncertain', 'abc 2': 'failed' });
    expect((await ledger().deliveries.answerTo(message.uuid))?.deliveries[2]).toMatchObject({ reason: 'internal' });
  });

  it('are not mixed up with messages that are sent unasked', async () => {
    const outgoing = await ledger().deliveries.createOutgoing(conversationKey(), plain('news'), 'news');
    expect(outgoing).toMatchObject({ direction: 'outbound', reply_to: null, state: 'finished', text: 'news' });
    expect(await deliveries()).toEqual({ 'news 0': 'sending' });
    await ledger().deliveries.settleDelivery(partOf(outgoing.uuid, 0, outgoing), {
      ...sent,
      platform_message_id: 'p-1',
    });
    const row = await storage().database.selectFrom('deliveries').selectAll().executeTakeFirst();
    expect(row).toMatchObject({
      state: 'sent',
      platform_message_id: 'p-1',
      idempotency_token: outgoing.uuid,
      message_chain: null,
    });
    expect(await ledger().deliveries.answerTo(outgoing.uuid)).toBeNull();
  });

  it('wait for another attempt, and so does their message', async () => {
    const message = await question();
    await accept('two');
    const plan = { begins: false, expires_at: '2099-01-01T00:00:00.000Z' };
    const { message: answer, deliveries: planned } = await ledger().deliveries.finishAnswer(
      message,
      answerOf(['a']),
      noRecord,
      plan,
    );
    expect(planned).toMatchObject([{ state: 'pending', expires_at: plan.expires_at, handle: null }]);
    await ledger().deliveries.beginDelivery(partOf(answer.uuid, 0, message));
    expect(await deliveries()).toEqual({ 'a 0': 'sending' });
    const until = new Date(Date.now() + 60_000).toISOString();
    const unconfirmed_since = '2026-01-01T00:00:00.000Z';
    const postponed = { ...tooMany, answer_uuid: answer.uuid, until, unconfirmed_since };
    await ledger().deliveries.postponeDelivery(message, postponed);
    expect((await messageRows())[0]).toMatchObject({ state: 'received', reason: 'quota' });
    expect((await ledger().deliveries.answerTo(message.uuid))?.deliveries).toMatchObject([
      { state: 'pending', reason: 'quota', error: 'Too many', expires_at: plan.expires_at, unconfirmed_since },
    ]);
    // The parts after it wait, too.
    expect(await claimOne(ledger().messages, [])).toBeNull();
    await ledger().messages.expedite([message.conversation_uuid, newUuid()]);
    const again = await claimed();
    expect(again).toMatchObject({ uuid: message.uuid, attempts: 2 });
    // A message in progress cannot be claimed again.
    await ledger().messages.expedite([message.conversation_uuid]);
    expect(await claimOne(ledger().messages, [])).toBeNull();
    await end(again, { state: 'uncertain', reason: 'uncertain' });
    expect((await messageRows())[0]).toMatchObject({ state: 'uncertain', reason: 'uncertain' });
    expect(await claimed()).toMatchObject({ text: 'two' });
  });

  it('are not sent any more when their message is stopped while it waits', async () => {
    const message = await question();
    const plan = { begins: false, expires_at: null };
    const { message: answer } = await ledger().deliveries.finishAnswer(message, answerOf(['a', 'b']), noRecord, plan);
    const until = new Date(Date.now() + 60_000).toISOString();
    const postponed = { ...tooMany, answer_uuid: answer.uuid, until };
    await ledger().deliveries.postponeDelivery(message, postponed);
    expect(await ledger().messages.stopWaiting(message.conversation_uuid, 100, 'reset')).toHaveLength(1);
    expect(await deliveries()).toEqual({ 'ab 0': 'failed', 'ab 1': 'failed' });
    expect(await claimOne(ledger().messages, [])).toBeNull();
  });

  it('keep the handles of streamed parts until they are complete, and afterwards', async () => {
    const message = await question();
    const begun = await ledger().deliveries.beginAnswer(message);
    await ledger().deliveries.storeHandle(partOf(begun.uuid, 0, message), { shown: [[1, 'a']] });
    const handle = {
      shown: [
        [1, 'a'],
        [2, 'é 👩‍👩‍👧‍👦'],
      ],
    };
    await ledger().deliveries.storeHandle(partOf(begun.uuid, 0, message), handle);
    expect(await ledger().deliveries.answerTo(message.uuid)).toMatchObject({ handle, deliveries: [] });
    const stored = await ledger().deliveries.finishAnswer(message, answerOf(['a', 'b']), noRecord);
    expect(stored.deliveries.map((delivery) => delivery.handle)).toEqual([handle, null]);
    await ledger().deliveries.storeHandle(partOf(begun.uuid, 1, message), 'second');
    const again = await ledger().deliveries.answerTo(message.uuid);
    expect(again?.deliveries.map((delivery) => delivery.handle)).toEqual([handle, 'second']);
  });

  it('go as they came, whatever is in them', async () => {
    const message = await question();
    const text = 'NUL \0, half a pair \ud800, 👩‍👩‍👧‍👦 and a quote \'"';
    const stored = await ledger().deliveries.finishAnswer(message, answerOf([text, text]), noRecord);
    expect(stored.deliveries[1]?.message_chain).toEqual(plain(text));
    expect(stored.message.text).toBe(`${text}${text}`.replaceAll('\0', '\ufffd').replaceAll('\ud800', '\ufffd'));
  });
});
