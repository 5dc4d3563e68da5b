import { expect, it } from 'vitest';
import { builtInSchema, completeConfig } from '../../../test/factories/pipeline-schema.ts';
import { describeOnEachEngine } from '../../../test/stores/each-engine.ts';
import { insertModel } from '../../../test/stores/model-records.ts';
import type { StoredPipeline } from '../../core/pipelines/pipeline.ts';
import type { CreatePipelineOptions } from '../../core/pipelines/pipeline-store.ts';
import { newUuid } from '../../lib/uuid.ts';
import { KyselyPipelineStore } from './kysely-pipeline-store.ts';

const timestamp = (second: number) => `2026-01-01T00:00:0${second}.000Z`;

const pipeline = (over: Partial<StoredPipeline> = {}): StoredPipeline => ({
  uuid: newUuid(),
  name: 'Pipeline',
  description: 'description',
  emoji: '⚙️',
  for_version: 'v4.9.5',
  version: 1,
  is_default: false,
  stages: ['First', 'Second'],
  config: completeConfig({}),
  extensions_preferences: {
    enable_all_plugins: true,
    enable_all_mcp_servers: true,
    plugins: [],
    mcp_servers: [],
    mcp_tool_users: {},
  },
  sealed_secrets: 'v1.sealed',
  admin_addresses: ['https://runner.example.com'],
  created_at: timestamp(1),
  updated_at: timestamp(1),
  ...over,
});

