import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { addBot } from '../../../test/stores/add-bot.ts';
import { claimOne } from '../../../test/stores/claim-one.ts';
import { describeOnEachEngine } from '../../../test/stores/each-engine.ts';
import { conversationKey, messageEvent } from '../../../test/stores/ledger-records.ts';
import { now } from '../../lib/clock.ts';
import { newUuid } from '../../lib/uuid.ts';
import type { Database } from '../database.ts';
import { openLedger } from '../messages/open-ledger.ts';
import { KyselyMetadataStore } from '../system/kysely-metadata-store.ts';

const stamps = () => ({ created_at: now(), updated_at: now() });

/** A row for each table of records, with how to change and find it. */
const records = {
  providers: () => ({
    uuid: newUuid(),
    name: 'Provider',
    requester: 'r',
    base_url: 'https://example.com',
    api_keys: '[]',
    sealed_secrets: null,
    admin_addresses: null,
    ...stamps(),
  }),
  model_prices: () => ({ model_name: newUuid(), input_price: 1, output_price: 1, ...stamps() }),
  pipelines: () => ({
    uuid: newUuid(),
    name: 'Pipeline',
    description: '',
    emoji: '',
    for_version: 'v1',
    is_default: 0,
    stages: '[]',
    config: '{}',
    extensions_preferences: '{}',
    sealed_secrets: null,
    ...stamps(),
  }),
  bots: () => ({
    uuid: newUuid(),
    name: 'Bot',
    description: '',
    adapter: 'fake',
    adapter_config: '{}',
    sealed_secrets: null,
    enable: 1,
    use_pipeline_uuid: null,
    ...stamps(),
  }),
};

