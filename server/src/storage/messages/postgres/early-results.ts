import type { MessageClaim } from '../../../core/messages/message.ts';
import type { EndedDelivery } from '../../../core/messages/message-ledger.ts';
import { now } from '../../../lib/clock.ts';
import type { Database } from '../../database.ts';
import type { Claimant } from '../../replicas/claimant.ts';
import { BatchStatement } from './batch-statement.ts';

/** Results of one statement. With a list of any length, the server would rather read the whole of a small table. */
const mostResults = 8;

/** Of parts that are being sent by the process that claimed them, or the message that they answer. Those that a batch is ending are left to it. */
export const endEarly = new BatchStatement(`
  update deliveries set state = early.state, reason = early.reason, error = early.error,
    platform_message_id = early.platform_message_id, updated_at = early.updated_at
  from (
    select ended.message_uuid, ended.piece, ended.state, ended.reason, ended.error, ended.platform_message_id, ended.updated_at
    from (
      select message_uuid, piece, state, reason, error, platform_message_id, updated_at, claimed, claim
      from json_to_recordset($1) as given (message_uuid text, piece integer, state text, reason text, error text,
        platform_message_id text, updated_at text, claimed text, claim integer)
      limit ${mostResults}
    ) as ended
    join deliveries on deliveries.message_uuid = ended.message_uuid and deliveries.piece = ended.piece
    where deliveries.state = 'sending' and exists (
      select 1 from messages where uuid = ended.claimed and claimed_by = $2 and claim = ended.claim
    ) for no key update of deliveries skip locked
  ) as early
  where deliveries.message_uuid = early.message_uuid and deliveries.piece = early.piece`);

/**
 * A batch takes many round trips and may wait for the one before it, and a process that dies meanwhile would not record a
 * successful send. So its result is also stored by a single statement outside the batch, on a connection that transactions
 * do not take: at once when none is under way, else with the results that came meanwhile. The batch alone decides on
 * failure.
 */
export class EarlyResults {
  readonly #database: Database;
  readonly #claimant: Claimant;
  #waiting: object[] = [];
  #isStoring = false;

  constructor(database: Database, claimant: Claimant) {
    this.#database = database;
    this.#claimant = claimant;
  }

  /**
   * Stores a result early, unless the batch comes first.
   * @returns what `settled` does
   */
  async with<Result>(result: EndedDelivery | null, claim: MessageClaim, settled: Promise<Result>): Promise<Result> {
    if (result === null) return settled;
    const { uuid: message_uuid, piece, delivery } = result;
    const row = { message_uuid, piece, ...delivery, updated_at: now(), claimed: claim.uuid, claim: claim.claim };
    this.#waiting.push(row);
    if (!this.#isStoring) void this.#storeAll();
    try {
      return await settled;
    } finally {
      this.#waiting = this.#waiting.filter((one) => one !== row);
    }
  }

  async #storeAll(): Promise<void> {
    this.#isStoring = true;
    // Those that end in the same turn come along.
    await Promise.resolve();
    while (this.#waiting.length > 0) await this.#store(this.#waiting.splice(0, mostResults));
    this.#isStoring = false;
  }

  async #store(results: readonly object[]): Promise<void> {
    try {
      await endEarly.run(this.#database, results, this.#claimant.id);
    } catch {
      // The batch stores them, or fails.
    }
  }
}
