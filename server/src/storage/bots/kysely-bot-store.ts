import { type Selectable, sql, type Transaction } from 'kysely';
import type { Bot, BotChanges, StoredBot } from '../../core/bots/bot.ts';
import type { BotRefusal, BotStore } from '../../core/bots/bot-store.ts';
import { advisoryLocks } from '../advisory-locks.ts';
import type { Database, Tables } from '../database.ts';
import type { Engine } from '../engine.ts';

export class KyselyBotStore implements BotStore {
  readonly #database: Database;
  readonly #engine: Engine;

  constructor(database: Database, engine: Engine) {
    this.#database = database;
    this.#engine = engine;
  }

  async list(): Promise<Bot[]> {
    return (await this.stored()).map(withoutSecrets);
  }

  async byUuid(uuid: string): Promise<Bot | null> {
    const bot = await this.storedByUuid(uuid);
    return bot === null ? null : withoutSecrets(bot);
  }

  async stored(): Promise<StoredBot[]> {
    const rows = await withPipelineName(this.#database).orderBy('bots.created_at').orderBy('bots.uuid').execute();
    return rows.map(toStored);
  }

  async storedByUuid(uuid: string): Promise<StoredBot | null> {
    const row = await withPipelineName(this.#database).where('bots.uuid', '=', uuid).executeTakeFirst();
    return row === undefined ? null : toStored(row);
  }

  create(bot: Omit<StoredBot, 'use_pipeline_name'>, maximum = -1): Promise<BotRefusal | null> {
    return this.#database.transaction().execute(async (transaction) => {
      if (maximum >= 0) {
        // Who creates next must count this one, too. SQLite has one writer at a time anyway.
        if (this.#engine === 'postgres')
          await sql`select pg_advisory_xact_lock(${advisoryLocks.bots})`.execute(transaction);
        const { count } = await transaction
          .selectFrom('bots')
          .select(({ fn }) => fn.countAll().as('count'))
          .executeTakeFirstOrThrow();
        if (Number(count) >= maximum) return 'limit_reached';
      }
      if (!(await this.#keepsPipeline(transaction, bot.use_pipeline_uuid))) return 'unknown_pipeline';
      await transaction
        .insertInto('bots')
        .values({ ...bot, ...toColumns(bot) })
        .execute();
      return null;
    });
  }

  update(uuid: string, change: (stored: StoredBot) => BotChanges): Promise<BotRefusal | null> {
    return this.#database.transaction().execute(async (transaction) => {
      const row = await withPipelineName(transaction)
        .where('bots.uuid', '=', uuid)
        .$if(this.#engine === 'postgres', (query) => query.forUpdate('bots'))
        .executeTakeFirst();
      if (row === undefined) return 'not_found';
      const changes = change(toStored(row));
      if (!(await this.#keepsPipeline(transaction, changes.use_pipeline_uuid))) return 'unknown_pipeline';
      await transaction
        .updateTable('bots')
        .set({ ...changes, ...toColumns(changes) })
        .where('uuid', '=', uuid)
        .execute();
      return null;
    });
  }

  async delete(uuid: string): Promise<boolean> {
    const { numDeletedRows } = await this.#database.deleteFrom('bots').where('uuid', '=', uuid).executeTakeFirst();
    return numDeletedRows === 1n;
  }

  /** Whether a pipeline that a bot is to be bound to is there; it stays so until the transaction ends. */
  async #keepsPipeline(transaction: Transaction<Tables>, uuid: string | null | undefined): Promise<boolean> {
    if (uuid == null) return true;
    const row = await transaction
      .selectFrom('pipelines')
      .select('uuid')
      .where('uuid', '=', uuid)
      .$if(this.#engine === 'postgres', (query) => query.forKeyShare())
      .executeTakeFirst();
    return row !== undefined;
  }
}

function withPipelineName(database: Database) {
  return database
    .selectFrom('bots')
    .leftJoin('pipelines', 'pipelines.uuid', 'bots.use_pipeline_uuid')
    .selectAll('bots')
    .select('pipelines.name as use_pipeline_name');
}

function toStored(row: Selectable<Tables['bots']> & { use_pipeline_name: string | null }): StoredBot {
  const { adapter_config, enable, ...columns } = row;
  return { ...columns, adapter_config: JSON.parse(adapter_config) as Record<string, unknown>, enable: enable === 1 };
}

/** The fields whose columns hold something else. */
function toColumns<Fields extends Pick<BotChanges, 'adapter_config' | 'enable'>>({ adapter_config, enable }: Fields) {
  return {
    ...(adapter_config === undefined ? {} : { adapter_config: JSON.stringify(adapter_config) }),
    ...(enable === undefined ? {} : { enable: enable ? 1 : 0 }),
  } as { adapter_config: string; enable: number };
}

function withoutSecrets({ sealed_secrets: _, ...bot }: StoredBot): Bot {
  return bot;
}
