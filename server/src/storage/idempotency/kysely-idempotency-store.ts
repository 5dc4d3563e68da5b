import type { Transaction } from 'kysely';
import type {
  BegunRequest,
  EarlierRequest,
  IdempotencyStore,
  RequestName,
  StoredResponse,
} from '../../core/idempotency/idempotency-store.ts';
import type { Database, Tables } from '../database.ts';
import type { Claimant } from '../replicas/claimant.ts';
import { isAbandoned, type TakesOver } from '../replicas/replica-rows.ts';
import { columnsOf } from '../table-columns.ts';

export class KyselyIdempotencyStore implements IdempotencyStore, TakesOver {
  readonly #database: Database;
  readonly #claimant: Claimant;

  constructor(database: Database, claimant: Claimant) {
    this.#database = database;
    this.#claimant = claimant;
  }

  async begin(
    name: RequestName,
    hash: string,
    startedAt: string,
    retainedSince: string,
  ): Promise<number | EarlierRequest> {
    const columns = {
      request_hash: hash,
      state: 'running',
      status: null,
      answer: null,
      created_at: startedAt,
      claimed_by: this.#claimant.id,
    };
    for (;;) {
      const begun = await this.#database
        .insertInto('idempotency_keys')
        .values({ ...name, ...columns, claim: 1 })
        .onConflict((conflict) =>
          conflict
            .columns(['principal', 'route', 'key'])
            .doUpdateSet(({ eb }) => ({ ...columns, claim: eb('idempotency_keys.claim', '+', 1) }))
            .where('idempotency_keys.created_at', '<=', retainedSince),
        )
        .returning('claim')
        .executeTakeFirst();
      if (begun !== undefined) return begun.claim;
      const earlier = await this.#earlier(name);
      // Otherwise the earlier record expired in between, and this request may run.
      if (earlier !== null) return earlier;
    }
  }

  async finish(request: BegunRequest, answer: StoredResponse): Promise<void> {
    await this.#database
      .updateTable('idempotency_keys')
      .set({ state: 'finished', status: answer.status, answer: answer.text, claimed_by: null })
      .where((where) => where.and(this.#running(request)))
      .execute();
  }

  async forget(request: BegunRequest): Promise<void> {
    await this.#database
      .deleteFrom('idempotency_keys')
      .where((where) => where.and(this.#running(request)))
      .execute();
  }

  interruptAbandoned(): Promise<number> {
    return interruptAbandoned(this.#database);
  }

  async takeOver(transaction: Transaction<Tables>): Promise<void> {
    await interruptAbandoned(transaction);
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

  #running({ principal, route, key, claim }: BegunRequest) {
    return { principal, route, key, claim, state: 'running', claimed_by: this.#claimant.id };
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

async function interruptAbandoned(database: Database): Promise<number> {
  const { numUpdatedRows } = await database
    .updateTable('idempotency_keys')
    .set({ state: 'interrupted', claimed_by: null })
    .where('state', '=', 'running')
    .where(isAbandoned<'idempotency_keys'>('idempotency_keys.claimed_by'))
    .executeTakeFirst();
  return Number(numUpdatedRows);
}
