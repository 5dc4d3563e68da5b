import { expect, it } from 'vitest';
import { citationReport, retrievalRecord } from '../../../test/factories/retrieval-records.ts';
import { describeOnEachEngine } from '../../../test/stores/each-engine.ts';
import { conversationKey, plain } from '../../../test/stores/ledger-records.ts';
import { answerOf, ledgerSteps } from '../../../test/stores/ledger-steps.ts';
import { newUuid } from '../../lib/uuid.ts';
import { KyselyMessageRetention } from './kysely-message-retention.ts';

const before = '2020-01-01T00:00:00.000Z';
const timestamp = '2020-06-01T00:00:00.000Z';
const record = {
  trace: { attempt: 1, gates: [] },
  model_calls: [
    {
      uuid: '',
      model_uuid: 'model',
      model_name: 'small',
      started_at: before,
      milliseconds: 20,
      first_piece_milliseconds: 1,
      input_tokens: 1,
      output_tokens: 2,
      cost: null,
      reason: null,
      error: null,
    },
  ],
};

describeOnEachEngine('old messages', (storage) => {
  const { ledger, accept, claimed, end, answer, messageRows } = ledgerSteps(storage);
  const removeBefore = (limit: number) => new KyselyMessageRetention(storage().database).removeBefore(timestamp, limit);
  const texts = async () => (await messageRows()).map(({ text }) => text);
  /** Backdates everything stored so far. */
  const age = async () => {
    await storage().database.updateTable('messages').set({ created_at: before }).execute();
    await storage().database.updateTable('conversations').set({ updated_at: before }).execute();
  };
  const conversations = () => storage().database.selectFrom('conversations').selectAll().execute();

  it('is removed with its answer and everything that is known of it', async () => {
    await accept('old');
    const message = await claimed();
    const calls = record.model_calls.map((call) => ({ ...call, uuid: newUuid() }));
    const knowledge = { retrievals: [{ ...retrievalRecord(), uuid: newUuid() }], citations: citationReport() };
    await ledger().deliveries.finishAnswer(message, answerOf(['a', 'b']), { ...record, model_calls: calls, knowledge });
    expect(await storage().database.selectFrom('message_citations').selectAll().execute()).toHaveLength(1);
    await end(message);
    await storage()
      .database.insertInto('tool_calls')
      .values({
        uuid: newUuid(),
        message_uuid: message.uuid,
        tool_name: 'clock',
        parameters: '{}',
        state: 'succeeded',
        started_at: before,
      })
      .execute();
    await age();
    // An answer that was written later goes with its question.
    await storage()
      .database.updateTable('messages')
      .set({ created_at: '2021-01-01T00:00:00.000Z' })
      .where('direction', '=', 'outbound')
      .execute();
    await accept('new');
    await answer(await claimed(), 'new answer');
    expect(await removeBefore(100)).toBe(1);
    expect(await texts()).toEqual(['new', 'new answer']);
    const known = ['deliveries', 'message_traces', 'model_calls', 'tool_calls'] as const;
    for (const table of [...known, 'message_retrievals', 'message_citations'] as const) {
      const rows = await storage().database.selectFrom(table).select('message_uuid').execute();
      expect(rows.map(({ message_uuid }) => message_uuid)).not.toContain(message.uuid);
    }
    expect(await removeBefore(100)).toBe(0);
  });

  it('stay while they wait or are processed, and until they expire', async () => {
    for (const [index, text] of ['waiting', 'working', 'writing'].entries()) await accept(text, `person ${index}`);
    await ledger().deliveries.createOutgoing(conversationKey({ session_id: 'eve' }), plain('news'), 'news');
    const [waiting, working, writing] = [await claimed(), await claimed(), await claimed()];
    await ledger().messages.release(waiting, null);
    await ledger().deliveries.finishAnswer(working, answerOf('half sent'), record);
    await ledger().deliveries.beginAnswer(writing);
    await age();
    expect(await removeBefore(100)).toBe(1);
    expect(await texts()).toEqual(['waiting', 'working', 'writing', 'half sent', '']);
    await end(working);
    await end(writing);
    expect(await removeBefore(100)).toBe(2);
    expect(await texts()).toEqual(['waiting']);
    expect((await claimed()).text).toBe('waiting');
  });

  it('are removed oldest first, up to the limit', async () => {
    for (let index = 0; index < 50; index += 1) {
      await accept(`message ${index}`, `person ${index % 3}`);
      await end(await claimed(), { state: 'stopped', reason: 'ignored' });
    }
    await age();
    await storage()
      .database.updateTable('messages')
      .set({ created_at: '2019-01-01T00:00:00.000Z' })
      .where('text', '=', 'message 49')
      .execute();
    expect(await removeBefore(1)).toBe(1);
    expect(await texts()).not.toContain('message 49');
    expect(await removeBefore(45)).toBe(45);
    expect(await removeBefore(45)).toBe(4);
    expect(await texts()).toEqual([]);
    expect(await removeBefore(0)).toBe(0);
  });

  it('are removed from an active conversation, and the conversation only after it ended', async () => {
    await accept('one', 'ada');
    await answer(await claimed(), 'answer to one');
    await accept('two', 'bob');
    await answer(await claimed(), 'answer to two');
    await ledger().conversations.endCurrent(conversationKey({ session_id: 'bob' }));
    await ledger().deliveries.createOutgoing(conversationKey({ session_id: 'eve' }), plain('news'), 'news');
    await ledger().conversations.endCurrent(conversationKey({ session_id: 'eve' }));
    await age();
    await accept('waits', 'ian');
    await ledger().conversations.endCurrent(conversationKey({ session_id: 'ian' }));
    await age();
    expect(await removeBefore(100)).toBe(3 + 2);
    expect((await conversations()).map(({ session_id }) => session_id).sort()).toEqual(['ada', 'ian']);
    expect((await accept('three', 'ada')).sequence).toBe(3);
  });

  it('lets an ended conversation be that is not old, and removes those of which nothing is left', async () => {
    await accept('one');
    await end(await claimed());
    await ledger().conversations.endCurrent(conversationKey());
    expect(await removeBefore(100)).toBe(0);
    await storage().database.deleteFrom('messages').execute();
    expect(await removeBefore(100)).toBe(0);
    await age();
    expect(await removeBefore(100)).toBe(1);
    expect(await conversations()).toEqual([]);
  });

  it('is removed while messages come and are answered', async () => {
    for (let index = 0; index < 60; index += 1) {
      await accept(`old ${index}`, `person ${index % 5}`);
      await end(await claimed());
    }
    await age();
    const [removed] = await Promise.all([
      removeBefore(1000),
      (async () => {
        for (let index = 0; index < 20; index += 1) {
          await accept(`new ${index}`, `person ${index % 5}`);
          await answer(await claimed(), 'Hi');
        }
      })(),
    ]);
    expect(removed).toBe(60);
    expect(await messageRows()).toHaveLength(40);
  });
});
