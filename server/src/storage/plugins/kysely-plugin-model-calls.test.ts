import type { ModelCall } from '@parley/sdk';
import { expect, it } from 'vitest';
import { describeOnEachEngine } from '../../../test/stores/each-engine.ts';
import { KyselyPluginModelCalls } from './kysely-plugin-model-calls.ts';
import { KyselyPluginValues } from './kysely-plugin-values.ts';

const call: ModelCall = {
  model_uuid: 'm',
  model_name: 'Model',
  started_at: '2026-11-27T02:00:00.000Z',
  milliseconds: 20,
  first_piece_milliseconds: 5,
  input_tokens: 1,
  output_tokens: 2,
  reason: 'provider_failed',
  error: 'broke off: 失敗',
  failure: { status: 500 } as never,
};

describeOnEachEngine('calls of models by plugins', (storage) => {
  const store = () => new KyselyPluginModelCalls(storage().database);
  const rows = () => storage().database.selectFrom('plugin_model_calls').selectAll().orderBy('started_at').execute();

  it('are recorded with their cost, in the name of the plugin', async () => {
    await store().record('example/writer', { ...call, plugin_id: 'example/other' }, 0.25);
    const { failure: _, ...recorded } = call;
    expect(await rows()).toEqual([{ ...recorded, uuid: expect.any(String), plugin_id: 'example/writer', cost: 0.25 }]);
  });

  it('are removed when they are old, and with the data of the plugin', async () => {
    const later = '2026-11-28T02:00:00.000Z';
    await store().record('example/writer', call, null);
    await store().record('example/writer', { ...call, started_at: later }, null);
    await store().record('example/other', { ...call, started_at: later }, null);
    expect(await store().removeBefore(later)).toBe(1);
    await new KyselyPluginValues(storage().database, storage().engine).removeAll('example/writer');
    expect(await rows()).toMatchObject([{ plugin_id: 'example/other', cost: null }]);
  });
});
