import type { SessionType } from '@parley/sdk';
import { sql } from 'kysely';
import type { Feedback, Opinion } from '../../core/feedback/feedback.ts';
import type { FeedbackStore, JudgedMessage } from '../../core/feedback/feedback-store.ts';
import { newUuid } from '../../lib/uuid.ts';
import type { Database } from '../database.ts';

/** Recent messages of a session that are searched for an outbound one; feedback on older ones is not expected. */
const recentMessages = 200;

export class KyselyFeedbackStore implements FeedbackStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async save({ inaccurate_reasons, ...feedback }: Feedback): Promise<void> {
    const reasons = inaccurate_reasons === null ? null : JSON.stringify(inaccurate_reasons);
    const row = { ...feedback, inaccurate_reasons: reasons };
    await this.#database
      .insertInto('feedbacks')
      .values({ ...row, uuid: newUuid() })
      .onConflict((conflict) => conflict.columns(['bot_uuid', 'feedback_id']).doUpdateSet(row))
      .execute();
  }

  async byCaller(caller: string, messageUuids: readonly string[]): Promise<Opinion[]> {
    if (messageUuids.length === 0) return [];
    // Through the bot, for the index of feedback.
    return this.#database
      .selectFrom('messages')
      .innerJoin('conversations', 'conversations.uuid', 'messages.conversation_uuid')
      .innerJoin('feedbacks', (join) =>
        join
          .onRef('feedbacks.bot_uuid', '=', 'conversations.bot_uuid')
          .on('feedbacks.feedback_id', '=', sql<string>`${`${caller}/`} || messages.uuid`),
      )
      .select(['messages.uuid as message_uuid', 'feedbacks.feedback_type'])
      .where('messages.uuid', 'in', messageUuids)
      .execute();
  }

  async message(uuid: string): Promise<JudgedMessage | null> {
    const row = await this.#judged().where('messages.uuid', '=', uuid).executeTakeFirst();
    return row === undefined ? null : toJudged(row);
  }

  async platformMessage(
    botUuid: string,
    platformMessageId: string,
    session: { type: SessionType; id: string } | null,
  ): Promise<JudgedMessage | null> {
    const received = await this.#judged()
      .where('messages.bot_uuid', '=', botUuid)
      .where('messages.platform_message_id', '=', platformMessageId)
      .executeTakeFirst();
    if (received !== undefined) return toJudged(received);
    if (session === null) return null;
    const sent = await this.#database
      .selectFrom(({ selectFrom }) =>
        selectFrom('messages')
          .select('uuid')
          .where('conversation_uuid', 'in', (query) =>
            query
              .selectFrom('conversations')
              .select('uuid')
              .where('bot_uuid', '=', botUuid)
              .where('session_type', '=', session.type)
              .where('session_id', '=', session.id),
          )
          .where('direction', '=', 'outbound')
          .orderBy('created_at', 'desc')
          .limit(recentMessages)
          .as('recent'),
      )
      .innerJoin('deliveries', 'deliveries.message_uuid', 'recent.uuid')
      .select('recent.uuid')
      .where('deliveries.platform_message_id', '=', platformMessageId)
      .executeTakeFirst();
    return sent === undefined ? null : this.message(sent.uuid);
  }

  async removeBefore(timestamp: string, limit: number): Promise<number> {
    const { numDeletedRows } = await this.#database
      .deleteFrom('feedbacks')
      .where('uuid', 'in', ({ selectFrom }) =>
        selectFrom('feedbacks')
          .select('uuid')
          .where('created_at', '<', timestamp)
          .orderBy('created_at')
          .orderBy('uuid')
          .limit(limit),
      )
      .executeTakeFirst();
    return Number(numDeletedRows);
  }

  #judged() {
    return this.#database
      .selectFrom('messages')
      .innerJoin('conversations', 'conversations.uuid', 'messages.conversation_uuid')
      .leftJoin('messages as question', 'question.uuid', 'messages.reply_to')
      .select([
        'messages.uuid',
        'messages.bot_uuid',
        'messages.direction',
        'messages.sender_id',
        'question.sender_id as asker_id',
        'conversations.pipeline_uuid',
        'conversations.session_type',
        'conversations.session_id',
      ]);
  }
}

type JudgedRow = Omit<JudgedMessage, 'user_id'> & {
  direction: string;
  sender_id: string;
  asker_id: string | null;
};

function toJudged({ direction, sender_id, asker_id, ...row }: JudgedRow): JudgedMessage {
  return { ...row, user_id: direction === 'inbound' ? sender_id : asker_id };
}
