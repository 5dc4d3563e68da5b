import type { Selectable } from 'kysely';
import type { BotEvent, BotEventWindow, NewBotEvent } from '../../core/bots/bot-event.ts';
import type { BotEventStore } from '../../core/bots/bot-event-store.ts';
import type { Database, Tables } from '../database.ts';
import type { Engine } from '../engine.ts';
import { columnsOf } from '../table-columns.ts';

export class KyselyBotEventStore implements BotEventStore {
  readonly #database: Database;
  readonly #engine: Engine;

  constructor(database: Database, engine: Engine) {
    this.#database = database;
    this.#engine = engine;
  }

  async append(events: readonly NewBotEvent[], retained: number): Promise<void> {
    const named = [...new Set(events.map((event) => event.bot_uuid))];
    if (named.length === 0) return;
    await this.#database.transaction().execute(async (transaction) => {
      // Locks the bots against deletion, in a fixed order to avoid deadlocks.
      const bots = await transaction
        .selectFrom('bots')
        .select('uuid')
        .where('uuid', 'in', named)
        .orderBy('uuid')
        .$if(this.#engine === 'postgres', (query) => query.forNoKeyUpdate())
        .execute();
      const latest = await transaction
        .selectFrom('bot_events')
        .select(({ fn }) => ['bot_uuid', fn.max('seq_id').as('seq_id')])
        .where('bot_uuid', 'in', named)
        .groupBy('bot_uuid')
        .execute();
      const next = new Map(bots.map(({ uuid }) => [uuid, 0]));
      for (const { bot_uuid, seq_id } of latest) next.set(bot_uuid, seq_id + 1);
      const rows = events.flatMap((event) => {
        const seq_id = next.get(event.bot_uuid);
        if (seq_id === undefined) return [];
        next.set(event.bot_uuid, seq_id + 1);
        return [{ ...event, seq_id, images: JSON.stringify(event.images) }];
      });
      if (rows.length === 0) return;
      await transaction.insertInto('bot_events').values(rows).execute();
      for (const [uuid, following] of next) {
        await transaction
          .deleteFrom('bot_events')
          .where('bot_uuid', '=', uuid)
          .where('seq_id', '<', following - retained)
          .execute();
      }
    });
  }

  async window(botUuid: string, last: number | null, count: number): Promise<BotEventWindow> {
    const ofBot = this.#database.selectFrom('bot_events').where('bot_uuid', '=', botUuid);
    const upToLast = last === null ? ofBot : ofBot.where('seq_id', '<=', last);
    const rows = await upToLast.select(columnsOf('bot_events')).orderBy('seq_id', 'desc').limit(count).execute();
    const { total } = await ofBot.select(({ fn }) => fn.countAll().as('total')).executeTakeFirstOrThrow();
    return { logs: rows.reverse().map(toEvent), total_count: Number(total) };
  }
}

function toEvent({ bot_uuid: _, created_at, ...row }: Selectable<Tables['bot_events']>): BotEvent {
  return {
    ...row,
    timestamp: Math.floor(Date.parse(created_at) / 1000),
    images: JSON.parse(row.images) as string[],
  };
}
