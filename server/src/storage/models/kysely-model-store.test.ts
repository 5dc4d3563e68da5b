import type { ModelKind } from '@parley/sdk';
import { describe, expect, it } from 'vitest';
import { describeOnEachEngine } from '../../../test/stores/each-engine.ts';
import { insertBase, newCollection } from '../../../test/stores/knowledge-records.ts';
import type { StoredModel } from '../../core/models/model.ts';
import type { ChooseProvider } from '../../core/models/model-store.ts';
import type { StoredProvider } from '../../core/models/provider.ts';
import { newUuid } from '../../lib/uuid.ts';
import { KyselyCollectionStore } from '../knowledge/kysely-collection-store.ts';
import { KyselyModelStore } from './kysely-model-store.ts';

const kinds: ModelKind[] = ['llm', 'text-embedding', 'rerank'];
const timestamp = (second: number) => `2026-01-01T00:00:0${second}.000Z`;

const provider = (over: Partial<StoredProvider> = {}): StoredProvider => ({
  uuid: newUuid(),
  name: 'Provider',
  requester: 'openai-chat-completions',
  base_url: 'https://models.example.com/v1',
  api_keys: ['sk-…wxyz'],
  sealed_secrets: 'v1.sealed',
  admin_addresses: ['https://models.example.com/v1'],
  created_at: timestamp(1),
  updated_at: timestamp(1),
  ...over,
});

const model = (over: Partial<StoredModel> = {}): Omit<StoredModel, 'provider_uuid'> => ({
  uuid: newUuid(),
  name: 'large',
  abilities: ['vision'],
  extra_args: { temperature: 0.5, nested: { list: [1, null, 'two'] } },
  prefered_ranking: 0,
  created_at: timestamp(1),
  updated_at: timestamp(1),
  ...over,
});

class Gone extends Error {}

/** Chooses a stored provider. */
const stored =
  (uuid: string): ChooseProvider =>
  (all) => {
    const found = all.find((one) => one.uuid === uuid);
    if (found === undefined) throw new Gone();
    return { provider: found, isNew: false };
  };
/** Selects the provider at an address, or creates one. */
const at =
  (base_url: string): ChooseProvider =>
  (all) => {
    const found = all.find((one) => one.base_url === base_url);
    return found === undefined ? { provider: provider({ base_url }), isNew: true } : { provider: found, isNew: false };
  };

