import type {
  EarlierRequest,
  IdempotencyStore,
  RequestName,
  StoredResponse,
} from '../../core/idempotency/idempotency-store.ts';
import type { Database } from '../database.ts';
import { columnsOf } from '../table-columns.ts';

export class KyselyIdempotencyStore implements IdempotencyStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async begin(
    name: RequestName,
    hash: string,
    startedAt: string,
    retainedSince: string,
  ): Promise<EarlierRequest | null> {
    const columns = { request_hash: hash, state: 'running', status: null, answer: null, created_at: startedAt };
    for (;;) {
      const { numInsertedOrUpdatedRows } = await this.#database
        .insertInto('idempotency_keys')
        .values({ ...name, ...columns })
        .onConflict((conflict) =>
          conflict
            .columns(['principal', 'route', 'key'])
            .doUpdateSet(columns)
            .where('idempotency_keys.created_at', '<=', retainedSince),
        )
        .executeTakeFirstOrThrow();
      if (numInsertedOrUpdatedRows === 1n) return null;
      const earlier = await this.#earlier(name);
      // Otherwise the earlier record expired in between, and this request may run.
      if (earlier !== null) return earlier;
    }
  }

  async finish(name: RequestName, answer: StoredResponse): Promise<void> {
    await this.#database
      .updateTable('idempotency_keys')
      .set({ state: 'finished', status: answer.status, answer: answer.text })
      .where((where) => where.and({ ...name }))
      .execute();
  }

  async forget(name: RequestName): Promise<void> {
    await this.#database
      .deleteFrom('idempotency_keys')
      .where((where) => where.and({ ...name }))
      .execute();
  }

  async interruptRunning(): Promise<number> {
    const { numUpdatedRows } = await this.#database
      .updateTable('idempotency_keys')
      .set({ state: 'interrupted' })
      .where('state', '=', 'running')
      .executeTakeFirst();
    return Number(numUpdatedRows);
  }

  async removeBefore(timestamp: string, limit: number): Promise<number> {
    const { numDeletedRows } = await this.#database
      .deleteFrom('idempotency_keys')
      .where(({ eb, refTuple, selectFrom }) =>
        eb(
          refTuple('principal', 'route', 'key'),
          'in',
          selectFrom('idempotency_keys')
            .select(['principal', 'route', 'key'])
            .where('created_at', '<', timestamp)
            .orderBy('created_at')
            .limit(limit)
            .$asTuple('principal', 'route', 'key'),
        ),
      )
      .executeTakeFirst();
    return Number(numDeletedRows);
  }

  async #earlier(name: RequestName): Promise<EarlierRequest | null> {
    const row = await this.#database
      .selectFrom('idempotency_keys')
      .select(columnsOf('idempotency_keys'))
      .where((where) => where.and({ ...name }))
      .executeTakeFirst();
    if (row === undefined) return null;
    return {
      state: row.state as EarlierRequest['state'],
      hash: row.request_hash,
      answer: row.status === null || row.answer === null ? null : { status: row.status, text: row.answer },
    };
  }
}
