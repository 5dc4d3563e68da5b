import { type RawBuilder, type SqlBool, sql, type Transaction } from 'kysely';
import type { MessageClaim } from '../../core/messages/message.ts';
import type { Database, Tables } from '../database.ts';
import type { Engine } from '../engine.ts';
import { notOwnerError } from '../ownership.ts';
import { PreparedQuery } from '../prepared-query.ts';
import type { Claimant } from '../replicas/claimant.ts';
import type { QueuedConversation } from './message-queue.ts';
import { isUnfinished } from './message-rows.ts';

/** The error of a write for a claim that is outdated. */
export function notClaimedError() {
  return notOwnerError('The message is not claimed by this process any more');
}

/**
 * Which claim of a message is the last one. Every write for a claimed message checks this first: what was taken over by
 * another process, or claimed again by this one, must not be changed. The row stays locked until the transaction ends.
 */
export class MessageClaims {
  readonly claimant: Claimant;
  readonly #database: Database;
  readonly #engine: Engine;
  readonly #claimant: PreparedQuery<
    { claimed_by: string | null; claim: number; state: string; is_answered: number },
    { uuid: string }
  >;
  readonly #claimed: PreparedQuery<
    MessageClaim & { conversation_uuid: string; bot_uuid: string; home: string | null },
    { owner: string }
  >;

  constructor(database: Database, engine: Engine, claimant: Claimant) {
    this.claimant = claimant;
    this.#database = database;
    this.#engine = engine;
    this.#claimant = new PreparedQuery(database, (value) => {
      const row = database
        .selectFrom('messages')
        .select([
          'claimed_by',
          'claim',
          'state',
          sql<number>`case when exists (
            select 1 from messages as answer where answer.reply_to = messages.uuid
          ) then 1 else 0 end`.as('is_answered'),
        ])
        .where('uuid', '=', value('uuid'));
      return engine === 'postgres' ? row.forNoKeyUpdate() : row;
    });
    this.#claimed = new PreparedQuery(database, (value) =>
      database
        .selectFrom('messages')
        .select(['uuid', 'claim', 'conversation_uuid', 'bot_uuid', 'home'])
        .where(isUnfinished)
        .where('state', '=', 'processing')
        .where('claimed_by', '=', value('owner')),
    );
  }

  /** The replica that alone claims a message while it lives; null for any. SQLite has one process. */
  homeOf(isAwaited = false): string | null {
    return isAwaited && this.#engine === 'postgres' ? this.claimant.id : null;
  }

  /** Whether a claim of this process is the last one of a message, which was neither released nor ended. */
  async isOurs(transaction: Transaction<Tables>, claim: MessageClaim): Promise<boolean> {
    return (await this.#read(transaction, claim)) !== null;
  }

  /**
   * @returns whether an answer to the message was started
   * @throws StorageError `not_owner` when the claim is outdated
   */
  async assertOurs(transaction: Transaction<Tables>, claim: MessageClaim): Promise<boolean> {
    const row = await this.#read(transaction, claim);
    if (row === null) throw notClaimedError();
    return row.is_answered === 1;
  }

  /** The condition of a statement that a claim of this process is the last one of its message. */
  isLast({ uuid, claim }: MessageClaim): RawBuilder<SqlBool> {
    return sql`exists (select 1 from messages where messages.uuid = ${uuid}
      and messages.claimed_by = ${this.claimant.id} and messages.claim = ${claim})`;
  }

  /** @throws StorageError `not_owner` when the claim is outdated */
  async assertLast({ uuid, claim }: MessageClaim): Promise<void> {
    const row = await this.#database
      .selectFrom('messages')
      .select('uuid')
      .where('uuid', '=', uuid)
      .where('claimed_by', '=', this.claimant.id)
      .where('claim', '=', claim)
      .executeTakeFirst();
    if (row === undefined) throw notClaimedError();
  }

  /**
   * Whether a message has ended with a claim in a state: what ended it was stored, and the caller has not learned of that
   * because the connection was lost.
   */
  async hasEnded(transaction: Transaction<Tables>, { uuid, claim }: MessageClaim, state: string): Promise<boolean> {
    const row = await this.#claimant.first(transaction, { uuid });
    return row?.claim === claim && row.state === state;
  }

  /** Claims an outbound message, which this process sends again. */
  async take(transaction: Transaction<Tables>, uuid: string): Promise<MessageClaim> {
    return transaction
      .updateTable('messages')
      .set(({ eb }) => ({ claimed_by: this.claimant.id, claim: eb('claim', '+', 1) }))
      .where('uuid', '=', uuid)
      .returning(['uuid', 'claim'])
      .executeTakeFirstOrThrow();
  }

  /** Claims of this process, except some. */
  async except(
    transaction: Transaction<Tables>,
    claims: readonly MessageClaim[],
  ): Promise<{ uuid: string; conversation: QueuedConversation }[]> {
    const known = new Map(claims.map(({ uuid, claim }) => [uuid, claim]));
    const claimed = await this.#claimed.all(transaction, { owner: this.claimant.id });
    return claimed
      .filter(({ uuid, claim }) => known.get(uuid) !== claim)
      .map(({ uuid, conversation_uuid, bot_uuid, home }) => ({
        uuid,
        conversation: { uuid: conversation_uuid, bot_uuid, home },
      }));
  }

  async #read(transaction: Transaction<Tables>, { uuid, claim }: MessageClaim) {
    const row = await this.#claimant.first(transaction, { uuid });
    return row?.claimed_by === this.claimant.id && row.claim === claim ? row : null;
  }
}
