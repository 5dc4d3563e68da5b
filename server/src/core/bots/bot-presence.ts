import { isDeepStrictEqual } from 'node:util';
import type { BotAccount, Logger } from '@parley/sdk';
import type { BotStateStore, SharedBotState } from './bot-state-store.ts';

/** States that follow each other within this time are stored together, milliseconds. */
const saveDelay = 100;

/** What a beat of this replica has read. */
export interface SeenOfOthers {
  /** The other replicas that work. */
  others: readonly string[];
  /** Raised with each state that is stored. */
  botStateVersion: number;
}

/** Shows the states of bots that are connected here to other replicas, and has those of bots that are connected there. */
export class BotPresence {
  readonly #store: BotStateStore;
  readonly #logger: Logger;
  /** Those that this replica stored last, or is about to. */
  readonly #own = new Map<string, SharedBotState & { token: number }>();
  readonly #unsaved = new Set<string>();
  #saving: Promise<void> | null = null;
  #elsewhere = new Map<string, SharedBotState>();
  /** Those that bots were connected with last, on any replica, as far as they were read. */
  #accounts = new Map<string, BotAccount>();
  #seen: string | null = null;
  #reading: Promise<void> | null = null;
  #changes = 0;

  constructor(store: BotStateStore, logger: Logger) {
    this.#store = store;
    this.#logger = logger;
  }

  /** How often what is known of bots elsewhere has changed. */
  get changes(): number {
    return this.#changes;
  }

  /** The state of a bot that another living replica has connected, or is connecting; null when there is none. */
  elsewhere(botUuid: string): SharedBotState | null {
    return this.#elsewhere.get(botUuid) ?? null;
  }

  /** The account that a bot was connected with last, on any replica; null when it is not known. */
  account(botUuid: string): BotAccount | null {
    return this.#accounts.get(botUuid) ?? null;
  }

  /**
   * Shows the state of a bot to others.
   * @param token of its lease; null when this replica does not hold that any more: what others stored since stays
   */
  show(state: SharedBotState, token: number | null): void {
    const known = this.#own.get(state.bot_uuid);
    const lastToken = token ?? known?.token;
    // It was never connected here.
    if (lastToken === undefined) return;
    const { account_id: id, account_profile: profile } = state;
    if (id !== null) this.#accounts.set(state.bot_uuid, { id, profile });
    const shown = { ...state, token: lastToken };
    if (isDeepStrictEqual(known, shown)) return;
    this.#own.set(state.bot_uuid, shown);
    this.#unsaved.add(state.bot_uuid);
    this.#save();
  }

  /** A bot was deleted. */
  forget(botUuid: string): void {
    this.#own.delete(botUuid);
    this.#accounts.delete(botUuid);
    this.#unsaved.delete(botUuid);
  }

  /** Call with each beat: reads what others have stored since. */
  see({ others, botStateVersion }: SeenOfOthers): void {
    if (this.#unsaved.size > 0) this.#save();
    const seen = JSON.stringify([others.length === 0 ? 0 : botStateVersion, ...others]);
    if (seen === this.#seen || this.#reading !== null) return;
    this.#reading = this.#read(others)
      .then(() => {
        this.#seen = seen;
      })
      .catch((error: unknown) => this.#logger.warn({ error }, 'the states of bots could not be read'))
      .finally(() => {
        this.#reading = null;
      });
  }

  async #read(others: readonly string[]): Promise<void> {
    const states = await this.#store.all();
    for (const { bot_uuid, account_id: id, account_profile: profile } of states) {
      if (id !== null) this.#accounts.set(bot_uuid, { id, profile });
    }
    const living = states.filter(({ replica, state }) => others.includes(replica) && state !== 'stopped');
    this.#elsewhere = new Map(living.map(({ replica: _, ...state }) => [state.bot_uuid, shownState(state)]));
    this.#changes += 1;
  }

  #save(): void {
    if (this.#saving !== null) return;
    this.#saving = this.#saveSoon().then((isSaved) => {
      this.#saving = null;
      if (isSaved && this.#unsaved.size > 0) this.#save();
    });
  }

  /** @returns false when the next beat has to try again */
  async #saveSoon(): Promise<boolean> {
    await new Promise<void>((resolve) => void setTimeout(resolve, saveDelay).unref());
    const states = [...this.#unsaved].flatMap((uuid) => this.#own.get(uuid) ?? []);
    this.#unsaved.clear();
    try {
      await this.#store.save(states);
      return true;
    } catch (error) {
      for (const { bot_uuid } of states) this.#unsaved.add(bot_uuid);
      this.#logger.warn({ error }, 'the states of bots could not be stored');
      return false;
    }
  }
}

/** While a bot is not connected, others only see that. */
function shownState(state: SharedBotState): SharedBotState {
  const isConnected = state.state === 'running' || state.state === 'reconnecting';
  return isConnected ? state : { ...state, account_id: null, account_profile: null };
}
