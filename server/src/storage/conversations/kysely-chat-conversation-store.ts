import { setImmediate as turn } from 'node:timers/promises';
import type { MessageChain } from '@parley/sdk';
import { sql } from 'kysely';
import type {
  ChatConversation,
  ChatConversationPlace,
  ChatConversationQuery,
  ChatConversationStore,
  MessagePosition,
  ReplacedRange,
} from '../../core/web-chat/chat-conversation-store.ts';
import { now } from '../../lib/clock.ts';
import type { Database } from '../database.ts';
import type { Engine } from '../engine.ts';
import { unicodeLower } from '../unicode-lower.ts';

/** Conversations that a search looks through in one turn of the event loop. */
const conversationsPerTurn = 100;
/** Conversations that one request looks through. */
const conversationsPerSearch = 2000;
/** Characters of the first message that are read for a title. */
const firstCharacters = 200;

export class KyselyChatConversationStore implements ChatConversationStore {
  readonly #database: Database;
  readonly #engine: Engine;

  constructor(database: Database, engine: Engine) {
    this.#database = database;
    this.#engine = engine;
  }

  async list({
    search,
    limit,
    ...query
  }: ChatConversationQuery): Promise<{ conversations: ChatConversation[]; next: ChatConversationPlace | null }> {
    const wanted = search.trim().toLowerCase();
    const step = wanted === '' ? limit : Math.max(limit, conversationsPerTurn);
    const found: ChatConversation[] = [];
    let { after } = query;
    for (let seen = 0; seen < conversationsPerSearch; seen += step) {
      const rows = await this.#rows({ ...query, after }, step + 1);
      const page = rows.slice(0, step);
      const matching = wanted === '' ? page : await this.#matching(page, wanted);
      found.push(...matching.slice(0, limit - found.length));
      const isFull = found.length === limit;
      const last = isFull ? found.at(-1) : page.at(-1);
      const hasMore = rows.length > step || (isFull && last !== page.at(-1));
      if (last === undefined || !hasMore) return { conversations: found, next: null };
      after = { updated_at: last.updated_at, uuid: last.uuid };
      if (isFull) break;
      await turn();
    }
    return { conversations: found, next: after };
  }

