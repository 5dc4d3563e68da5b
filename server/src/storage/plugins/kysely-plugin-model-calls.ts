import type { ModelCall } from '@parley/sdk';
import type { PluginModelCalls } from '../../core/plugins/plugin-model-calls.ts';
import { newUuid } from '../../lib/uuid.ts';
import type { Database } from '../database.ts';

export class KyselyPluginModelCalls implements PluginModelCalls {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async record(plugin_id: string, call: ModelCall, cost: number | null): Promise<void> {
    const { failure: _failure, request: _request, plugin_id: _plugin, ...recorded } = call;
    await this.#database
      .insertInto('plugin_model_calls')
      .values({ ...recorded, uuid: newUuid(), plugin_id, cost })
      .execute();
  }

  async removeBefore(timestamp: string): Promise<number> {
    const { numDeletedRows } = await this.#database
      .deleteFrom('plugin_model_calls')
      .where('started_at', '<', timestamp)
      .executeTakeFirst();
    return Number(numDeletedRows);
  }
}
