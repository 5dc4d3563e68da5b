import { beforeAll, describe, expect, it } from 'vitest';
import { citationReport, retrievalRecord } from '../../../test/factories/retrieval-records.ts';
import { describeOnEachEngine } from '../../../test/stores/each-engine.ts';
import { conversationKey, messageEvent, plain } from '../../../test/stores/ledger-records.ts';
import { answered, answerOf, ledgerSteps, noRecord, partOf, sent } from '../../../test/stores/ledger-steps.ts';
import type { DeliveryOutcome } from '../../core/messages/delivery.ts';
import type { MessageRecord } from '../../core/messages/message-trace.ts';
import { newUuid } from '../../lib/uuid.ts';
import { KyselyToolCallStore } from '../tools/kysely-tool-call-store.ts';
import { KyselyMessageReader } from './kysely-message-reader.ts';

const failed: DeliveryOutcome = { state: 'failed', reason: 'quota', error: 'No more', platform_message_id: null };

describeOnEachEngine('the reader of messages', (storage) => {
  let reader: KyselyMessageReader;
  beforeAll(() => {
    reader = new KyselyMessageReader(storage().database);
  });
  const { ledger, accept, claimed, end, answer, conversationOf } = ledgerSteps(storage);
  const page = (...[filter, limit = 50, after = null]: Partial<Parameters<KyselyMessageReader['page']>>) =>
    reader.page(filter ?? {}, limit, after);

  it('returns nothing from an empty ledger', async () => {
    expect(await page()).toEqual({ messages: [], next: null });
    expect(await reader.find(newUuid())).toBeNull();
    expect(await reader.story(newUuid())).toBeNull();
  });

  it('shows messages with everything that the ledger knows of them, newest first', async () => {
    const facts = { group_name: 'Friends', sender_permission: 'OWNER' } as const;
    const key = conversationKey({ session_type: 'group', session_id: 'g', thread_id: 't' });
    const event = messageEvent('Hello', { session_type: 'group', session_id: 'g', thread_id: 't', facts });
    const receipt = await ledger().messages.accept(key, event);
    const answerUuid = await answer(await claimed(), 'Hi');
    expect((await page()).messages).toEqual([
      {
        uuid: answerUuid,
        bot_uuid: key.bot_uuid,
        conversation_uuid: receipt.conversation_uuid,
        pipeline_uuid: key.pipeline_uuid,
        session_type: 'group',
        session_id: 'g',
        thread_id: 't',
        direction: 'outbound',
        platform_message_id: null,
        reply_to: receipt.uuid,
        sequence: 2,
        sender_id: key.bot_uuid,
        sender_name: '',
        facts: {},
        message_chain: plain('Hi'),
        text: 'Hi',
        state: 'finished',
        reason: null,
        merged_into: null,
        attempts: 0,
        created_at: expect.any(String),
        finished_at: expect.any(String),
        delivery_state: 'sent',
        failure: null,
        session_name: 'Friends',
      },
      expect.objectContaining({
        uuid: receipt.uuid,
        direction: 'inbound',
        platform_message_id: event.platform_message_id,
        sender_name: 'Ada',
        facts,
        state: 'answered',
        reason: 'answered',
        attempts: 1,
        delivery_state: null,
      }),
    ]);
  });

  it('returns one page after the other', async () => {
    for (const text of ['1', '2', '3', '4', '5']) await accept(text);
    const first = await page({}, 2);
    await accept('6');
    const second = await page({}, 2, first.next);
    const third = await page({ session_id: 'ada' }, 2, second.next);
    expect([first, second, third].map(({ messages }) => messages.map(({ text }) => text))).toEqual([
      ['5', '4'],
      ['3', '2'],
      ['1'],
    ]);
    expect(third.next).toBeNull();
  });

  it('sees committed rows during a write', async () => {
    await accept('1');
    let read: Awaited<ReturnType<typeof page>> | undefined;
    await storage()
      .database.transaction()
      .execute(async (transaction) => {
        await transaction.updateTable('messages').set({ text: 'changed' }).execute();
        read = await page();
      });
    expect(read?.messages).toMatchObject([{ text: '1' }]);
    expect((await page()).messages).toMatchObject([{ text: 'changed' }]);
  });

  describe('the delivery of a message', () => {
    const deliveryState = async () => (await page({ direction: 'outbound' })).messages.map((one) => one.delivery_state);

    it('is that of its worst part', async () => {
      await accept('question');
      const question = await claimed();
      await ledger().deliveries.beginAnswer(question);
      expect(await deliveryState()).toEqual([null]);
      const { uuid } = (await ledger().deliveries.finishAnswer(question, answerOf(['a', 'b', 'c']), noRecord)).message;
      expect(await deliveryState()).toEqual(['sending']);
      await ledger().deliveries.settleDelivery(partOf(uuid, 0, question), sent);
      await storage().database.updateTable('deliveries').set({ state: 'pending' }).where('piece', '=', 1).execute();
      expect(await deliveryState()).toEqual(['pending']);
      await ledger().deliveries.settleDelivery(partOf(uuid, 1, question), {
        ...sent,
        state: 'uncertain',
        reason: 'interrupted',
      });
      expect(await deliveryState()).toEqual(['uncertain']);
      await ledger().messages.settle(question, answered, {
        answer: { uuid, piece: 2, delivery: failed },
        merged: [],
        record: null,
      });
      expect(await deliveryState()).toEqual(['failed']);
    });

    it('of a message that was sent unasked is its own', async () => {
      await ledger().deliveries.createOutgoing(conversationKey(), plain('News'), 'News');
      expect(await deliveryState()).toEqual(['sending']);
    });
  });

  describe('one message', () => {
    it('comes with its answer, and the answer with its question', async () => {
      const { uuid } = await accept('question');
      expect(await reader.find(uuid)).toMatchObject({
        message: { uuid },
        answer: null,
        reply_to: null,
        deliveries: [],
      });
      const question = await claimed();
      const answerUuid = (await ledger().deliveries.finishAnswer(question, answerOf(['a', 'b']), noRecord)).message
        .uuid;
      await ledger().deliveries.settleDelivery(partOf(answerUuid, 0, question), { ...sent, platform_message_id: '77' });
      const pieces = [
        {
          piece: 0,
          message_chain: plain('a'),
          state: 'sent',
          platform_message_id: '77',
          reason: null,
          error: null,
          created_at: expect.any(String),
          updated_at: expect.any(String),
        },
        expect.objectContaining({ piece: 1, message_chain: plain('b'), state: 'sending' }),
      ];
      expect((await reader.find(answerUuid))?.deliveries).toEqual(pieces);
      expect(await reader.find(uuid)).toMatchObject({
        message: { uuid, text: 'question' },
        deliveries: [],
        answer: { message: { uuid: answerUuid, reply_to: uuid }, deliveries: pieces },
        reply_to: null,
      });
      expect(await reader.find(answerUuid)).toMatchObject({
        message: { uuid: answerUuid },
        deliveries: pieces,
        answer: null,
        reply_to: { uuid, text: 'question' },
      });
    });

    it('of one part has itself as the part', async () => {
      const news = await ledger().deliveries.createOutgoing(conversationKey(), plain('News'), 'News');
      const { uuid } = news;
      await ledger().deliveries.settleDelivery(partOf(uuid, 0, news), failed);
      expect(await reader.find(uuid)).toMatchObject({
        message: { delivery_state: 'failed', reply_to: null },
        deliveries: [{ piece: 0, message_chain: plain('News'), state: 'failed', reason: 'quota', error: 'No more' }],
        answer: null,
        reply_to: null,
      });
    });
  });

  describe('the story of a message', () => {
    const call = (uuid: string, started_at: string) => ({
      uuid,
      model_uuid: 'm',
      model_name: 'large',
      started_at,
      milliseconds: 900,
      first_piece_milliseconds: 200,
      input_tokens: 10,
      output_tokens: 20,
      cost: 0.25,
      reason: null,
      error: null,
    });
    const record: MessageRecord = {
      trace: {
        attempt: 1,
        gates: [{ name: 'runner', outcome: 'passed', reason: null, milliseconds: 1.25, details: { characters: 3 } }],
      },
      model_calls: [
        { ...call(newUuid(), '2026-01-01T00:00:02.000Z'), reason: 'provider_failed', error: 'No', cost: null },
        call(newUuid(), '2026-01-01T00:00:01.000Z'),
      ],
      knowledge: {
        retrievals: [
          { ...retrievalRecord({ started_at: '2026-01-01T00:00:09.000Z' }), uuid: newUuid() },
          { ...retrievalRecord({ asked_by: 'model', question: 'And \0 \ud800?' }), uuid: newUuid() },
        ],
        citations: citationReport(),
      },
    };

    it('includes its trace, its calls and the messages answered with it, for its answer as well', async () => {
      const { uuid } = await accept('question');
      const others = [await accept('and'), await accept('this')];
      const question = await claimed();
      const tools = new KyselyToolCallStore(storage().database, storage().engine, storage().replica);
      const begun = { message_uuid: uuid, parameters: '{"a":1}', started_at: '2026-01-01T00:00:01.000Z' };
      const [first, second] = [newUuid(), newUuid()];
      await tools.begin({ ...begun, uuid: first, tool_name: 'look_up' }, question.claim);
      await tools.begin({ ...begun, uuid: second, tool_name: 'count' }, question.claim);
      const merged = others.map((one) => one.uuid);
      const stored = await ledger().deliveries.finishAnswer(question, answerOf('answer', { merged }), record);
      const story = {
        trace: record.trace,
        model_calls: record.model_calls.toReversed(),
        tool_calls: [
          { uuid: first, tool_name: 'look_up', parameters: '{"a":1}', state: 'running', result: null },
          { uuid: second, tool_name: 'count', state: 'running' },
        ],
        retrievals: record.knowledge?.retrievals,
        citations: citationReport(),
        merged,
        queue: null,
      };
      expect(await reader.story(uuid)).toMatchObject({ ...story, message: { uuid, state: 'processing' } });
      expect(await reader.story(stored.message.uuid)).toMatchObject({ ...story, reply_to: { uuid } });
      expect(await reader.story(others[0]?.uuid ?? '')).toMatchObject({
        message: { state: 'stopped', reason: 'merged', merged_into: uuid },
        trace: null,
        model_calls: [],
        tool_calls: [],
        merged: [],
      });
    });

    it('includes its citations, which are also read for several messages', async () => {
      const { uuid } = await accept('question');
      await ledger().deliveries.finishAnswer(await claimed(), answerOf('answer'), record);
      const { uuid: other } = await accept('another', 'bob');
      const uncited = {
        ...record,
        model_calls: [],
        knowledge: { retrievals: [], citations: { citations: [], dropped: 2 } },
      };
      await ledger().deliveries.finishAnswer(await claimed(), answerOf('answer'), uncited);
      expect(await reader.citations([newUuid(), other, uuid])).toEqual(new Map([[uuid, citationReport().citations]]));
      expect(await reader.citations([])).toEqual(new Map());
    });

    it('of a message of an earlier version has no trace', async () => {
      const { uuid } = await accept('question');
      await end(await claimed());
      expect(await reader.story(uuid)).toMatchObject({
        trace: null,
        model_calls: [],
        tool_calls: [],
        retrievals: [],
        citations: null,
        merged: [],
      });
    });

    it('shows its state in the queue', async () => {
      const [first, second] = [await accept('1'), await accept('2')];
      const other = await accept('3', 'bob');
      const queue = async (uuid: string) => (await reader.story(uuid))?.queue;
      expect(await queue(first.uuid)).toEqual({ until: null, isBehind: false });
      expect(await queue(second.uuid)).toEqual({ until: null, isBehind: true });
      const message = await claimed();
      expect(await queue(first.uuid)).toBeNull();
      expect(await queue(second.uuid)).toEqual({ until: null, isBehind: true });
      const until = new Date(Date.now() + 60_000).toISOString();
      await ledger().messages.release(message, { until, reason: 'aggregating' });
      expect(await queue(first.uuid)).toEqual({ until, isBehind: false });
      expect(await queue(second.uuid)).toEqual({ until, isBehind: true });
      expect(await queue(other.uuid)).toEqual({ until: null, isBehind: false });
      // No longer waiting.
      await ledger().messages.stopWaiting((await conversationOf()).uuid, second.sequence, 'reset');
      expect(await queue(second.uuid)).toEqual({ until: null, isBehind: false });
    });
  });
});
