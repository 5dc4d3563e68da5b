import { sql, type Transaction } from 'kysely';
import type { Database, Tables } from '../database.ts';
import type { Engine } from '../engine.ts';
import { notOwnerError } from '../ownership.ts';
import { PreparedQuery } from '../prepared-query.ts';
import type { QueuedConversation } from './message-queue.ts';
import { isUnfinished } from './message-rows.ts';

/** The error of a write for a message that another process has taken over, or that is no longer claimed. */
export function notClaimedError() {
  return notOwnerError('The message is not claimed by this process any more');
}

/**
 * Which process processes a message. Every write for a claimed message checks this first: a process that lost the lock
 * of the database must not change messages taken over by another. The row stays locked until the transaction ends.
 */
export class MessageClaims {
  readonly owner: string;
  readonly #claimant: PreparedQuery<{ claimed_by: string | null; is_answered: number }, { uuid: string }>;
  readonly #question: PreparedQuery<{ reply_to: string | null }, { uuid: string }>;
  readonly #claimed: PreparedQuery<{ uuid: string; conversation_uuid: string; bot_uuid: string }, { owner: string }>;

  /** @param owner names this process */
  constructor(database: Database, engine: Engine, owner: string) {
    this.owner = owner;
    this.#claimant = new PreparedQuery(database, (value) => {
      const row = database
        .selectFrom('messages')
        .select([
          'claimed_by',
          sql<number>`case when exists (
            select 1 from messages as answer where answer.reply_to = messages.uuid
          ) then 1 else 0 end`.as('is_answered'),
        ])
        .where('uuid', '=', value('uuid'));
      return engine === 'postgres' ? row.forNoKeyUpdate() : row;
    });
    this.#question = new PreparedQuery(database, (value) =>
      database.selectFrom('messages').select('reply_to').where('uuid', '=', value('uuid')),
    );
    this.#claimed = new PreparedQuery(database, (value) =>
      database
        .selectFrom('messages')
        .select(['uuid', 'conversation_uuid', 'bot_uuid'])
        .where(isUnfinished)
        .where('state', '=', 'processing')
        .where('claimed_by', '=', value('owner')),
    );
  }

  /** Whether this process has claimed a message, and neither released nor ended it. */
  async isOurs(transaction: Transaction<Tables>, messageUuid: string): Promise<boolean> {
    return (await this.#claimant.first(transaction, { uuid: messageUuid }))?.claimed_by === this.owner;
  }

  /**
   * @returns whether an answer to the message was started
   * @throws StorageError `not_owner` when another process has taken the message over, or it is no longer claimed
   */
  async assertOurs(transaction: Transaction<Tables>, messageUuid: string): Promise<boolean> {
    const row = await this.#claimant.first(transaction, { uuid: messageUuid });
    if (row?.claimed_by !== this.owner) throw notClaimedError();
    return row.is_answered === 1;
  }

  /** The same for the message that an answer belongs to. Unsolicited messages belong to none. */
  async assertAnswerOurs(transaction: Transaction<Tables>, answerUuid: string): Promise<void> {
    const question = (await this.#question.first(transaction, { uuid: answerUuid }))?.reply_to ?? null;
    if (question !== null) await this.assertOurs(transaction, question);
  }

  /** Messages that this process has claimed, except some. */
  async except(
    transaction: Transaction<Tables>,
    uuids: readonly string[],
  ): Promise<{ uuid: string; conversation: QueuedConversation }[]> {
    const known = new Set(uuids);
    const claimed = await this.#claimed.all(transaction, { owner: this.owner });
    return claimed
      .filter(({ uuid }) => !known.has(uuid))
      .map(({ uuid, conversation_uuid, bot_uuid }) => ({ uuid, conversation: { uuid: conversation_uuid, bot_uuid } }));
  }
}
