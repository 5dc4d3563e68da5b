import { sql } from 'kysely';
import type { Conversation, ConversationKey } from '../../core/conversations/conversation.ts';
import type {
  AnsweredMessage,
  ChatKey,
  ConversationStore,
  RunnerState,
} from '../../core/conversations/conversation-store.ts';
import { now } from '../../lib/clock.ts';
import type { Database } from '../database.ts';
import type { Engine } from '../engine.ts';
import type { Claimant } from '../replicas/claimant.ts';
import { ConversationRows } from './conversation-rows.ts';

export class KyselyConversationStore implements ConversationStore {
  readonly #database: Database;
  readonly #claimant: Claimant;
  readonly #rows: ConversationRows;

  constructor(database: Database, engine: Engine, claimant: Claimant) {
    this.#database = database;
    this.#claimant = claimant;
    this.#rows = new ConversationRows(database, engine);
  }

  current(key: ConversationKey): Promise<Conversation | null> {
    return this.#rows.current(key);
  }

  async isAnswering(conversationUuid: string): Promise<boolean> {
    const row = await this.#database
      .selectFrom('messages')
      .select('uuid')
      .where('conversation_uuid', '=', conversationUuid)
      // As the index has it, word for word.
      .where(sql<boolean>`state in ('received', 'processing')`)
      .limit(1)
      .executeTakeFirst();
    return row !== undefined;
  }

  async latestPipeline({ bot_uuid, session_type, session_id, thread_id }: ChatKey): Promise<string | null> {
    const row = await this.#database
      .selectFrom('conversations')
      .select('pipeline_uuid')
      // As the index has it, word for word.
      .where('is_current', '=', sql.lit(1))
      .where('bot_uuid', '=', bot_uuid)
      .where('session_type', '=', session_type)
      .where('session_id', '=', session_id)
      .where('thread_id', '=', thread_id)
      .orderBy('updated_at', 'desc')
      .orderBy('uuid', 'desc')
      .limit(1)
      .executeTakeFirst();
    return row?.pipeline_uuid ?? null;
  }

  async end(conversationUuid: string): Promise<boolean> {
    const { numUpdatedRows } = await this.#database
      .updateTable('conversations')
      .set({ is_current: 0, updated_at: now() })
      .where('uuid', '=', conversationUuid)
      .where('is_current', '=', 1)
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  }

  async endCurrent(key: ConversationKey): Promise<boolean> {
    const { numUpdatedRows } = await this.#database
      .updateTable('conversations')
      .set({ is_current: 0, updated_at: now() })
      .where('is_current', '=', 1)
      .where((where) => where.and(key))
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  }

  async chooseModel(conversationUuid: string, modelUuid: string | null): Promise<void> {
    await this.#database
      .updateTable('conversations')
      .set({ model_uuid: modelUuid })
      .where('uuid', '=', conversationUuid)
      .execute();
  }

  async runnerState(conversationUuid: string): Promise<RunnerState | null> {
    const row = await this.#database
      .selectFrom('conversations')
      .select('runner_state')
      .where('uuid', '=', conversationUuid)
      .executeTakeFirst();
    return row?.runner_state ? (JSON.parse(row.runner_state) as RunnerState) : null;
  }

  async saveRunnerState({ uuid, claim, conversation_uuid }: AnsweredMessage, state: RunnerState): Promise<void> {
    await this.#database
      .updateTable('conversations')
      .set({ runner_state: JSON.stringify(state) })
      .where('uuid', '=', conversation_uuid)
      .where(({ exists, selectFrom }) =>
        exists(
          selectFrom('messages')
            .select('messages.uuid')
            .where('messages.uuid', '=', uuid)
            .where('messages.claimed_by', '=', this.#claimant.id)
            .where('messages.claim', '=', claim),
        ),
      )
      .execute();
  }
}