describeOnEachEngine('the version of records', (storage) => {
  const version = async () =>
    (await storage().database.selectFrom('record_version').select('version').executeTakeFirstOrThrow()).version;
  /** How much something raises the version. */
  const raisedBy = async (work: () => Promise<unknown>) => {
    const before = await version();
    await work();
    return (await version()) - before;
  };

  it.each(Object.keys(records) as (keyof typeof records)[])('is raised by every change of %s', async (table) => {
    const { database } = storage();
    const row: Record<string, unknown> = records[table]();
    const isRow = sql<boolean>`${sql.ref('created_at')} = ${row.created_at}`;
    expect(
      await raisedBy(() =>
        database
          .insertInto(table)
          .values(row as never)
          .execute(),
      ),
    ).toBe(1);
    const later = { updated_at: '2030-01-01T00:00:00.000Z' };
    expect(await raisedBy(() => database.updateTable(table).set(later).where(isRow).execute())).toBe(1);
    const none = sql<boolean>`created_at = 'never'`;
    expect(await raisedBy(() => database.updateTable(table).set(later).where(none).execute())).toBe(0);
    expect(await raisedBy(() => database.deleteFrom(table).where(isRow).execute())).toBe(1);
  });

  it('is raised by every change of a model', async () => {
    const { database } = storage();
    const provider = records.providers();
    await database.insertInto('providers').values(provider).execute();
    const model = { uuid: newUuid(), name: 'm', provider_uuid: provider.uuid, kind: 'llm', abilities: '[]' };
    const row = { ...model, extra_args: '{}', prefered_ranking: 0, ...stamps() };
    expect(
      await raisedBy(() =>
        database
          .insertInto('models')
          .values(row as never)
          .execute(),
      ),
    ).toBe(1);
    expect(await raisedBy(() => database.updateTable('models').set({ name: 'n' }).execute())).toBe(1);
    expect(await raisedBy(() => database.deleteFrom('models').execute())).toBe(1);
  });

  it('is raised by the list of sensitive words, and by no other metadata', async () => {
    const metadata = new KyselyMetadataStore(storage().database);
    expect(await raisedBy(() => metadata.set('sensitive_words', '{}'))).toBe(1);
    expect(await raisedBy(() => metadata.set('sensitive_words', '{"words":[]}'))).toBe(1);
    expect(await raisedBy(() => metadata.delete('sensitive_words'))).toBe(1);
    expect(await raisedBy(() => metadata.set('other', '1'))).toBe(0);
    expect(await raisedBy(() => metadata.set('other', '2'))).toBe(0);
    expect(await raisedBy(() => metadata.delete('other'))).toBe(0);
  });

  it('stays with a transaction that is rolled back', async () => {
    const { database } = storage();
    const add = (transaction: Database) => transaction.insertInto('providers').values(records.providers()).execute();
    const failing = () =>
      database.transaction().execute(async (transaction) => {
        await add(transaction);
        throw new Error('changed my mind');
      });
    expect(await raisedBy(() => expect(failing()).rejects.toThrow('changed my mind'))).toBe(0);
  });

  it('is locked last: one transaction does not hold it while it waits for a record of another', async () => {
    const { database, engine } = storage();
    const [provider, pipeline] = [records.providers(), records.pipelines()];
    await database.insertInto('providers').values(provider).execute();
    await database.insertInto('pipelines').values(pipeline).execute();
    const rename = (table: 'providers' | 'pipelines', transaction: Database) =>
      transaction.updateTable(table).set({ name: 'changed' }).execute();
    const [changedProvider, changedPipeline] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    // SQLite has one writer at a time anyway.
    if (engine === 'sqlite') changedPipeline.resolve();
    const both = () =>
      database.transaction().execute(async (transaction) => {
        await rename('providers', transaction);
        changedProvider.resolve();
        await changedPipeline.promise;
        await rename('pipelines', transaction);
      });
    const one = () =>
      database.transaction().execute(async (transaction) => {
        await changedProvider.promise;
        await rename('pipelines', transaction);
        changedPipeline.resolve();
      });
    expect(await raisedBy(() => Promise.all([both(), one()]))).toBe(3);
  });

  it('stays while messages are received, claimed, answered and released; the claim names it', async () => {
    const { messages, deliveries } = await openLedger(storage());
    const bot_uuid = await addBot(storage());
    const key = conversationKey({ bot_uuid });
    const work = async () => {
      await messages.accept(key, messageEvent('one'));
      const message = await claimOne(messages, []);
      if (message === null) throw new Error('no message was waiting');
      expect(message).toMatchObject({ record_version: await version(), history_revision: 0 });
      await deliveries.beginAnswer(message, false);
      await messages.release(message, null);
      const again = await claimOne(messages, []);
      if (again === null) throw new Error('no message was waiting');
      await messages.settle(
        again,
        { state: 'stopped', reason: 'cancelled' },
        { answer: null, merged: [], record: null },
      );
    };
    expect(await raisedBy(work)).toBe(0);
    await storage().database.updateTable('bots').set({ name: 'renamed' }).execute();
    await messages.accept(key, messageEvent('two'));
    expect(await claimOne(messages, [])).toMatchObject({ record_version: await version(), history_revision: 0 });
  });

  it('has a revision of each conversation beside it, which changes of ended messages raise', async () => {
    const { database } = storage();
    const { messages } = await openLedger(storage());
    const key = conversationKey({ bot_uuid: await addBot(storage()) });
    const revisions = async () =>
      (await database.selectFrom('conversations').select('history_revision').execute()).map(
        (row) => row.history_revision,
      );
    await messages.accept(key, messageEvent('one'));
    const one = await claimOne(messages, []);
    if (one === null) throw new Error('no message was waiting');
    await messages.settle(one, { state: 'answered', reason: 'answered' }, { answer: null, merged: [], record: null });
    expect(await revisions()).toEqual([0]);
    await database.updateTable('messages').set({ text: 'another' }).where('uuid', '=', one.uuid).execute();
    expect(await revisions()).toEqual([1]);
    await messages.accept(key, messageEvent('two'));
    await database.updateTable('messages').set({ sender_name: 'A' }).where('text', '=', 'two').execute();
    expect(await claimOne(messages, [])).toMatchObject({ text: 'two', history_revision: 1 });
    await database.deleteFrom('messages').where('uuid', '=', one.uuid).execute();
    expect(await revisions()).toEqual([2]);
  });
});
