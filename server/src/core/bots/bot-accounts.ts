import { type ParleyError, problemError } from '@parley/sdk';
import type { InternalPlatform } from '@parley/sdk/internal';
import type { UsedAccount } from './bot-state-store.ts';
import type { BotStore } from './bot-store.ts';

export interface BotAccountsOptions {
  bots: Pick<BotStore, 'byUuid'>;
  /** The fencing token of a bot that other replicas might connect as well; null for others. */
  token: (botUuid: string) => number | null;
  /** As of BotStateStore; null in the only replica that works. */
  use: ((account: UsedAccount) => Promise<string | null>) | null;
}

/** Accounts that bots are connected with. Two connections of one would take messages from each other, or receive each twice. */
export class BotAccounts {
  readonly #options: BotAccountsOptions;
  /** The bots that are connected here, by their platform and account. */
  readonly #bots = new Map<string, string>();

  constructor(options: BotAccountsOptions) {
    this.#options = options;
  }

  /**
   * @returns a function to call when the bot disconnects
   * @throws ParleyError `conflict` when another bot is connected with the account
   */
  async use(uuid: string, platform: InternalPlatform, account: string): Promise<() => void> {
    // Bots of the web chat have no account of their own.
    if (platform.sockets === true) return () => {};
    const key = JSON.stringify([platform.name, account]);
    const other = this.#bots.get(key);
    if (other !== undefined && other !== uuid) throw await this.#isConnected(other);
    this.#bots.set(key, uuid);
    const leave = () => void this.#bots.delete(key);
    try {
      const elsewhere = await this.#useAmongReplicas(uuid, platform, account);
      if (elsewhere !== null) throw await this.#isConnected(elsewhere);
    } catch (error) {
      leave();
      throw error;
    }
    return leave;
  }

  async #useAmongReplicas(
    bot_uuid: string,
    { name: adapter }: InternalPlatform,
    account_id: string,
  ): Promise<string | null> {
    const { use, token: tokenOf } = this.#options;
    const token = tokenOf(bot_uuid);
    return use === null || token === null ? null : use({ bot_uuid, adapter, account_id, token });
  }

  async #isConnected(bot: string): Promise<ParleyError> {
    return problemError('account_connected', { bot: (await this.#options.bots.byUuid(bot))?.name ?? bot });
  }
}
