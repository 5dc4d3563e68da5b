import type { Database } from '../../database.ts';
import { KyselyEventCounter } from '../../limits/kysely-event-counter.ts';
import type { BatchWriter } from './batch-writer.ts';
import type { LedgerOperation } from './ledger-batch.ts';

/** Counts of events in a PostgreSQL database, in the batches of the ledger. */
export class PostgresEventCounter extends KyselyEventCounter {
  readonly #writer: BatchWriter<LedgerOperation>;

  constructor(database: Database, writer: BatchWriter<LedgerOperation>) {
    super(database);
    this.#writer = writer;
  }

  override async countEvent(key: string, windowStart: number, limit: number, event: string): Promise<number> {
    if (limit < 1) return limit + 1;
    // A statement counts once under a key.
    const shape = { company: 'turn', keys: [`count ${key}`], size: key.length + event.length } as const;
    const count = await this.#writer.add({ kind: 'count', ...shape, key, windowStart, limit, event });
    // The value of an operation is of its kind.
    return count as number;
  }
}
