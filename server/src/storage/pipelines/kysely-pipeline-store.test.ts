import { expect, it } from 'vitest';
import { describeOnEachEngine } from '../../../test/stores/each-engine.ts';
import type { StoredPipeline } from '../../core/pipelines/pipeline.ts';
import { completeConfig } from '../../core/pipelines/pipeline-service.ts';
import { newUuid } from '../../lib/uuid.ts';
import { KyselyPipelineStore } from './kysely-pipeline-store.ts';

const moment = (second: number) => `2026-01-01T00:00:0${second}.000Z`;

const pipeline = (over: Partial<StoredPipeline> = {}): StoredPipeline => ({
  uuid: newUuid(),
  name: 'Pipeline',
  description: 'description',
  emoji: '⚙️',
  for_version: 'v4.9.5',
  is_default: false,
  stages: ['First', 'Second'],
  config: completeConfig({}),
  extensions_preferences: { enable_all_plugins: true, enable_all_mcp_servers: true, plugins: [], mcp_servers: [] },
  sealed_secrets: 'v1.sealed',
  created_at: moment(1),
  updated_at: moment(1),
  ...over,
});

describeOnEachEngine('the store of pipelines', (storage) => {
  const store = () => new KyselyPipelineStore(storage().database);

  it('gives a pipeline back as it was stored; only who asks for them gets the sealed secrets', async () => {
    const stored = pipeline({ emoji: null });
    await store().create(stored);
    const { sealed_secrets: _, ...shown } = stored;
    expect(await store().byUuid(stored.uuid)).toEqual(shown);
    expect(await store().list({ sortBy: 'created_at', descending: false })).toEqual([shown]);
    expect(await store().storedByUuid(stored.uuid)).toEqual(stored);
    expect(await store().byUuid(newUuid())).toBeNull();
    expect(await store().storedByUuid(newUuid())).toBeNull();
    expect(await store().default()).toBeNull();
  });

  it('lists in the order that is asked for', async () => {
    await store().create(pipeline({ name: 'a', created_at: moment(1), updated_at: moment(6) }));
    await store().create(pipeline({ name: 'b', created_at: moment(2), updated_at: moment(5) }));
    await store().create(pipeline({ name: 'c', created_at: moment(3), updated_at: moment(7) }));
    const names = async (sortBy: 'created_at' | 'updated_at', descending: boolean) =>
      (await store().list({ sortBy, descending })).map(({ name }) => name).join('');
    expect(await names('created_at', false)).toBe('abc');
    expect(await names('created_at', true)).toBe('cba');
    expect(await names('updated_at', false)).toBe('bac');
    expect(await names('updated_at', true)).toBe('cab');
  });

  it('has one default at most, also when several are made at once', async () => {
    const made = await Promise.allSettled(
      Array.from({ length: 5 }, () => store().create(pipeline({ is_default: true }))),
    );
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await store().default()).toMatchObject({ is_default: true, sealed_secrets: 'v1.sealed' });
    await store().create(pipeline());
    expect(await store().list({ sortBy: 'created_at', descending: false })).toHaveLength(2);
  });

  it('changes the configuration and nothing else', async () => {
    const stored = pipeline();
    await store().create(stored);
    const config = completeConfig({ output: { misc: { 'failure-hint': 'Sorry.' } } });
    await store().updateConfig(stored.uuid, config, moment(9));
    expect(await store().storedByUuid(stored.uuid)).toEqual({ ...stored, config, updated_at: moment(9) });
  });
});
