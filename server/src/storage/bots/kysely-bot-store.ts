import { type Selectable, sql, type Transaction } from 'kysely';
import type { Bot, BotChanges, NewBot, StoredBot } from '../../core/bots/bot.ts';
import type { BotListing, BotRefusal, BotRevision, BotStore } from '../../core/bots/bot-store.ts';
import type { ListedRecords, NamedRecord } from '../../core/records/record-listing.ts';
import { listColumn, toList } from '../admin-addresses.ts';
import { advisoryLocks } from '../advisory-locks.ts';
import type { Database, Tables } from '../database.ts';
import type { Engine } from '../engine.ts';
import { ParsedTexts } from '../parsed-texts.ts';
import { PreparedQuery } from '../prepared-query.ts';
import { type ListColumns, listedRows, namedRows } from '../records/listed-rows.ts';
import { columnsOf } from '../table-columns.ts';

type BotRow = Selectable<Tables['bots']> & { use_pipeline_name: string | null };

const columns: ListColumns = {
  id: 'bots.uuid',
  name: 'bots.name',
  searched: ['bots.name', 'bots.description'],
  sorted: {
    name: { column: 'bots.name', isText: true },
    adapter: { column: 'bots.adapter', isText: true },
    pipeline: { column: 'pipelines.name', isText: true },
    enable: { column: 'bots.enable' },
    created_at: { column: 'bots.created_at' },
    updated_at: { column: 'bots.updated_at' },
  },
};

/** Each message needs the rules of its bot, which hardly ever change. */
const routingRules = new ParsedTexts<StoredBot['pipeline_routing_rules']>();

export class KyselyBotStore implements BotStore {
  readonly #database: Database;
  readonly #engine: Engine;
  readonly #row: PreparedQuery<BotRow, { uuid: string }>;

