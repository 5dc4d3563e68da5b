import type { Logger } from '@parley/sdk';
import { now } from '../../lib/clock.ts';
import type { BotEventEntry, BotEventWindow, NewBotEvent } from './bot-event.ts';
import type { BotEventStore } from './bot-event-store.ts';

/** How many of the latest entries of each bot are stored. */
export const maximumBotEvents = 1000;
/** Entries in one answer, at most. */
export const maximumWindow = 200;
/** Characters of an entry's text; the ledger has the whole message. */
const maximumText = 2000;
const maximumImages = 20;

export interface BotEventLogOptions {
  logger: Logger;
  /** Longest time an entry waits to be stored, milliseconds. Default 200. */
  delayMs?: number;
  /** Most pending entries of all bots together; the oldest are dropped for new ones. Default 10 000. */
  maximumWaiting?: number;
  /** Entries that are stored in one step. Default 500. */
  batch?: number;
}

/**
 * The event log of each bot, for its operator. Entries are stored in batches, soon after they were added, so that
 * adding one costs the caller nothing. It is not durable: pending entries are lost when the process dies.
 */
export class BotEventLog {
  readonly #store: BotEventStore;
  readonly #options: Required<BotEventLogOptions>;
  #waiting: NewBotEvent[] = [];
  #lost = 0;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> | null = null;
  #closed = false;

  constructor(store: BotEventStore, options: BotEventLogOptions) {
    this.#store = store;
    this.#options = { delayMs: 200, maximumWaiting: 10_000, batch: 500, ...options };
  }

  /** Returns immediately. */
  append(botUuid: string, entry: BotEventEntry): void {
    if (this.#closed) return;
    if (this.#waiting.length >= this.#options.maximumWaiting) {
      // In batches: removing one for each that is added would move all of them every time.
      const given = Math.ceil(this.#options.maximumWaiting / 10);
      this.#waiting.splice(0, given);
      this.#lost += given;
    }
    this.#waiting.push({
      bot_uuid: botUuid,
      created_at: now(),
      level: entry.level,
      text: shortened(entry.text),
      code: entry.code ?? null,
      reason: entry.reason ?? null,
      images: (entry.images ?? []).slice(0, maximumImages),
      message_session_id: entry.message_session_id ?? '',
    });
    this.#timer ??= setTimeout(() => void this.flush(), this.#options.delayMs);
  }

  /** Stores what waits. What cannot be stored waits on. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    // Entries added while an earlier batch was written are not in it.
    while (this.#writing !== null) await this.#writing;
    this.#writing = this.#write().finally(() => {
      this.#writing = null;
    });
    await this.#writing;
  }

  /**
   * Entries that end with number `fromIndex`, or with the latest when it is negative; what lies beyond the latest is
   * not there yet, so the latest end it, too.
   * @param maximumCount how many; more than {@link maximumWindow} are not given
   */
  async window(botUuid: string, fromIndex: number, maximumCount: number): Promise<BotEventWindow> {
    await this.flush();
    const count = Math.max(0, Math.min(maximumCount, maximumWindow));
    const last = fromIndex < 0 ? null : Math.min(fromIndex, Number.MAX_SAFE_INTEGER);
    return this.#store.window(botUuid, last, count);
  }

  /** Stores pending entries and accepts no more. */
  async stop(): Promise<void> {
    this.#closed = true;
    await this.flush();
    clearTimeout(this.#timer);
  }

  async #write(): Promise<void> {
    const { logger, batch, delayMs } = this.#options;
    if (this.#lost > 0) logger.warn({ entries: this.#lost }, 'dropped entries of event logs');
    this.#lost = 0;
    while (this.#waiting.length > 0) {
      const events = this.#waiting.splice(0, batch);
      try {
        await this.#store.append(events, maximumBotEvents);
      } catch (error) {
        logger.error({ error }, 'event logs could not be stored');
        this.#waiting.unshift(...events);
        // Not sooner than the next ones would be.
        if (!this.#closed) this.#timer ??= setTimeout(() => void this.flush(), Math.max(1000, delayMs));
        return;
      }
    }
  }
}

function shortened(text: string): string {
  if (text.length <= maximumText) return text;
  // Not half of a character that takes two places.
  return `${text.slice(0, maximumText - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}
