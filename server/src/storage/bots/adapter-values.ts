import { type RawBuilder, sql, type Transaction } from 'kysely';
import type { AdapterStateStore, SealedState, StateOwner } from '../../core/bots/adapter-states.ts';
import { botLease } from '../../core/replicas/leases.ts';
import type { Database, Tables } from '../database.ts';
import type { Claimant } from '../replicas/claimant.ts';

/**
 * The stored values of adapters. Nothing is written for a bot whose lease another replica holds, so that a former holder
 * moves no cursor: a transaction that it had begun before has been ended by then. Those that come with requests are
 * shared by all replicas.
 */
export class AdapterValues implements AdapterStateStore {
  readonly #database: Database;
  readonly #replica: Claimant;

  constructor(database: Database, replica: Claimant) {
    this.#database = database;
    this.#replica = replica;
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
    const { bot_uuid, adapter } = owner;
    const mayWrite = owner.isShared === true ? sql<boolean>`1 = 1` : this.#mayWrite(bot_uuid);
    for (const { name, sealed_value } of values.toSorted((left, right) => (left.name < right.name ? -1 : 1))) {
      if (sealed_value === null) {
        await transaction
          .deleteFrom('adapter_values')
          .where('bot_uuid', '=', bot_uuid)
          .where('adapter', '=', adapter)
          .where('name', '=', name)
          .where(mayWrite)
          .execute();
      } else {
        await sql`
          insert into adapter_values (bot_uuid, adapter, name, sealed_value)
          select ${bot_uuid}, ${adapter}, ${name}, ${sealed_value} where ${mayWrite}
          on conflict (bot_uuid, adapter, name) do update set sealed_value = excluded.sealed_value
        `.execute(transaction);
      }
    }
  }

  #mayWrite(botUuid: string): RawBuilder<boolean> {
    return sql`not exists (select 1 from leases where name = ${botLease(botUuid)} and replica <> ${this.#replica.id})`;
  }
}