describeOnEachEngine('the store of models', (storage) => {
  const store = () => new KyselyModelStore(storage().database, storage().engine);
  const pipelineNaming = async (name: string, ...models: string[]) => {
    const uuid = newUuid();
    const texts = { stages: '[]', config: '{}', extensions_preferences: '{}', description: '', for_version: 'v1' };
    const empty = { emoji: null, sealed_secrets: null, is_default: 0 };
    await storage()
      .database.insertInto('pipelines')
      .values({ uuid, name, ...texts, ...empty, created_at: timestamp(1), updated_at: timestamp(1) })
      .execute();
    for (const model_uuid of models) await use(uuid, model_uuid);
    return uuid;
  };
  const use = (pipeline_uuid: string, model_uuid: string) =>
    storage().database.insertInto('pipeline_models').values({ pipeline_uuid, model_uuid }).execute();

  describe('providers', () => {
    it('are returned as they were stored, with encrypted keys only on request', async () => {
      const made = provider();
      await store().createProvider(made);
      const { sealed_secrets: _, admin_addresses: __, ...shown } = made;
      const counts = { llm_count: 0, embedding_count: 0, rerank_count: 0 };
      expect(await store().provider(made.uuid)).toEqual({ ...shown, ...counts });
      expect(await store().providers()).toEqual([{ ...shown, ...counts }]);
      expect(await store().storedProvider(made.uuid)).toEqual(made);
      expect(await store().storedProviders()).toEqual([made]);
      expect(await store().provider(newUuid())).toBeNull();
      expect(await store().storedProvider(newUuid())).toBeNull();
    });

    it('count their models by kind', async () => {
      const [first, second] = [provider(), provider({ created_at: timestamp(2) })];
      for (const made of [second, first]) await store().createProvider(made);
      const counts = { llm: 3, 'text-embedding': 1, rerank: 2 };
      for (const kind of kinds) {
        for (let index = 0; index < counts[kind]; index += 1) {
          await store().createModel(kind, model(), stored(first.uuid));
        }
      }
      expect(await store().providers()).toMatchObject([
        { uuid: first.uuid, llm_count: 3, embedding_count: 1, rerank_count: 2 },
        { uuid: second.uuid, llm_count: 0, embedding_count: 0, rerank_count: 0 },
      ]);
      expect(await store().provider(first.uuid)).toMatchObject({ llm_count: 3, embedding_count: 1, rerank_count: 2 });
    });

    it('are updated from the stored record, with the kinds of their models', async () => {
      const [made, other] = [provider(), provider()];
      for (const one of [made, other]) await store().createProvider(one);
      for (const kind of ['rerank', 'llm', 'llm'] as const) await store().createModel(kind, model(), stored(made.uuid));
      const seen: unknown[] = [];
      const changed = await store().updateProvider(made.uuid, (before, known) => {
        seen.push(before, known);
        return { ...before, name: 'Renamed', api_keys: [], sealed_secrets: null, updated_at: timestamp(5) };
      });
      expect(changed).toBe(true);
      expect(seen).toEqual([made, ['llm', 'rerank']]);
      expect(await store().storedProvider(made.uuid)).toEqual({
        ...made,
        name: 'Renamed',
        api_keys: [],
        sealed_secrets: null,
        updated_at: timestamp(5),
      });
      expect(await store().storedProvider(other.uuid)).toEqual(other);
      expect(await store().updateProvider(newUuid(), (before) => before)).toBe(false);
    });

    it('stay as they were when the change is refused', async () => {
      const made = provider();
      await store().createProvider(made);
      const refusal = store().updateProvider(made.uuid, () => {
        throw new Gone();
      });
      await expect(refusal).rejects.toThrow(Gone);
      expect(await store().storedProvider(made.uuid)).toEqual(made);
    });

    it('take changes one after another', async () => {
      const made = provider({ name: '' });
      await store().createProvider(made);
      await Promise.all(
        Array.from({ length: 10 }, () =>
          store().updateProvider(made.uuid, (before) => ({ ...before, name: `${before.name}.` })),
        ),
      );
      expect((await store().storedProvider(made.uuid))?.name).toBe('.'.repeat(10));
    });

    it('are deleted unless there are models of them', async () => {
      const { uuid } = provider();
      await store().createProvider(provider({ uuid }));
      const [chat, ranker] = [model({ name: 'chatter' }), model({ name: 'ranker' })];
      await store().createModel('rerank', ranker, stored(uuid));
      await store().createModel('llm', chat, stored(uuid));
      expect(await store().deleteProvider(uuid)).toEqual([
        { uuid: chat.uuid, name: 'chatter', kind: 'llm' },
        { uuid: ranker.uuid, name: 'ranker', kind: 'rerank' },
      ]);
      expect(await store().deleteModel('llm', chat.uuid)).toEqual([]);
      expect(await store().deleteModel('rerank', ranker.uuid)).toEqual([]);
      expect(await store().deleteProvider(uuid)).toEqual([]);
      expect(await store().deleteProvider(uuid)).toBeNull();
      expect(await store().providers()).toEqual([]);
    });

    it('that are deleted while a model is created leave no model without one', async () => {
      for (let round = 0; round < 10; round += 1) {
        const { uuid } = provider();
        await store().createProvider(provider({ uuid }));
        const [made, deleted] = await Promise.all([
          store()
            .createModel('llm', model(), stored(uuid))
            .then(
              () => true,
              (error: unknown) => {
                expect(error).toBeInstanceOf(Gone);
                return false;
              },
            ),
          store().deleteProvider(uuid),
        ]);
        expect(deleted?.length).toBe(made ? 1 : 0);
        expect(await store().provider(uuid)).toEqual(made ? expect.objectContaining({ llm_count: 1 }) : null);
        expect(await store().models('llm', uuid)).toHaveLength(made ? 1 : 0);
      }
    });
  });

  describe.each(kinds)('models of the kind %s', (kind) => {
    const other = kind === 'llm' ? 'rerank' : 'llm';
    let uuid: string;
    const makeProvider = async () => {
      uuid = newUuid();
      await store().createProvider(provider({ uuid }));
    };

    it('come back as they were stored, each among its kind', async () => {
      await makeProvider();
      const made = model();
      await store().createModel(kind, made, stored(uuid));
      expect(await store().model(kind, made.uuid)).toEqual({ ...made, provider_uuid: uuid });
      expect(await store().models(kind, uuid)).toEqual([{ ...made, provider_uuid: uuid }]);
      expect(await store().models(kind, newUuid())).toEqual([]);
      expect(await store().model(other, made.uuid)).toBeNull();
      expect(await store().models(other)).toEqual([]);
    });

    it('are updated from the stored record, each within its kind', async () => {
      await makeProvider();
      const made = model();
      await store().createModel(kind, made, stored(uuid));
      const rename = (before: StoredModel) => ({ ...before, name: `${before.name}r`, updated_at: timestamp(5) });
      expect(await store().updateModel(kind, made.uuid, rename, null)).toBe(true);
      const renamed = { ...made, name: 'larger', updated_at: timestamp(5) };
      expect(await store().model(kind, made.uuid)).toEqual({ ...renamed, provider_uuid: uuid });
      const two = provider();
      await store().createProvider(two);
      expect(await store().updateModel(kind, made.uuid, (before) => before, stored(two.uuid))).toBe(true);
      expect(await store().model(kind, made.uuid)).toEqual({ ...renamed, provider_uuid: two.uuid });
      expect(await store().updateModel(other, made.uuid, rename, null)).toBe(false);
      expect(await store().updateModel(kind, newUuid(), rename, at('https://new.example'))).toBe(false);
      expect(await store().storedProviders()).toHaveLength(2);
    });

    it('are deleted unless pipelines name them, each among its kind', async () => {
      await makeProvider();
      const [made, spared] = [model(), model()];
      for (const one of [made, spared]) await store().createModel(kind, one, stored(uuid));
      const pipeline = await pipelineNaming('Support', made.uuid, spared.uuid);
      expect(await store().deleteModel(other, made.uuid)).toBeNull();
      expect(await store().deleteModel(kind, made.uuid)).toEqual([
        { kind: 'pipeline', uuid: pipeline, name: 'Support' },
      ]);
      expect(await store().models(kind)).toHaveLength(2);
      await storage().database.deleteFrom('pipeline_models').where('model_uuid', '=', made.uuid).execute();
      expect(await store().deleteModel(kind, made.uuid)).toEqual([]);
      expect(await store().deleteModel(kind, made.uuid)).toBeNull();
      expect(await store().models(kind)).toEqual([{ ...spared, provider_uuid: uuid }]);
    });
  });

  describe('models', () => {
    it('are neither created nor moved when the provider is refused', async () => {
      const { uuid } = provider();
      await store().createProvider(provider({ uuid }));
      const made = model();
      await store().createModel('llm', made, stored(uuid));
      await expect(store().createModel('llm', model(), stored(newUuid()))).rejects.toThrow(Gone);
      const rename = (before: StoredModel) => ({ ...before, name: 'renamed' });
      await expect(store().updateModel('llm', made.uuid, rename, stored(newUuid()))).rejects.toThrow(Gone);
      expect(await store().models('llm')).toEqual([{ ...made, provider_uuid: uuid }]);
    });

    it('are stored with a provider that is new, or neither is', async () => {
      await store().createModel('llm', model({ name: 'a' }), at('https://one.example'));
      await store().createModel('rerank', model({ name: 'b' }), at('https://one.example'));
      const [one] = await store().storedProviders();
      expect(await store().models('rerank')).toMatchObject([{ name: 'b', provider_uuid: one?.uuid }]);
      const twice = { ...model(), uuid: (await store().models('llm'))[0]?.uuid as string };
      await expect(store().createModel('llm', twice, at('https://two.example'))).rejects.toThrow();
      expect(await store().storedProviders()).toHaveLength(1);
    });

    it('that come together make the provider they share once', async () => {
      await Promise.all(
        Array.from({ length: 10 }, (_, index) =>
          store().createModel(kinds[index % 3] as ModelKind, model(), at('https://one.example')),
        ),
      );
      expect(await store().providers()).toMatchObject([{ llm_count: 4, embedding_count: 3, rerank_count: 3 }]);
    });

    it('that are deleted while a pipeline adds them leave no pipeline without one', async () => {
      const pipeline = await pipelineNaming('Support');
      for (let round = 0; round < 10; round += 1) {
        const made = model();
        await store().createModel('llm', made, at('https://one.example'));
        const [named, deleted] = await Promise.all([
          use(pipeline, made.uuid).then(
            () => true,
            () => false,
          ),
          store().deleteModel('llm', made.uuid),
        ]);
        expect(deleted).toEqual(named ? [{ kind: 'pipeline', uuid: pipeline, name: 'Support' }] : []);
        expect(await store().model('llm', made.uuid)).toEqual(named ? expect.anything() : null);
      }
    });

    it('that knowledge bases name are not deleted, whether they answer or are being built', async () => {
      const { database } = storage();
      const { uuid } = provider();
      await store().createProvider(provider({ uuid }));
      const made = model();
      await store().createModel('text-embedding', made, stored(uuid));
      const named = { embedding_model_uuid: made.uuid.toUpperCase() };
      const ranked = await insertBase(database, { created_at: timestamp(1) });
      const built = await insertBase(database, { created_at: timestamp(2) });
      const other = await insertBase(database);
      await database
        .updateTable('knowledge_bases')
        .set({ retrieval_settings: JSON.stringify({ rerank_model_uuid: made.uuid }) })
        .where('uuid', '=', ranked.uuid)
        .execute();
      const building = newCollection({ knowledge_base_uuid: built.uuid, creation_settings: named });
      await new KyselyCollectionStore(database, storage().engine, storage().replica).create(building);
      const gone = newCollection({ knowledge_base_uuid: other.uuid, creation_settings: named, state: 'failed' });
      await new KyselyCollectionStore(database, storage().engine, storage().replica).create(gone);
      const user = ({ uuid, name }: { uuid: string; name: string }) => ({ kind: 'knowledge_base', uuid, name });
      expect(await store().deleteModel('text-embedding', made.uuid)).toEqual([user(ranked), user(built)]);
      await database.updateTable('knowledge_bases').set({ retrieval_settings: '{}' }).execute();
      await database.updateTable('knowledge_collections').set({ state: 'dropping' }).execute();
      expect(await store().deleteModel('text-embedding', made.uuid)).toEqual([]);
    });

    it('are listed by their rank, then by age', async () => {
      const make = (name: string, prefered_ranking: number, second: number) =>
        store().createModel(
          'llm',
          model({ name, prefered_ranking, created_at: timestamp(second) }),
          at('https://one.example'),
        );
      await make('last', 5, 1);
      await make('second', 0, 2);
      await make('third', 0, 3);
      await make('first', -5, 4);
      expect((await store().models('llm')).map(({ name }) => name)).toEqual(['first', 'second', 'third', 'last']);
    });
  });
});
