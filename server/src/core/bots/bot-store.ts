import type { Bot, StoredBot } from './bot.ts';

export interface BotStore {
  list(): Promise<Bot[]>;
  byUuid(uuid: string): Promise<Bot | null>;
  /** Every bot with its sealed secrets. */
  stored(): Promise<StoredBot[]>;
  create(bot: Omit<StoredBot, 'use_pipeline_name'>): Promise<void>;
}
