import {
  type MessageEvent,
  type MessageReceipt,
  ParleyError,
  type PlatformContext,
  type PlatformNotice,
} from '@parley/sdk';
import type { Update } from 'grammy/types';
import { type BotAccount, parseNotice, parseUpdate } from './parse.ts';

/** Logged instead of the id of an update without one. */
const unknownUpdate = -1;

/** The content of an update; at most one of them. */
interface ReadUpdate {
  event: MessageEvent | null;
  notice: PlatformNotice | null;
}

/** Processes updates of polls and webhooks: parses them and stores the messages. */
export class Inbox {
  readonly #context: PlatformContext;
  readonly #bot: BotAccount;

  constructor(context: PlatformContext, bot: BotAccount) {
    this.#context = context;
    this.#bot = bot;
  }

  /**
   * Takes one update. When it resolves, the update's message is stored, or there was nothing to store.
   * @throws when it should be tried again
   */
  async take(update: Update): Promise<void> {
    const id = updateId(update) ?? unknownUpdate;
    const { event, notice } = this.read(id, update);
    if (notice !== null) await this.note(id, notice);
    if (event === null) return;
    const [result] = await this.storeAll([event]);
    if (result?.status !== 'rejected') return;
    if (!isRefusedForGood(result.reason)) throw result.reason;
    this.dropRefused(id, result.reason);
  }

  /** What an update says; null for what it does not hold. */
  read(id: number, update: Update): ReadUpdate {
    try {
      return { event: parseUpdate(update, this.#bot), notice: parseNotice(update, this.#bot) };
    } catch (error) {
      // It would be no better the next time, and everything behind it would wait.
      this.#context.logger.error({ bot: this.#context.bot_uuid, update: id, error }, 'unreadable update');
      return { event: null, notice: null };
    }
  }

  /** Hands over what became of a message. @throws when it should be tried again */
  async note(update: number, notice: PlatformNotice): Promise<void> {
    try {
      await this.#context.receiveNotice(notice);
    } catch (error) {
      if (!isRefusedForGood(error)) throw error;
      this.dropRefused(update, error);
    }
  }

  /** Stores messages, in one transaction if possible. @returns the result of each; never rejects */
  async storeAll(events: readonly MessageEvent[]): Promise<PromiseSettledResult<MessageReceipt>[]> {
    return this.#context.receiveAll(events).catch((reason: unknown) =>
      // It promises not to; receiving must not end with a context that does.
      events.map(() => ({ status: 'rejected', reason })),
    );
  }

  /** Records that a message was refused and is not tried again. */
  dropRefused(update: number, { reason }: ParleyError): void {
    this.#context.logger.warn({ bot: this.#context.bot_uuid, update, reason }, 'a message was refused');
  }
}

/** Whether no later attempt would store a message. */
export function isRefusedForGood(error: unknown): error is ParleyError {
  return error instanceof ParleyError && (error.reason === 'invalid_request' || error.reason === 'too_large');
}

/** The id of an update, which some servers write as a text; null when it has none that can be confirmed. */
export function updateId(update: unknown): number | null {
  const id = (update as Partial<Update> | null | undefined)?.update_id as unknown;
  const number = typeof id === 'string' && /^\d+$/.test(id) ? Number(id) : id;
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : null;
}
