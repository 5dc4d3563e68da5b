import type { EmbeddingCall, EmbeddingCallStore } from '../../core/monitoring/embedding-call.ts';
import { newUuid } from '../../lib/uuid.ts';
import type { Database } from '../database.ts';

export class KyselyEmbeddingCallStore implements EmbeddingCallStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async record(call: EmbeddingCall): Promise<void> {
    await this.#database
      .insertInto('embedding_calls')
      .values({ ...call, uuid: newUuid() })
      .execute();
  }

  async removeBefore(timestamp: string, limit: number): Promise<number> {
    const { numDeletedRows } = await this.#database
      .deleteFrom('embedding_calls')
      .where('uuid', 'in', ({ selectFrom }) =>
        selectFrom('embedding_calls')
          .select('uuid')
          .where('started_at', '<', timestamp)
          .orderBy('started_at')
          .orderBy('uuid')
          .limit(limit),
      )
      .executeTakeFirst();
    return Number(numDeletedRows);
  }
}