describeOnEachEngine('the store of pipelines', (storage) => {
  const store = () => new KyselyPipelineStore(storage().database, storage().engine);
  const make = async (pipelineRecord: StoredPipeline, options: Partial<CreatePipelineOptions> = {}) =>
    store().create(pipelineRecord, {
      maximum: -1,
      models: modelsOf(pipelineRecord.config),
      unknownModels: 'refuse',
      author: null,
      ...options,
    });
  const modelsOf = (config: StoredPipeline['config']) => builtInSchema.models(config).map(({ uuid }) => uuid);
  const withModels = (primary: string, ...fallbacks: string[]) =>
    completeConfig({ ai: { 'local-agent': { model: { primary, fallbacks } } } });
  const uses = () => storage().database.selectFrom('pipeline_models').selectAll().orderBy('model_uuid').execute();
  const all = () => store().list({ sortBy: 'created_at', descending: false });
  const bind = (pipelineUuid: string, name: string) =>
    storage()
      .database.insertInto('bots')
      .values({
        uuid: newUuid(),
        name,
        description: '',
        adapter: 'websocket',
        adapter_config: '{}',
        sealed_secrets: null,
        enable: 0,
        use_pipeline_uuid: pipelineUuid,
        created_at: timestamp(1),
        updated_at: timestamp(1),
      })
      .returning('uuid')
      .executeTakeFirstOrThrow();

  it('returns a pipeline as it was stored, with encrypted secrets only on request', async () => {
    const stored = pipeline({ emoji: null });
    expect(await make(stored)).toBeNull();
    const { sealed_secrets: _, admin_addresses: __, ...shown } = stored;
    expect(await store().byUuid(stored.uuid)).toEqual(shown);
    expect(await store().list({ sortBy: 'created_at', descending: false })).toEqual([shown]);
    expect(await store().storedByUuid(stored.uuid)).toEqual(stored);
    expect(await store().byUuid(newUuid())).toBeNull();
    expect(await store().storedByUuid(newUuid())).toBeNull();
    expect(await store().default()).toBeNull();
  });

  it('lists in the requested order', async () => {
    await make(pipeline({ name: 'a', created_at: timestamp(1), updated_at: timestamp(6) }));
    await make(pipeline({ name: 'b', created_at: timestamp(2), updated_at: timestamp(5) }));
    await make(pipeline({ name: 'c', created_at: timestamp(3), updated_at: timestamp(7) }));
    const names = async (sortBy: 'created_at' | 'updated_at', descending: boolean) =>
      (await store().list({ sortBy, descending })).map(({ name }) => name).join('');
    expect(await names('created_at', false)).toBe('abc');
    expect(await names('created_at', true)).toBe('cba');
    expect(await names('updated_at', false)).toBe('bac');
    expect(await names('updated_at', true)).toBe('cab');
  });

  it('has one default at most, also under concurrent requests', async () => {
    const made = await Promise.allSettled(Array.from({ length: 5 }, () => make(pipeline({ is_default: true }))));
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await store().default()).toMatchObject({ is_default: true, sealed_secrets: 'v1.sealed' });
    await make(pipeline());
    expect(await store().list({ sortBy: 'created_at', descending: false })).toHaveLength(2);
  });

  it('updates only the given fields', async () => {
    const [stored, other] = [pipeline(), pipeline()];
    await make(stored);
    await make(other);
    const config = completeConfig({ output: { misc: { 'failure-hint': 'Sorry.' } } });
    const seen: StoredPipeline[] = [];
    const configured = await store().update(stored.uuid, (before) => {
      seen.push(before);
      const configuration = { config, models: [], sealed_secrets: null, admin_addresses: null };
      return { configuration, updated_at: timestamp(8) };
    });
    expect(configured).toBeNull();
    expect(seen).toEqual([stored]);
    const after = {
      ...stored,
      version: 2,
      config,
      sealed_secrets: null,
      admin_addresses: null,
      updated_at: timestamp(8),
    };
    expect(await store().storedByUuid(stored.uuid)).toEqual(after);
    const changes = {
      name: 'Renamed',
      description: 'changed',
      emoji: null,
      extensions_preferences: { ...stored.extensions_preferences, mcp_servers: ['a'] },
      updated_at: timestamp(9),
    };
    expect(await store().update(stored.uuid, () => changes)).toBeNull();
    expect(await store().storedByUuid(stored.uuid)).toEqual({ ...after, ...changes, version: 3 });
    expect(await store().storedByUuid(other.uuid)).toEqual(other);
  });

  it('changes nothing for an empty change, a failed change or an unknown pipeline', async () => {
    const stored = pipeline();
    await make(stored);
    expect(await store().update(stored.uuid, () => null)).toBeNull();
    const failing = () => {
      throw new Error('refused');
    };
    await expect(store().update(stored.uuid, failing)).rejects.toThrow('refused');
    expect(await store().storedByUuid(stored.uuid)).toEqual(stored);
    expect(await store().update(newUuid(), failing)).toEqual({ reason: 'not_found' });
  });

  it('loses none of many concurrent changes', async () => {
    const stored = pipeline({ description: '' });
    await make(stored);
    const changes = Array.from({ length: 20 }, () =>
      store().update(stored.uuid, ({ description }) => ({ description: `${description}x`, updated_at: timestamp(2) })),
    );
    expect(await Promise.all(changes)).toEqual(Array.from({ length: 20 }, () => null));
    expect((await store().byUuid(stored.uuid))?.description).toBe('x'.repeat(20));
  });

  it('keeps which models a pipeline uses, and lets none of them go', async () => {
    const { database } = storage();
    const models = [await insertModel(database), await insertModel(database), await insertModel(database)].sort();
    const [first = '', second = '', third = ''] = models;
    const stored = pipeline({ config: withModels(first.toUpperCase(), second, first, '') });
    await make(stored);
    const used = (...uuids: string[]) => uuids.map((uuid) => ({ pipeline_uuid: stored.uuid, model_uuid: uuid }));
    expect(await uses()).toEqual(used(first, second));
    await expect(database.deleteFrom('models').where('uuid', '=', first).execute()).rejects.toThrow();
    await store().update(stored.uuid, () => ({ name: 'Renamed', updated_at: timestamp(2) }));
    expect(await uses()).toEqual(used(first, second));
    const configuration = { config: withModels(third), models: [third], sealed_secrets: null, admin_addresses: null };
    await store().update(stored.uuid, () => ({ configuration, updated_at: timestamp(3) }));
    expect(await uses()).toEqual(used(third));
    await database.deleteFrom('models').where('uuid', '=', first).execute();
    await store().delete(stored.uuid);
    expect(await uses()).toEqual([]);
  });

  it('refuses models that do not exist or are of another kind, or skips them on request', async () => {
    const { database } = storage();
    const [known, embedding, unknown] = [
      await insertModel(database),
      await insertModel(database, 'text-embedding'),
      newUuid(),
    ];
    const stored = pipeline({ config: withModels(unknown, known, embedding) });
    const refusal = { reason: 'unknown_models', models: [unknown, embedding] };
    expect(await make(stored)).toEqual(refusal);
    expect(await all()).toEqual([]);
    const empty = pipeline();
    await make(empty);
    const configuration = {
      config: stored.config,
      models: modelsOf(stored.config),
      sealed_secrets: null,
      admin_addresses: null,
    };
    expect(await store().update(empty.uuid, () => ({ name: 'No', configuration, updated_at: timestamp(9) }))).toEqual(
      refusal,
    );
    expect(await store().storedByUuid(empty.uuid)).toEqual(empty);
    expect(await make(stored, { unknownModels: 'skip' })).toBeNull();
    expect(await uses()).toEqual([{ pipeline_uuid: stored.uuid, model_uuid: known }]);
  });

  const ada = { kind: 'user', id: 'a', name: 'ada' } as const;

  it('records each change of the content as a version, with its author', async () => {
    const stored = pipeline();
    await make(stored, { author: ada });
    const rename = (name: string, second: number, more: object = {}) =>
      store().update(stored.uuid, () => ({ name, updated_at: timestamp(second), ...more }), ada);
    await rename('Second', 2);
    await rename('Second', 3);
    await rename('Third', 4, { restored_from: 1 });
    await store().makeDefault(stored.uuid, timestamp(5));
    expect(await store().versions(stored.uuid)).toEqual([
      { version: 3, author: ada, created_at: timestamp(4), restored_from: 1 },
      { version: 2, author: ada, created_at: timestamp(2), restored_from: null },
      { version: 1, author: ada, created_at: timestamp(1), restored_from: null },
    ]);
    const { name, description, emoji, config, extensions_preferences, sealed_secrets, admin_addresses } = stored;
    expect((await store().version(stored.uuid, 1))?.content).toEqual({
      name,
      description,
      emoji,
      config,
      extensions_preferences,
      sealed_secrets,
      admin_addresses,
    });
    expect((await store().version(stored.uuid, 2))?.content.name).toBe('Second');
    expect(await store().version(stored.uuid, 4)).toBeNull();
    expect(await store().version(newUuid(), 1)).toBeNull();
    expect((await store().byUuid(stored.uuid))?.version).toBe(3);
  });

  it('keeps the latest 100 versions', async () => {
    const stored = pipeline();
    await make(stored);
    for (let number = 2; number <= 103; number += 1) {
      await store().update(stored.uuid, () => ({ name: `Version ${number}`, updated_at: timestamp(2) }));
    }
    const kept = (await store().versions(stored.uuid)).map(({ version }) => version);
    expect([kept.length, kept[0], kept.at(-1)]).toEqual([100, 103, 4]);
  });

  it('keeps a draft beside a pipeline, and deletes it with the pipeline', async () => {
    const { database } = storage();
    const stored = pipeline();
    await make(stored);
    const { name: _, ...content } = stored;
    const save = (name: string, models: string[] = []) =>
      store().saveDraft(
        stored.uuid,
        (published, draft) => ({
          content: { ...content, name: `${draft?.content.name ?? published.name} ${name}` },
          models,
          base_version: published.version,
          updated_at: timestamp(6),
        }),
        ada,
      );
    expect(await store().draft(stored.uuid)).toBeNull();
    expect(await save('a')).toBeNull();
    expect(await save('b')).toBeNull();
    const unknown = newUuid();
    expect(await save('c', [unknown])).toEqual({ reason: 'unknown_models', models: [unknown] });
    expect(await store().draft(stored.uuid)).toMatchObject({
      base_version: 1,
      author: ada,
      updated_at: timestamp(6),
      content: { name: 'Pipeline a b', sealed_secrets: 'v1.sealed' },
    });
    expect(await store().storedByUuid(stored.uuid)).toEqual(stored);
    expect(await store().discardDraft(stored.uuid)).toBe(true);
    expect(await store().discardDraft(stored.uuid)).toBe(false);
    await save('a');
    await store().update(stored.uuid, (_, draft) => ({
      name: draft?.content.name ?? '',
      removes_draft: true,
      updated_at: timestamp(7),
    }));
    expect(await store().draft(stored.uuid)).toBeNull();
    expect((await store().byUuid(stored.uuid))?.name).toBe('Pipeline a');
    await save('a');
    expect(await store().delete(stored.uuid)).toBeNull();
    expect(await database.selectFrom('pipeline_drafts').selectAll().execute()).toEqual([]);
    expect(await database.selectFrom('pipeline_versions').selectAll().execute()).toEqual([]);
    expect(await store().saveDraft(stored.uuid, () => expect.unreachable(), null)).toEqual({ reason: 'not_found' });
  });

  it('deletes a pipeline that is neither the default nor in use', async () => {
    const [first, bound, free] = [pipeline({ is_default: true }), pipeline(), pipeline()];
    for (const record of [first, bound, free]) await make(record);
    const bots = [
      { ...(await bind(bound.uuid, 'One')), name: 'One' },
      { ...(await bind(bound.uuid, 'Two')), name: 'Two' },
    ];
    await bind(first.uuid, 'Three');
    expect(await store().delete(first.uuid)).toEqual({ reason: 'default_pipeline' });
    expect(await store().delete(bound.uuid)).toEqual({ reason: 'in_use', bots });
    expect(await store().delete(free.uuid)).toBeNull();
    expect(await store().delete(free.uuid)).toEqual({ reason: 'not_found' });
    expect(await store().byUuid(free.uuid)).toBeNull();
    expect(await all()).toHaveLength(2);
  });

  it('deletes nothing that the rules of a bot name', async () => {
    const [bound, ruled] = [pipeline(), pipeline()];
    for (const record of [bound, ruled]) await make(record);
    const { uuid } = await bind(bound.uuid, 'One');
    const rule = (pipeline_uuid: string) =>
      storage().database.insertInto('bot_pipelines').values({ bot_uuid: uuid, pipeline_uuid }).execute();
    await rule(ruled.uuid);
    await rule(bound.uuid);
    const refusal = { reason: 'in_use', bots: [{ uuid, name: 'One' }] };
    expect([await store().delete(ruled.uuid), await store().delete(bound.uuid)]).toEqual([refusal, refusal]);
    await storage().database.deleteFrom('bot_pipelines').where('pipeline_uuid', '=', ruled.uuid).execute();
    expect([await store().delete(ruled.uuid), await store().delete(bound.uuid)]).toEqual([null, refusal]);
  });

  it('never binds a bot to a pipeline that is being deleted', async () => {
    for (let round = 0; round < 5; round += 1) {
      const record = pipeline();
      await make(record);
      const [bot, deletion] = await Promise.allSettled([bind(record.uuid, 'Bot'), store().delete(record.uuid)]);
      const isThere = (await store().byUuid(record.uuid)) !== null;
      expect(bot.status === 'fulfilled').toBe(isThere);
      expect(deletion).toMatchObject({
        status: 'fulfilled',
        value: isThere ? { reason: 'in_use', bots: [{ name: 'Bot' }] } : null,
      });
    }
  });

  it('always has one default, also under concurrent changes', async () => {
    const records = [pipeline({ is_default: true }), pipeline(), pipeline(), pipeline(), pipeline()];
    for (const record of records) await make(record);
    const defaults = async () => (await all()).filter(({ is_default }) => is_default);
    const seen: number[] = [];
    let moving = true;
    const watching = (async () => {
      while (moving) seen.push((await defaults()).length);
    })();
    const moves = records.flatMap(({ uuid }) => [uuid, uuid]).map((uuid) => store().makeDefault(uuid, timestamp(5)));
    expect(await Promise.all(moves)).toEqual(moves.map(() => true));
    moving = false;
    await watching;
    expect(new Set(seen)).toEqual(new Set([1]));
    expect(await store().makeDefault(newUuid(), timestamp(6))).toBe(false);
    const [current] = await defaults();
    expect(await store().makeDefault(current?.uuid ?? '', timestamp(9))).toBe(true);
    expect(await defaults()).toEqual([current]);
  });

  it('never deletes the default, nor makes one the default that is being deleted', async () => {
    const first = pipeline({ is_default: true });
    await make(first);
    for (let round = 0; round < 5; round += 1) {
      const record = pipeline();
      await make(record);
      const [moved, deleted] = await Promise.all([
        store().makeDefault(record.uuid, timestamp(5)),
        store().delete(record.uuid),
      ]);
      expect(deleted).toEqual(moved ? { reason: 'default_pipeline' } : null);
      expect((await store().default())?.uuid).toBe(moved ? record.uuid : first.uuid);
      await store().makeDefault(first.uuid, timestamp(6));
    }
  });

  it('enforces the limit under concurrent requests', async () => {
    const made = await Promise.all(Array.from({ length: 8 }, () => make(pipeline(), { maximum: 3 })));
    expect(made.filter((refusal) => refusal === null)).toHaveLength(3);
    expect(made.filter((refusal) => refusal !== null)).toEqual(Array(5).fill({ reason: 'limit_reached' }));
    expect(await all()).toHaveLength(3);
    expect(await make(pipeline(), { maximum: 0 })).toEqual({ reason: 'limit_reached' });
    expect(await make(pipeline(), { maximum: 4 })).toBeNull();
    expect(await make(pipeline())).toBeNull();
  });
});
