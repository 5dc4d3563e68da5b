import { expect, it } from 'vitest';
import { pipelineServiceOptions } from '../../../test/factories/pipeline-schema.ts';
import { addBot } from '../../../test/stores/add-bot.ts';
import { describeOnEachEngine } from '../../../test/stores/each-engine.ts';
import { insertBase, insertDocument, insertUpload } from '../../../test/stores/knowledge-records.ts';
import { insertModel } from '../../../test/stores/model-records.ts';
import type { BotListing } from '../../core/bots/bot-store.ts';
import type { DocumentStage } from '../../core/knowledge/document.ts';
import { PipelineService } from '../../core/pipelines/pipeline-service.ts';
import { SecretBox } from '../../lib/secret-box.ts';
import { newUuid } from '../../lib/uuid.ts';
import { KyselyApiKeyStore } from '../accounts/kysely-api-key-store.ts';
import { KyselyBotStore } from '../bots/kysely-bot-store.ts';
import { KyselyDocumentStore } from '../knowledge/kysely-document-store.ts';
import { KyselyKnowledgeBaseStore } from '../knowledge/kysely-knowledge-base-store.ts';
import { KyselyModelStore } from '../models/kysely-model-store.ts';
import { KyselyPipelineStore } from '../pipelines/kysely-pipeline-store.ts';
import { KyselyWebhookStore } from '../webhooks/kysely-webhook-store.ts';

const time = (second: number) => `2026-01-01T00:00:0${second}.000Z`;

