import { sql, type Transaction } from 'kysely';
import type { MessageClaim } from '../../core/messages/message.ts';
import type { Database, Tables } from '../database.ts';
import type { Engine } from '../engine.ts';
import { notOwnerError } from '../ownership.ts';
import { PreparedQuery } from '../prepared-query.ts';
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
  readonly owner: string;
  readonly #claimant: PreparedQuery<
    { claimed_by: string | null; claim: number; is_answered: number },
    { uuid: string }
  >;
  readonly #claimed: PreparedQuery<MessageClaim & { conversation_uuid: string; bot_uuid: string }, { owner: string }>;

  /** @param owner names this process */
  constructor(database: Database, engine: Engine, owner: string) {
    this.owner = owner;
    this.#claimant = new PreparedQuery(database, (value) => {
      const row = database
        .selectFrom('messages')
        .select([
          'claimed_by',
          'claim',
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
        .select(['uuid', 'claim', 'conversation_uuid', 'bot_uuid'])
        .where(isUnfinished)
        .where('state', '=', 'processing')
        .where('claimed_by', '=', value('owner')),
    );
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

  /** Claims of this process, except some. */
  async except(
    transaction: Transaction<Tables>,
    claims: readonly MessageClaim[],
  ): Promise<{ uuid: string; conversation: QueuedConversation }[]> {
    const known = new Map(claims.map(({ uuid, claim }) => [uuid, claim]));
    const claimed = await this.#claimed.all(transaction, { owner: this.owner });
    return claimed
      .filter(({ uuid, claim }) => known.get(uuid) !== claim)
      .map(({ uuid, conversation_uuid, bot_uuid }) => ({ uuid, conversation: { uuid: conversation_uuid, bot_uuid } }));
  }

  async #read(transaction: Transaction<Tables>, { uuid, claim }: MessageClaim) {
    const row = await this.#claimant.first(transaction, { uuid });
    return row?.claimed_by === this.owner && row.claim === claim ? row : null;
  }
}
