import { expect, it } from 'vitest';
import { describeOnEachEngine } from '../../../test/stores/each-engine.ts';
import { insertMessage } from '../../../test/stores/insert-message.ts';
import { otherReplica, takeOver } from '../../../test/stores/replicas.ts';
import type { NewToolCall, ToolCallEnd } from '../../core/tools/tool-call-store.ts';
import { newUuid } from '../../lib/uuid.ts';
import { KyselyToolCallStore } from './kysely-tool-call-store.ts';

const call = (message_uuid: string, over: Partial<NewToolCall> = {}): NewToolCall => ({
  uuid: newUuid(),
  message_uuid,
  tool_name: 'look_up',
  parameters: '{"query":"今天"}',
  started_at: '2026-01-01T00:00:00.000Z',
  ...over,
});
const nothingYet = { result: null, result_size: null, reason: null, error: null, milliseconds: null };
const success: ToolCallEnd = {
  ...nothingYet,
  state: 'succeeded',
  result: 'Sunny \0 ☀',
  result_size: 12,
  milliseconds: 7,
};
const failure: ToolCallEnd = {
  ...nothingYet,
  state: 'failed',
  reason: 'tool_timeout',
  error: 'too slow',
  milliseconds: 60_000,
};

describeOnEachEngine('the store of tool calls', (storage) => {
  const store = ({ database, engine, replica } = storage()) => new KyselyToolCallStore(database, engine, replica);
  const claimedMessage = (by = storage()) => insertMessage(by.database, by.replica.id);
  const rows = () => storage().database.selectFrom('tool_calls').selectAll().orderBy('uuid').execute();

  it('records a call from start to end', async () => {
    const message = await claimedMessage();
    const [first, second] = [call(message), call(message, { tool_name: 'count' })];
    await store().begin(first, 1);
    await store().begin(second, 1);
    expect(await store().ofMessage(message)).toEqual([
      { ...first, ...nothingYet, state: 'running' },
      { ...second, ...nothingYet, state: 'running' },
    ]);
    await store().end(first.uuid, success);
    await store().end(second.uuid, failure);
    expect(await store().ofMessage(message)).toEqual([
      { ...first, ...success, result: 'Sunny \ufffd ☀' },
      { ...second, ...failure },
    ]);
    expect(await store().ofMessage(newUuid())).toEqual([]);
  });

  it('ends a call once', async () => {
    const message = await claimedMessage();
    const only = call(message);
    await store().begin(only, 1);
    await store().end(only.uuid, success);
    await store().end(only.uuid, failure);
    await store().end(newUuid(), failure);
    expect((await store().ofMessage(message))[0]?.state).toBe('succeeded');
  });

  it('marks what dead replicas called as interrupted, once', async () => {
    const [dead, living] = [await otherReplica(storage()), await otherReplica(storage())];
    const message = await claimedMessage(dead);
    const [finished, running] = [call(message), call(message)];
    for (const one of [finished, running]) await store(dead).begin(one, 1);
    await store(dead).end(finished.uuid, success);
    const other = call(await claimedMessage(living));
    await store(living).begin(other, 1);
    const before = await rows();
    expect(await store().interruptAbandoned()).toBe(0);
    expect(await rows()).toEqual(before);
    await takeOver(dead, store(living));
    expect(await store().interruptAbandoned()).toBe(0);
    expect((await store().ofMessage(message)).map(({ state, reason }) => [state, reason])).toEqual([
      ['succeeded', null],
      ['interrupted', 'interrupted'],
    ]);
    const after = await rows();
    expect(after.at(-1)).toEqual(before.at(-1));
    expect(after.at(-1)).toMatchObject({ uuid: other.uuid, state: 'running', claimed_by: living.replica.id });
    await store(dead).end(running.uuid, success);
    expect(await rows()).toEqual(after);
    expect(JSON.stringify(await store().ofMessage(message))).not.toContain('claimed_by');
  });

  it.each([
    ['of another replica', () => ({ claimed_by: newUuid() })],
    ['of a later time', () => ({ claim: 2 })],
    ['of none', () => ({ claimed_by: null })],
  ])('takes no call when the claim of the message is %s', async (_, changed) => {
    const message = await claimedMessage();
    await store().begin(call(message), 1);
    await storage().database.updateTable('messages').set(changed()).where('uuid', '=', message).execute();
    const before = await rows();
    await expect(store().begin(call(message), 1)).rejects.toMatchObject({ detail: 'not_owner' });
    expect(await rows()).toEqual(before);
  });

  it('forgets the calls of a message that is gone, and takes none for it', async () => {
    const message = await claimedMessage();
    await store().begin(call(message), 1);
    await storage().database.deleteFrom('messages').where('uuid', '=', message).execute();
    expect(await store().ofMessage(message)).toEqual([]);
    await expect(store().begin(call(message), 1)).rejects.toThrow();
  });
});
