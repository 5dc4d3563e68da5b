import { ParleyError } from '@parley/sdk';
import { isUuid } from '../../lib/uuid.ts';
import type { Bot } from './bot.ts';
import type { BotStore } from './bot-store.ts';

/** Bots as records. Their connections are {@link BotRuntime}'s business. */
export class BotService {
  readonly #store: BotStore;

  constructor(store: BotStore) {
    this.#store = store;
  }

  list(): Promise<Bot[]> {
    return this.#store.list();
  }

  /** @throws ParleyError `not_found` */
  async get(uuid: string): Promise<Bot> {
    const bot = isUuid(uuid) ? await this.#store.byUuid(uuid.toLowerCase()) : null;
    if (bot === null) throw new ParleyError('not_found', 'Bot not found');
    return bot;
  }
}
