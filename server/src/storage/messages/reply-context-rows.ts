import type { Transaction } from 'kysely';
import type { MessageClaim } from '../../core/messages/message.ts';
import type { ReplyContextStore, SealedReplyContext } from '../../core/messages/reply-contexts.ts';
import { now } from '../../lib/clock.ts';
import type { Database, Tables } from '../database.ts';
import { PreparedQuery } from '../prepared-query.ts';
import type { MessageClaims } from './message-claims.ts';

/** The reply contexts of messages. Each method but `add` is one statement, so two sends never take the same use. */
export class ReplyContextRows implements ReplyContextStore {
  readonly #database: Database;
  readonly #claims: MessageClaims;
  readonly #insert: PreparedQuery<unknown, Tables['reply_contexts']>;

  constructor(database: Database, claims: MessageClaims) {
    this.#database = database;
    this.#claims = claims;
    this.#insert = new PreparedQuery(database, (value) =>
      database.insertInto('reply_contexts').values({
        message_uuid: value('message_uuid'),
        sealed_value: value('sealed_value'),
        expires_at: value('expires_at'),
        uses_left: value('uses_left'),
      }),
    );
  }

  async add(transaction: Transaction<Tables>, messageUuid: string, context: SealedReplyContext): Promise<void> {
    await this.#insert.run(transaction, { message_uuid: messageUuid, ...context });
  }

  async take(claim: MessageClaim): Promise<string | null> {
    const row = await this.#database
      .updateTable('reply_contexts')
      .set(({ eb }) => ({ uses_left: eb('uses_left', '-', 1) }))
      .where('message_uuid', '=', claim.uuid)
      .where(this.#claims.isLast(claim))
      .where(({ eb, or }) => or([eb('expires_at', 'is', null), eb('expires_at', '>', now())]))
      .where(({ eb, or }) => or([eb('uses_left', 'is', null), eb('uses_left', '>', 0)]))
      .returning('sealed_value')
      .executeTakeFirst();
    if (row === undefined) await this.#claims.assertLast(claim);
    return row?.sealed_value ?? null;
  }

  async giveBack(claim: MessageClaim): Promise<void> {
    await this.#database
      .updateTable('reply_contexts')
      .set(({ eb }) => ({ uses_left: eb('uses_left', '+', 1) }))
      .where('message_uuid', '=', claim.uuid)
      .where(this.#claims.isLast(claim))
      .execute();
  }
}