  constructor(database: Database, engine: Engine) {
    this.#database = database;
    this.#engine = engine;
    this.#row = new PreparedQuery(database, (value) =>
      withPipelineName(database).where('bots.uuid', '=', value('uuid')),
    );
  }

  async list(): Promise<Bot[]> {
    return (await this.stored()).map(withoutSecrets);
  }

  async page(listing: BotListing): Promise<ListedRecords<Bot>> {
    const query = matching(this.#database, listing)
      .select(columnsOf('bots'))
      .select('pipelines.name as use_pipeline_name');
    const { rows, total } = await listedRows(this.#engine, query, columns, listing);
    return { records: rows.map((row) => withoutSecrets(toStored(row))), total };
  }

  names(listing: BotListing): Promise<NamedRecord[]> {
    return namedRows(this.#engine, matching(this.#database, listing), columns, listing);
  }

  async byUuid(uuid: string): Promise<Bot | null> {
    const bot = await this.storedByUuid(uuid);
    return bot === null ? null : withoutSecrets(bot);
  }

  async stored(): Promise<StoredBot[]> {
    const rows = await withPipelineName(this.#database).orderBy('bots.created_at').orderBy('bots.uuid').execute();
    return rows.map(toStored);
  }

  async revisions(): Promise<BotRevision[]> {
    const rows = await this.#database.selectFrom('bots').select(['uuid', 'adapter', 'enable', 'updated_at']).execute();
    return rows.map(({ enable, ...row }) => ({ ...row, enable: enable === 1 }));
  }

  async storedByUuid(uuid: string): Promise<StoredBot | null> {
    const row = await this.#row.first(this.#database, { uuid });
    return row === undefined ? null : toStored(row);
  }

  create(bot: NewBot, maximum = -1): Promise<BotRefusal | null> {
    return this.#database.transaction().execute(async (transaction) => {
      if (maximum >= 0) {
        // The next creation must count this one, too. SQLite has one writer at a time anyway.
        if (this.#engine === 'postgres')
          await sql`select pg_advisory_xact_lock(${advisoryLocks.bots})`.execute(transaction);
        const { count } = await transaction
          .selectFrom('bots')
          .select(({ fn }) => fn.countAll().as('count'))
          .executeTakeFirstOrThrow();
        if (Number(count) >= maximum) return { reason: 'limit_reached' };
      }
      const unknown = await this.#unknownPipelines(transaction, bot);
      if (unknown !== null) return unknown;
      const { adapter_config, admin_addresses = [], enable, pipeline_routing_rules: rules = [], ...columns } = bot;
      await transaction
        .insertInto('bots')
        .values({
          ...columns,
          adapter_config: JSON.stringify(adapter_config),
          admin_addresses: listColumn(admin_addresses),
          enable: enable ? 1 : 0,
          pipeline_routing_rules: JSON.stringify(rules),
        })
        .execute();
      await insertPipelines(transaction, bot.uuid, rules);
      return null;
    });
  }

  update(uuid: string, change: (stored: StoredBot) => BotChanges): Promise<BotRefusal | null> {
    return this.#database.transaction().execute(async (transaction) => {
      const row = await withPipelineName(transaction)
        .where('bots.uuid', '=', uuid)
        .$if(this.#engine === 'postgres', (query) => query.forUpdate('bots'))
        .executeTakeFirst();
      if (row === undefined) return { reason: 'not_found' };
      const changes = change(toStored(row));
      const unknown = await this.#unknownPipelines(transaction, changes);
      if (unknown !== null) return unknown;
      const { adapter_config, admin_addresses, enable, pipeline_routing_rules: rules, ...columns } = changes;
      await transaction
        .updateTable('bots')
        .set({
          ...columns,
          ...(adapter_config === undefined ? {} : { adapter_config: JSON.stringify(adapter_config) }),
          ...(admin_addresses === undefined ? {} : { admin_addresses: listColumn(admin_addresses) }),
          ...(enable === undefined ? {} : { enable: enable ? 1 : 0 }),
          ...(rules === undefined ? {} : { pipeline_routing_rules: JSON.stringify(rules) }),
        })
        .where('uuid', '=', uuid)
        .execute();
      if (rules !== undefined) {
        await transaction.deleteFrom('bot_pipelines').where('bot_uuid', '=', uuid).execute();
        await insertPipelines(transaction, uuid, rules);
      }
      return null;
    });
  }

  async delete(uuid: string): Promise<boolean> {
    const { numDeletedRows } = await this.#database.deleteFrom('bots').where('uuid', '=', uuid).executeTakeFirst();
    return numDeletedRows === 1n;
  }

  /** Which of the pipelines that a bot is to name are not there; the others stay so until the transaction ends. */
  async #unknownPipelines(
    transaction: Transaction<Tables>,
    { use_pipeline_uuid: bound, pipeline_routing_rules: rules = [] }: Pick<BotChanges, NamingFields>,
  ): Promise<BotRefusal | null> {
    const named = new Set([...(bound == null ? [] : [bound]), ...pipelinesOf(rules)]);
    if (named.size === 0) return null;
    const rows = await transaction
      .selectFrom('pipelines')
      .select('uuid')
      .where('uuid', 'in', [...named])
      .$if(this.#engine === 'postgres', (query) => query.forKeyShare())
      .execute();
    for (const { uuid } of rows) named.delete(uuid);
    return named.size === 0 ? null : { reason: 'unknown_pipelines', pipelines: [...named] };
  }
}

type NamingFields = 'use_pipeline_uuid' | 'pipeline_routing_rules';

function pipelinesOf(rules: StoredBot['pipeline_routing_rules']): string[] {
  return [...new Set(rules.map(({ pipeline_uuid }) => pipeline_uuid))];
}

async function insertPipelines(
  transaction: Transaction<Tables>,
  bot_uuid: string,
  rules: StoredBot['pipeline_routing_rules'],
): Promise<void> {
  if (rules.length === 0) return;
  await transaction
    .insertInto('bot_pipelines')
    .values(pipelinesOf(rules).map((pipeline_uuid) => ({ bot_uuid, pipeline_uuid })))
    .execute();
}

function withPipeline(database: Database) {
  return database.selectFrom('bots').leftJoin('pipelines', 'pipelines.uuid', 'bots.use_pipeline_uuid');
}

function withPipelineName(database: Database) {
  return withPipeline(database).select(columnsOf('bots')).select('pipelines.name as use_pipeline_name');
}

function matching(database: Database, { without_adapters, only, enabled, adapter, pipeline_uuid = '' }: BotListing) {
  const pipeline = pipeline_uuid.toLowerCase();
  // A list may be empty, which SQL has no notation for.
  const uuids = only === undefined || only.uuids.length === 0 ? [''] : [...only.uuids];
  return withPipeline(database)
    .$if(without_adapters.length > 0, (bots) => bots.where('bots.adapter', 'not in', [...without_adapters]))
    .$if(only?.are === 'listed', (bots) => bots.where('bots.uuid', 'in', uuids))
    .$if(only?.are === 'left_out', (bots) => bots.where('bots.uuid', 'not in', uuids))
    .$if(enabled !== undefined, (bots) => bots.where('bots.enable', '=', enabled ? 1 : 0))
    .$if(adapter !== undefined, (bots) => bots.where('bots.adapter', '=', adapter ?? ''))
    .$if(pipeline !== '', (bots) =>
      bots.where(({ eb, or, selectFrom }) =>
        or([
          eb('bots.use_pipeline_uuid', '=', pipeline),
          eb(
            'bots.uuid',
            'in',
            selectFrom('bot_pipelines').select('bot_uuid').where('bot_pipelines.pipeline_uuid', '=', pipeline),
          ),
        ]),
      ),
    );
}

function toStored(row: BotRow): StoredBot {
  const { adapter_config, admin_addresses, enable, pipeline_routing_rules, ...columns } = row;
  return {
    ...columns,
    adapter_config: JSON.parse(adapter_config) as Record<string, unknown>,
    admin_addresses: toList(admin_addresses),
    enable: enable === 1,
    pipeline_routing_rules: routingRules.parse(pipeline_routing_rules),
    uncertain_sends: row.uncertain_sends as StoredBot['uncertain_sends'],
  };
}

function withoutSecrets({ sealed_secrets: _, admin_addresses: __, ...bot }: StoredBot): Bot {
  return bot;
}
