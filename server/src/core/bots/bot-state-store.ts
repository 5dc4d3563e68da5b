import type { AccountProfile } from '@parley/sdk';
import type { BotStatus } from './bot.ts';

/** The connection of a bot, as the replica that has it shows it to the others. */
export interface SharedBotState extends BotStatus {
  bot_uuid: string;
  /** The bot's own id on its platform; null until it is known. */
  account_id: string | null;
  /** How people find that account; null until it is known. */
  account_profile: AccountProfile | null;
}

/** An account of a platform that a bot is connected with. */
export interface UsedAccount {
  bot_uuid: string;
  /** Name of the platform. */
  adapter: string;
  account_id: string;
  /** Of the lease of the bot. */
  token: number;
}

/** States of connections, for other replicas. Every method is atomic. */
export interface BotStateStore {
  /** All, each with the replica that stored it. */
  all(): Promise<(SharedBotState & { replica: string })[]>;
  /**
   * Stores states of this replica. What was stored with a later token of a bot's lease stays. The account stays where
   * there is none now: it is the one that the bot was connected with last.
   */
  save(states: readonly (SharedBotState & { token: number })[]): Promise<void>;
  /**
   * Notes that a bot of this replica is connected with an account.
   * @returns the other bot that a living replica has connected with it; nothing is stored then. Null for none
   */
  useAccount(account: UsedAccount): Promise<string | null>;
}
