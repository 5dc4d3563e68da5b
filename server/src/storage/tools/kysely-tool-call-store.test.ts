import { expect, it } from 'vitest';
import { describeOnEachEngine } from '../../../test/stores/each-engine.ts';
import { insertMessage } from '../../../test/stores/insert-message.ts';
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
  const store = () => new KyselyToolCallStore(storage().database);

  it('records a call from start to end', async () => {
    const message = await insertMessage(storage().database);
    const [first, second] = [call(message), call(message, { tool_name: 'count' })];
    await store().begin(first);
    await store().begin(second);
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
    const message = await insertMessage(storage().database);
    const only = call(message);
    await store().begin(only);
    await store().end(only.uuid, success);
    await store().end(only.uuid, failure);
    await store().end(newUuid(), failure);
    expect((await store().ofMessage(message))[0]?.state).toBe('succeeded');
  });

  it('finds interrupted calls after a crash, once', async () => {
    const message = await insertMessage(storage().database);
    const [ended, running] = [call(message), call(message)];
    for (const one of [ended, running]) await store().begin(one);
    await store().end(ended.uuid, success);
    expect(await store().interruptRunning()).toBe(1);
    expect(await store().interruptRunning()).toBe(0);
    expect((await store().ofMessage(message)).map(({ state, reason }) => [state, reason])).toEqual([
      ['succeeded', null],
      ['interrupted', 'interrupted'],
    ]);
  });

  it('forgets the calls of a message that is gone, and takes none for it', async () => {
    const message = await insertMessage(storage().database);
    await store().begin(call(message));
    await storage().database.deleteFrom('messages').where('uuid', '=', message).execute();
    expect(await store().ofMessage(message)).toEqual([]);
    await expect(store().begin(call(message))).rejects.toThrow();
  });
});
