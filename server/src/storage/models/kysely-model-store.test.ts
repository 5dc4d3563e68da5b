import { expect, it } from 'vitest';
import { describeOnEachEngine } from '../../../test/stores/each-engine.ts';
import type { StoredLanguageModel } from '../../core/models/model-store.ts';
import type { StoredProvider } from '../../core/models/provider.ts';
import { newUuid } from '../../lib/uuid.ts';
import { KyselyModelStore } from './kysely-model-store.ts';

const moment = (second: number) => `2026-01-01T00:00:0${second}.000Z`;

const provider = (over: Partial<StoredProvider> = {}): StoredProvider => ({
  uuid: newUuid(),
  name: 'Provider',
  requester: 'openai-chat-completions',
  base_url: 'https://models.example.com/v1',
  api_keys: ['sk-…wxyz'],
  sealed_secrets: 'v1.sealed',
  created_at: moment(1),
  updated_at: moment(1),
  ...over,
});

const model = (over: Partial<StoredLanguageModel> = {}): StoredLanguageModel => ({
  uuid: newUuid(),
  name: 'large',
  provider_uuid: newUuid(),
  abilities: ['vision'],
  extra_args: { temperature: 0.5, nested: { list: [1, null, 'two'] } },
  prefered_ranking: 0,
  created_at: moment(1),
  updated_at: moment(1),
  ...over,
});

describeOnEachEngine('the store of models', (storage) => {
  const store = () => new KyselyModelStore(storage().database);

  it('gives a provider back as it was stored; only who asks for them gets the sealed keys', async () => {
    const stored = provider();
    await store().createProvider(stored);
    const { sealed_secrets: _, ...shown } = stored;
    expect(await store().provider(stored.uuid)).toEqual({ ...shown, llm_count: 0, embedding_count: 0 });
    expect(await store().providers()).toEqual([{ ...shown, llm_count: 0, embedding_count: 0 }]);
    expect(await store().storedProvider(stored.uuid)).toEqual(stored);
    expect(await store().storedProviders()).toEqual([stored]);
    expect(await store().provider(newUuid())).toBeNull();
    expect(await store().storedProvider(newUuid())).toBeNull();
  });

  it('counts the models of each provider by their kind', async () => {
    const [first, second] = [provider(), provider({ created_at: moment(2) })];
    for (const stored of [second, first]) await store().createProvider(stored);
    for (let index = 0; index < 3; index += 1) await store().createLanguageModel(model({ provider_uuid: first.uuid }));
    const { abilities, extra_args, ...columns } = model({ provider_uuid: first.uuid });
    await storage()
      .database.insertInto('models')
      .values({
        ...columns,
        kind: 'text-embedding',
        abilities: JSON.stringify(abilities),
        extra_args: JSON.stringify(extra_args),
      })
      .execute();
    expect(await store().providers()).toMatchObject([
      { uuid: first.uuid, llm_count: 3, embedding_count: 1 },
      { uuid: second.uuid, llm_count: 0, embedding_count: 0 },
    ]);
    expect(await store().provider(first.uuid)).toMatchObject({ llm_count: 3, embedding_count: 1 });
    expect(await store().languageModels()).toHaveLength(3);
    expect(await store().languageModel(columns.uuid)).toBeNull();
  });

  it('gives a model back as it was stored', async () => {
    const { uuid } = provider();
    await store().createProvider(provider({ uuid }));
    const stored = model({ provider_uuid: uuid });
    expect(await store().createLanguageModel(stored)).toBe(true);
    expect(await store().languageModel(stored.uuid)).toEqual(stored);
    expect(await store().languageModels(uuid)).toEqual([stored]);
    expect(await store().languageModels(newUuid())).toEqual([]);
  });

  it('makes no model of a provider that is gone', async () => {
    expect(await store().createLanguageModel(model())).toBe(false);
    expect(await store().languageModels()).toEqual([]);
  });

  it('lists models by their rank, then by age', async () => {
    const { uuid } = provider();
    await store().createProvider(provider({ uuid }));
    const make = (name: string, prefered_ranking: number, second: number) =>
      store().createLanguageModel(model({ name, provider_uuid: uuid, prefered_ranking, created_at: moment(second) }));
    await make('last', 5, 1);
    await make('second', 0, 2);
    await make('third', 0, 3);
    await make('first', -5, 4);
    expect((await store().languageModels()).map(({ name }) => name)).toEqual(['first', 'second', 'third', 'last']);
  });
});
