import type { BotEventWindow, NewBotEvent } from './bot-event.ts';

export interface BotEventStore {
  /**
   * Numbers entries in the order given, continuing from each bot's latest, and stores them. Entries of deleted bots are
   * skipped.
   * @param retained how many of the latest entries of each bot remain
   */
  append(events: readonly NewBotEvent[], retained: number): Promise<void>;
  /**
   * @param last number of the last requested entry; null for the latest
   * @param count how many entries up to it, at most
   */
  window(botUuid: string, last: number | null, count: number): Promise<BotEventWindow>;
}
