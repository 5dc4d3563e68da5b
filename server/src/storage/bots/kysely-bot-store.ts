import type { Selectable } from 'kysely';
import type { Bot, StoredBot } from '../../core/bots/bot.ts';
import type { BotStore } from '../../core/bots/bot-store.ts';
import type { Database, Tables } from '../database.ts';

export class KyselyBotStore implements BotStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async list(): Promise<Bot[]> {
    return (await this.stored()).map(({ sealed_secrets: _, ...bot }) => bot);
  }

  async byUuid(uuid: string): Promise<Bot | null> {
    const row = await this.#withPipelineName().where('bots.uuid', '=', uuid).executeTakeFirst();
    if (row === undefined) return null;
    const { sealed_secrets: _, ...bot } = toStored(row);
    return bot;
  }

  async stored(): Promise<StoredBot[]> {
    const rows = await this.#withPipelineName().orderBy('bots.created_at').orderBy('bots.uuid').execute();
    return rows.map(toStored);
  }

  async create(bot: Omit<StoredBot, 'use_pipeline_name'>): Promise<void> {
    await this.#database
      .insertInto('bots')
      .values({ ...bot, adapter_config: JSON.stringify(bot.adapter_config), enable: bot.enable ? 1 : 0 })
      .execute();
  }

  #withPipelineName() {
    return this.#database
      .selectFrom('bots')
      .leftJoin('pipelines', 'pipelines.uuid', 'bots.use_pipeline_uuid')
      .selectAll('bots')
      .select('pipelines.name as use_pipeline_name');
  }
}

function toStored(row: Selectable<Tables['bots']> & { use_pipeline_name: string | null }): StoredBot {
  const { adapter_config, enable, ...columns } = row;
  return { ...columns, adapter_config: JSON.parse(adapter_config) as Record<string, unknown>, enable: enable === 1 };
}
