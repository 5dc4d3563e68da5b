import type { Transaction } from 'kysely';
import type { AdapterStateStore, SealedState, StateOwner } from '../../core/bots/adapter-states.ts';
import type { Database, Tables } from '../database.ts';

/** The stored values of adapters. */
export class AdapterValues implements AdapterStateStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async read({ bot_uuid, adapter }: StateOwner, name: string): Promise<string | null> {
    const row = await this.#database
      .selectFrom('adapter_values')
      .select('sealed_value')
      .where('bot_uuid', '=', bot_uuid)
      .where('adapter', '=', adapter)
      .where('name', '=', name)
      .executeTakeFirst();
    return row?.sealed_value ?? null;
  }

  write(state: SealedState): Promise<void> {
    return this.#database.transaction().execute((transaction) => this.writeIn(transaction, state));
  }

  /** In a fixed order, so that two transactions at once never wait for each other. */
  async writeIn(transaction: Transaction<Tables>, { owner, values }: SealedState): Promise<void> {
    for (const { name, sealed_value } of values.toSorted((left, right) => (left.name < right.name ? -1 : 1))) {
      if (sealed_value === null) {
        await transaction
          .deleteFrom('adapter_values')
          .where('bot_uuid', '=', owner.bot_uuid)
          .where('adapter', '=', owner.adapter)
          .where('name', '=', name)
          .execute();
      } else {
        await transaction
          .insertInto('adapter_values')
          .values({ ...owner, name, sealed_value })
          .onConflict((conflict) => conflict.columns(['bot_uuid', 'adapter', 'name']).doUpdateSet({ sealed_value }))
          .execute();
      }
    }
  }
}
