import type { Bot, BotChanges, NewBot, StoredBot } from './bot.ts';

/** Why a write was not made. Nothing has changed then. */
export type BotRefusal =
  | { reason: 'not_found' | 'limit_reached' }
  /** The bot or one of its rules names pipelines that do not exist. */
  | { reason: 'unknown_pipelines'; pipelines: string[] };

/** Bots, and which pipelines the rules of each name. What a method does, it does whole or not at all. */
export interface BotStore {
  list(): Promise<Bot[]>;
  byUuid(uuid: string): Promise<Bot | null>;
  /** Every bot with its sealed secrets. */
  stored(): Promise<StoredBot[]>;
  storedByUuid(uuid: string): Promise<StoredBot | null>;
  /**
   * @param maximum how many bots there may be with this one; -1 for any number
   * @returns null when it was made
   */
  create(bot: NewBot, maximum?: number): Promise<BotRefusal | null>;
  /**
   * @param change told what is stored, which nobody else changes meanwhile; what it throws is thrown
   * @returns null when it was made
   */
  update(uuid: string, change: (stored: StoredBot) => BotChanges): Promise<BotRefusal | null>;
  /** @returns false when there is no such bot */
  delete(uuid: string): Promise<boolean>;
}