describeOnEachEngine('lists of records', (storage) => {
  const opened = <Store>(Kind: new (database: never, engine: never) => Store) =>
    new Kind(storage().database as never, storage().engine as never);
  const bots = () => opened(KyselyBotStore);
  const all: BotListing = { without_adapters: [] };
  const named = async (listing: Partial<BotListing>) =>
    (await bots().page({ ...all, sort_by: 'name', ...listing })).records.map(({ name }) => name);
  const newPipeline = (name: string) =>
    new PipelineService(opened(KyselyPipelineStore), new SecretBox(Buffer.alloc(32)), pipelineServiceOptions()).create({
      name,
    });

  it('have pages that leave out and repeat nothing, with the number of all matches', async () => {
    for (let index = 0; index < 7; index += 1) await addBot(storage(), { name: 'same', created_at: time(1) });
    const pages = await Promise.all(
      [0, 3, 6, 9].map((offset) => bots().page({ ...all, sort_by: 'created_at', descending: true, limit: 3, offset })),
    );
    expect(pages.map(({ records, total }) => [records.length, total])).toEqual([
      [3, 7],
      [3, 7],
      [1, 7],
      [0, 7],
    ]);
    const uuids = pages.flatMap(({ records }) => records.map(({ uuid }) => uuid));
    expect(uuids).toEqual([...new Set(uuids)].sort().reverse());
    expect((await bots().page({ ...all, offset: 5 })).records).toHaveLength(2);
  });

  it('find texts whatever their capitals, and take wildcards as they are', async () => {
    for (const name of ['ÄPFEL 100%', 'Birnen_1', 'birnen-1', 'C:\\Obst', "O'Hara"]) await addBot(storage(), { name });
    await addBot(storage(), { name: 'Zwetschgen', description: 'Ähnlich' });
    // PostgreSQL knows the letters of its locale, which the one for tests may not have.
    if (storage().engine === 'sqlite') expect(await named({ search: 'äpFEL' })).toEqual(['ÄPFEL 100%']);
    expect(await named({ search: 'BIRNEN' })).toEqual(['birnen-1', 'Birnen_1']);
    expect(await named({ search: '_' })).toEqual(['Birnen_1']);
    expect(await named({ search: '%' })).toEqual(['ÄPFEL 100%']);
    expect(await named({ search: '\\o' })).toEqual(['C:\\Obst']);
    expect(await named({ search: "o'h" })).toEqual(["O'Hara"]);
    expect(await named({ search: 'hnlich' })).toEqual(['Zwetschgen']);
    expect(await named({ search: 'nothing' })).toEqual([]);
    expect(await named({ search: '' })).toHaveLength(6);
  });

  it('of bots are filtered by platform, switch, pipeline and named bots, and sorted', async () => {
    const [support, sales] = [await newPipeline('Support'), await newPipeline('sales')];
    const one = await addBot(storage(), { name: 'b', use_pipeline_uuid: support, enable: false, updated_at: time(3) });
    const rule = { pipeline_uuid: sales, session_types: [] } as never;
    const other = await addBot(storage(), {
      name: 'A',
      use_pipeline_uuid: support,
      pipeline_routing_rules: [rule],
      updated_at: time(4),
    });
    await addBot(storage(), { name: 'c', adapter: 'hidden', use_pipeline_uuid: sales, updated_at: time(2) });
    expect(await named({})).toEqual(['A', 'b', 'c']);
    expect(await named({ sort_by: 'pipeline' })).toEqual(['c', 'b', 'A']);
    expect(await named({ sort_by: 'updated_at', descending: true })).toEqual(['A', 'b', 'c']);
    expect(await named({ without_adapters: ['hidden'] })).toEqual(['A', 'b']);
    expect(await named({ adapter: 'hidden' })).toEqual(['c']);
    expect(await named({ enabled: false })).toEqual(['b']);
    expect(await named({ pipeline_uuid: sales.toUpperCase() })).toEqual(['A', 'c']);
    expect(await named({ only: { uuids: [one], are: 'listed' } })).toEqual(['b']);
    expect(await named({ only: { uuids: [one], are: 'left_out' } })).toEqual(['A', 'c']);
    expect(await named({ only: { uuids: [], are: 'listed' } })).toEqual([]);
    expect(await named({ only: { uuids: [], are: 'left_out' } })).toHaveLength(3);
    expect(await named({ ids: [one, newUuid()] })).toEqual(['b']);
    expect(await named({ ids: [] })).toEqual([]);
    expect(await bots().names({ ...all, search: 'a', ids: [one, other] })).toEqual([{ id: other, name: 'A' }]);
    const { records } = await bots().page({ ...all, ids: [one] });
    expect(records).toEqual([await bots().byUuid(one)]);
  });

  it('of pipelines know which are used', async () => {
    const [bound, ruled, unused] = [await newPipeline('a'), await newPipeline('b'), await newPipeline('c')];
    await addBot(storage(), { use_pipeline_uuid: bound, pipeline_routing_rules: [{ pipeline_uuid: ruled } as never] });
    const store = opened(KyselyPipelineStore);
    expect((await store.names({ used: true })).map(({ name }) => name)).toEqual(['a', 'b']);
    expect(await store.names({ used: false })).toEqual([{ id: unused, name: 'c' }]);
    const { records, total } = await store.page({ sort_by: 'name', descending: true, limit: 2 });
    expect([records.map(({ name }) => name), total]).toEqual([['c', 'b'], 3]);
    expect(records[1]).toEqual(await store.byUuid(ruled));
  });

  it('of webhooks are filtered by their switch', async () => {
    const store = opened(KyselyWebhookStore);
    const seal = () => ({ sealed_secret: 's', secret_mask: '…' });
    const webhook = {
      description: '',
      secret: '',
      disabled_reason: null,
      created_at: time(1),
      updated_at: time(1),
    };
    const on = await store.create({ ...webhook, name: 'x', url: 'https://on.example', enabled: true }, seal);
    const off = await store.create({ ...webhook, name: 'y', url: 'https://off.example', enabled: false }, seal);
    expect(await store.page({ enabled: true })).toEqual({ records: [on], total: 1 });
    expect(await store.page({ search: 'OFF.EX' })).toEqual({ records: [off], total: 1 });
    expect(await store.names({ ids: [off.id, on.id] })).toEqual([
      { id: on.id, name: 'x' },
      { id: off.id, name: 'y' },
    ]);
  });

  it('of keys are filtered by scope and by whether they are valid', async () => {
    const store = opened(KyselyApiKeyStore);
    const key = { key: 'lbk…', description: '', account_uuid: null, created_at: time(1), updated_at: time(1) };
    await store.create({ ...key, name: 'old', scopes: ['read'], expires_at: time(2) }, 'h1');
    await store.create({ ...key, name: 'for ever', scopes: ['read', 'admin'], expires_at: null }, 'h2');
    await store.create({ ...key, name: 'new', scopes: ['send'], expires_at: time(9) }, 'h3');
    const of = async (listing: object) =>
      (await store.page({ sort_by: 'name', ...listing }, time(2))).records.map(({ name }) => name);
    expect(await of({ state: 'expired' })).toEqual(['old']);
    expect(await of({ state: 'valid' })).toEqual(['for ever', 'new']);
    expect(await of({ scope: 'read' })).toEqual(['for ever', 'old']);
    expect(await of({ sort_by: 'expires_at' })).toEqual(['for ever', 'old', 'new']);
    expect(await of({ sort_by: 'expires_at', descending: true })).toEqual(['new', 'old', 'for ever']);
    expect((await store.names({ state: 'expired' }, time(2))).map(({ name }) => name)).toEqual(['old']);
  });

  it('of models are of one kind, and found by their provider', async () => {
    const store = opened(KyselyModelStore);
    const uuid = await insertModel(storage().database);
    await insertModel(storage().database, 'text-embedding');
    const provider_uuid = (await store.model('llm', uuid))?.provider_uuid ?? '';
    expect(await store.modelNames('llm', {})).toEqual([{ id: uuid, name: 'Model' }]);
    const found = { records: [await store.model('llm', uuid)], total: 1 };
    expect(await store.modelPage('llm', { search: 'PROV', sort_by: 'provider' })).toEqual(found);
    expect(await store.modelPage('llm', { provider_uuid: provider_uuid.toUpperCase() })).toEqual(found);
    expect(await store.modelPage('rerank', {})).toEqual({ records: [], total: 0 });
  });

  it('of knowledge bases and documents have their figures', async () => {
    const database = storage().database;
    const [{ uuid: full }, { uuid: empty }] = [await insertBase(database), await insertBase(database)];
    const stages: DocumentStage[] = ['queued', 'embedding', 'ready', 'failed', 'cancelled'];
    for (const [index, stage] of stages.entries()) {
      const over = {
        knowledge_base_uuid: full,
        stage,
        file_name: `${stage}.PDF`,
        size: index,
        created_at: time(index),
      };
      await insertDocument(database, await insertUpload(database), over);
    }
    const bases = opened(KyselyKnowledgeBaseStore);
    const { records, total } = await bases.page({ sort_by: 'document_count', descending: true, limit: 1 });
    expect([records, total]).toEqual([[await bases.byUuid(full)], 2]);
    expect(records[0]?.document_count).toBe(5);
    const pipeline = await newPipeline('P');
    await database
      .updateTable('pipelines')
      .set({ config: JSON.stringify({ bases: [full.toUpperCase()] }) })
      .where('uuid', '=', pipeline)
      .execute();
    expect((await bases.names({ used: true })).map(({ id }) => id)).toEqual([full]);
    expect((await bases.names({ used: false })).map(({ id }) => id)).toEqual([empty]);

    const documents = new KyselyDocumentStore(database, storage().engine, storage().replica);
    const of = async (listing: object) =>
      (await documents.listed(full, { sort_by: 'size', ...listing })).records.map(({ stage }) => stage);
    expect(await of({ state: 'in_progress' })).toEqual(['queued', 'embedding']);
    expect(await of({ state: 'failed' })).toEqual(['failed', 'cancelled']);
    expect(await of({ search: 'read' })).toEqual(['ready']);
    expect(await of({ descending: true, limit: 2, offset: 1 })).toEqual(['failed', 'ready']);
    expect((await documents.names(full, { state: 'ready' })).map(({ name }) => name)).toEqual(['ready.PDF']);
    expect(await documents.listed(empty, {})).toEqual({ records: [], total: 0 });
  });
});
