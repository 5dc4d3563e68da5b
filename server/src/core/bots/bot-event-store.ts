import type { BotEventWindow, NewBotEvent } from './bot-event.ts';

export interface BotEventStore {
  /**
   * Numbers entries in the order given, each bot's from its latest on, and stores them. Entries of bots that are gone
   * are passed over.
   * @param kept how many of the latest entries of each bot stay
   */
  append(events: readonly NewBotEvent[], kept: number): Promise<void>;
  /**
   * @param last number of the last entry that is asked for; null for the latest there is
   * @param count how many entries up to it, at most
   */
  window(botUuid: string, last: number | null, count: number): Promise<BotEventWindow>;
}
