import { sql } from 'kysely';
import type { AlertFigures } from '../../core/alerts/alert-store.ts';
import type { Database } from '../database.ts';
import { isUnfinished } from '../messages/message-rows.ts';

/** Counts what is waiting or failed by the indexes of what is unfinished or went wrong, which is little of all there is. */
export class KyselyAlertFigures implements AlertFigures {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async waiting({ bot_uuid, before, limit }: { bot_uuid: string | null; before: string; limit: number }) {
    const { count } = await this.#database
      .selectFrom(
        this.#database
          .selectFrom('messages')
          .select('uuid')
          .where(isUnfinished)
          .where('direction', '=', 'inbound')
          .where('created_at', '<=', before)
          .$if(bot_uuid !== null, (query) => query.where('bot_uuid', '=', bot_uuid))
          .limit(limit)
          .as('waiting'),
      )
      .select(({ fn }) => fn.countAll().as('count'))
      .executeTakeFirstOrThrow();
    return Number(count);
  }

  async uncertain({ bot_uuid, from, to }: { bot_uuid: string | null; from: string; to: string }) {
    const { count } = await this.#database
      .selectFrom('deliveries')
      .innerJoin('messages', 'messages.uuid', 'deliveries.message_uuid')
      .select(({ fn }) => fn.count('deliveries.message_uuid').distinct().as('count'))
      // As the index has it.
      .where(sql<boolean>`deliveries.state in ('failed', 'uncertain')`)
      .where('deliveries.state', '=', 'uncertain')
      .where('deliveries.updated_at', '>=', from)
      .where('deliveries.updated_at', '<=', to)
      .$if(bot_uuid !== null, (query) => query.where('messages.bot_uuid', '=', bot_uuid))
      .executeTakeFirstOrThrow();
    return Number(count);
  }

  async failedDocuments({
    knowledge_base_uuid,
    from,
    to,
    names,
  }: {
    knowledge_base_uuid: string | null;
    from: string;
    to: string;
    names: number;
  }) {
    const failed = this.#database
      .selectFrom('knowledge_documents')
      .where('stage', '=', 'failed')
      .where('finished_at', '>=', from)
      .where('finished_at', '<=', to)
      .$if(knowledge_base_uuid !== null, (query) => query.where('knowledge_base_uuid', '=', knowledge_base_uuid));
    const { count } = await failed.select(({ fn }) => fn.countAll().as('count')).executeTakeFirstOrThrow();
    if (Number(count) === 0) return { count: 0, names: [] };
    const first = await failed
      .select('file_name')
      .orderBy('finished_at', 'desc')
      .orderBy('uuid')
      .limit(names)
      .execute();
    return { count: Number(count), names: first.map(({ file_name }) => file_name) };
  }

  async existing(of: 'pipelines' | 'knowledge_bases', uuids: readonly string[]): Promise<Set<string>> {
    if (uuids.length === 0) return new Set();
    const rows = await this.#database.selectFrom(of).select('uuid').where('uuid', 'in', uuids).execute();
    return new Set(rows.map(({ uuid }) => uuid));
  }
}