  async find(uuid: string, bots: readonly string[], personId: string): Promise<ChatConversation | null> {
    if (bots.length === 0) return null;
    return (await this.#select(bots, personId).where('uuid', '=', uuid).executeTakeFirst()) ?? null;
  }

  async rename(uuid: string, title: string): Promise<void> {
    await this.#database.updateTable('conversations').set({ title }).where('uuid', '=', uuid).execute();
  }

  async question(conversationUuid: string, messageUuid: string | null): Promise<MessagePosition | null> {
    const row = await this.#database
      .selectFrom('messages')
      .select(['uuid', 'sequence', 'sender_id', 'message_chain'])
      .where('conversation_uuid', '=', conversationUuid)
      .where('direction', '=', 'inbound')
      .$if(messageUuid !== null, (query) => query.where('uuid', '=', messageUuid))
      .orderBy('sequence', 'desc')
      .limit(1)
      .executeTakeFirst();
    return row === undefined ? null : { ...row, message_chain: JSON.parse(row.message_chain) as MessageChain };
  }

  replaceFrom(conversationUuid: string, first_sequence: number, replacement: string): Promise<ReplacedRange | null> {
    return this.#database.transaction().execute(async (transaction) => {
      // The history that is in memory is not valid any more. This also has other replacements of the conversation wait.
      const { last_sequence } = await transaction
        .updateTable('conversations')
        .set(({ eb }) => ({ history_revision: eb('history_revision', '+', 1), runner_state: null }))
        .where('uuid', '=', conversationUuid)
        .returning('last_sequence')
        .executeTakeFirstOrThrow();
      const earlier = await transaction
        .selectFrom('replaced_messages')
        .select(['first_sequence', 'last_sequence', 'replacement'])
        .where('conversation_uuid', '=', conversationUuid)
        .where('first_sequence', '<=', first_sequence)
        .where('last_sequence', '>=', first_sequence)
        .execute();
      if (earlier.length > 0) {
        const own = earlier.find((range) => range.replacement === replacement);
        return own === undefined ? null : { first_sequence: own.first_sequence, last_sequence: own.last_sequence };
      }
      await transaction
        .insertInto('replaced_messages')
        .values({ conversation_uuid: conversationUuid, first_sequence, last_sequence, replacement, created_at: now() })
        .execute();
      return { first_sequence, last_sequence };
    });
  }

  replaced(conversationUuid: string): Promise<ReplacedRange[]> {
    return this.#database
      .selectFrom('replaced_messages')
      .select(['first_sequence', 'last_sequence'])
      .where('conversation_uuid', '=', conversationUuid)
      .execute();
  }

  async #rows(
    { bots, person_id, after }: Pick<ChatConversationQuery, 'bots' | 'person_id' | 'after'>,
    limit: number,
  ): Promise<ChatConversation[]> {
    if (bots.length === 0) return [];
    const page = await this.#own(bots, person_id)
      .select('uuid')
      .where('last_sequence', '>', 0)
      .where(sql<boolean>`(thread_id = '' or (thread_id like 'chat-%' and thread_id not like '%/%'))`)
      .$if(after !== null, (query) =>
        query.where(({ eb, and, or }) =>
          or([
            eb('updated_at', '<', after?.updated_at ?? ''),
            and([eb('updated_at', '=', after?.updated_at ?? ''), eb('uuid', '<', after?.uuid ?? '')]),
          ]),
        ),
      )
      .orderBy('updated_at', 'desc')
      .orderBy('uuid', 'desc')
      .limit(limit)
      .execute();
    if (page.length === 0) return [];
    // First texts are read of these only, not of all that are sorted.
    const uuids = page.map(({ uuid }) => uuid);
    const select = this.#select(bots, person_id).where('uuid', 'in', uuids);
    return select.orderBy('updated_at', 'desc').orderBy('uuid', 'desc').execute();
  }

  /** Conversations of a user that go on. */
  #own(bots: readonly string[], personId: string) {
    return (
      this.#database
        .selectFrom('conversations')
        // As the index has it, word for word.
        .where('is_current', '=', sql.lit(1))
        .where('bot_uuid', 'in', bots)
        .where('session_type', '=', 'person')
        .where('session_id', '=', personId)
    );
  }

  #select(bots: readonly string[], personId: string) {
    return this.#own(bots, personId)
      .select(['uuid', 'bot_uuid', 'pipeline_uuid', 'thread_id', 'title', 'created_at', 'updated_at'])
      .select(({ selectFrom, fn, val }) =>
        fn
          .coalesce(
            selectFrom('messages')
              .select(sql<string>`substr(messages.text, 1, ${sql.lit(firstCharacters)})`.as('text'))
              .whereRef('messages.conversation_uuid', '=', 'conversations.uuid')
              .where('messages.direction', '=', 'inbound')
              .orderBy('messages.sequence')
              .limit(sql.lit(1))
              .$asScalar(),
            val(''),
          )
          .as('first_text'),
      );
  }

  async #matching(page: readonly ChatConversation[], wanted: string): Promise<ChatConversation[]> {
    if (page.length === 0) return [];
    const uuids = page.map(({ uuid }) => uuid);
    const pattern = `%${wanted.replace(/[\\%_]/g, '\\$&')}%`;
    const rows = await this.#database
      .selectFrom('messages')
      .select('conversation_uuid')
      .distinct()
      .where('conversation_uuid', 'in', uuids)
      .where(sql<boolean>`${unicodeLower(this.#engine, sql.ref('messages.text'))} like ${pattern} escape '\\'`)
      .execute();
    const matching = new Set(rows.map(({ conversation_uuid }) => conversation_uuid));
    return page.filter(({ uuid, title }) => matching.has(uuid) || title?.toLowerCase().includes(wanted));
  }
}
