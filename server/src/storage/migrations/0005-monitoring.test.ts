import { expect, it } from 'vitest';
import { describeOnEachEngine } from '../../../test/stores/each-engine.ts';
import { ledgerSteps } from '../../../test/stores/ledger-steps.ts';
import { KyselyEmbeddingCallStore } from '../monitoring/kysely-embedding-call-store.ts';
import { KyselyToolCallStore } from '../tools/kysely-tool-call-store.ts';

const old = '2026-01-01T10:20:30.000Z';

describeOnEachEngine('marks of hours', (storage) => {
  const { accept, claimed, answer, end, messageRows } = ledgerSteps(storage);
  const marks = async () => {
    const rows = await storage().database.selectFrom('monitoring_marks').select('hour').distinct().execute();
    return rows.map(({ hour }) => hour).sort();
  };
  const embeddingCall = (started_at: string) =>
    new KyselyEmbeddingCallStore(storage().database).record({
      model_uuid: null,
      model_name: 'vectors',
      started_at,
      milliseconds: 1,
      prompt_tokens: 1,
      total_tokens: 1,
      input_count: 1,
      reason: null,
      error: null,
      knowledge_base_uuid: null,
      plugin_id: null,
      query_text: null,
      session_id: null,
      message_uuid: null,
      call_type: 'embedding',
    });

  const toolCalls = () => new KyselyToolCallStore(storage().database, storage().engine, storage().replica);
  /** The process that makes the calls ends. */
  const interrupt = async () => {
    await storage().database.updateTable('tool_calls').set({ claimed_by: null }).execute();
    expect(await toolCalls().interruptAbandoned()).toBe(1);
  };

  it('are not made by what happens now', async () => {
    await accept('one');
    await accept('two');
    const message = await claimed();
    const tools = toolCalls();
    const started_at = new Date().toISOString();
    const call = { uuid: 'call', message_uuid: message.uuid, tool_name: 't', parameters: '{}', started_at };
    await tools.begin(call, message.claim);
    await interrupt();
    await answer(message, 'answer');
    await end(await claimed());
    await embeddingCall(started_at);
    await storage().database.updateTable('deliveries').set({ state: 'failed' }).execute();
    await storage().database.deleteFrom('messages').execute();
    expect(await marks()).toEqual([]);
  });

  it('are made by what changes long after it came', async () => {
    const { database } = storage();
    await accept('one');
    await database.updateTable('messages').set({ created_at: old }).execute();
    expect(await marks()).toEqual([]);
    const message = await claimed();
    expect(await marks()).toEqual([]);
    const call = { uuid: 'call', message_uuid: message.uuid, tool_name: 't', parameters: '{}' };
    const tools = toolCalls();
    await tools.begin({ ...call, started_at: '2026-01-01T11:00:00.000Z' }, message.claim);
    expect(await marks()).toEqual([]);
    await interrupt();
    await embeddingCall('2026-01-01T12:59:59.999Z');
    expect(await marks()).toEqual(['2026-01-01T11:00:00.000Z', '2026-01-01T12:00:00.000Z']);
    await database.deleteFrom('monitoring_marks').execute();
    await answer(message, 'answer');
    expect(await marks()).toEqual(['2026-01-01T10:00:00.000Z']);
    await database.deleteFrom('monitoring_marks').execute();
    await database
      .updateTable('deliveries')
      .set({ state: 'uncertain', updated_at: '2026-01-02T00:00:00.000Z' })
      .execute();
    const uuids = (await messageRows()).map(({ uuid }) => uuid);
    await database.deleteFrom('messages').where('uuid', 'in', uuids).execute();
    expect(await marks()).toEqual(['2026-01-01T10:00:00.000Z', '2026-01-01T11:00:00.000Z', '2026-01-02T00:00:00.000Z']);
  });
});
