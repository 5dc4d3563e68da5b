import type { GreetingStore } from '../../core/messages/platform-notices.ts';
import { now } from '../../lib/clock.ts';
import { fingerprint } from '../../lib/token.ts';
import type { Database } from '../database.ts';

/** Which events a bot has answered with its welcome text. */
export class BotGreetings implements GreetingStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async isFirst(bot_uuid: string, platformEventId: string): Promise<boolean> {
    const row = await this.#database
      .insertInto('bot_greetings')
      .values({ bot_uuid, event: fingerprint(platformEventId), created_at: now() })
      .onConflict((conflict) => conflict.columns(['bot_uuid', 'event']).doNothing())
      .returning('event')
      .executeTakeFirst();
    return row !== undefined;
  }
}
