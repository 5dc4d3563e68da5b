import type { PluginValues } from '../../core/plugins/plugin-values.ts';
import type { Database } from '../database.ts';
import type { Engine } from '../engine.ts';
import { lockValues, removeValue, storeValue } from './plugin-value-rows.ts';

/** Those with rows of plugins, except records of calls that belong to a message. */
const tables = [
  'plugin_values',
  'plugin_value_sizes',
  'plugin_effects',
  'plugin_model_calls',
  'plugin_schedules',
] as const;

export class KyselyPluginValues implements PluginValues {
  readonly #database: Database;
  readonly #engine: Engine;

  constructor(database: Database, engine: Engine) {
    this.#database = database;
    this.#engine = engine;
  }

  async get(plugin_id: string, key: string): Promise<string | null> {
    const row = await this.#database
      .selectFrom('plugin_values')
      .select('value')
      .where('plugin_id', '=', plugin_id)
      .where('key', '=', key)
      .executeTakeFirst();
    return row?.value ?? null;
  }

  set(plugin_id: string, key: string, value: string): Promise<void> {
    return this.#database.transaction().execute(async (transaction) => {
      await lockValues(transaction, this.#engine, plugin_id);
      await storeValue(transaction, { plugin_id, key, value });
    });
  }

  delete(plugin_id: string, key: string): Promise<void> {
    return this.#database.transaction().execute(async (transaction) => {
      await lockValues(transaction, this.#engine, plugin_id);
      await removeValue(transaction, plugin_id, key);
    });
  }

  async keys(
    plugin_id: string,
    { prefix, after, limit }: { prefix: string; after: string; limit: number },
  ): Promise<string[]> {
    const rows = await this.#database
      .selectFrom('plugin_values')
      .select('key')
      .where('plugin_id', '=', plugin_id)
      .where(({ eb, fn, val }) => eb(fn<string>('substr', ['key', val(1), val([...prefix].length)]), '=', prefix))
      .where('key', '>', after)
      .orderBy('key')
      .limit(limit)
      .execute();
    return rows.map(({ key }) => key);
  }

  removeAll(plugin_id: string): Promise<void> {
    return this.#database.transaction().execute(async (transaction) => {
      for (const table of tables) {
        await transaction.deleteFrom(table).where('plugin_id', '=', plugin_id).execute();
      }
    });
  }
}
