import { type MessageEvent, type MessageReceipt, ParleyError, type PlatformContext } from '@parley/sdk';
import type { Update } from 'grammy/types';
import { type BotAccount, parseUpdate } from './parse.ts';

/** Logged instead of the id of an update without one. */
const unknownUpdate = -1;

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
    const event = this.read(id, update);
    if (event === null) return;
    const [result] = await this.storeAll([event]);
    if (result?.status !== 'rejected') return;
    if (!isRefusedForGood(result.reason)) throw result.reason;
    this.dropRefused(id, result.reason);
  }

  /** The message of an update; null when it has none. */
  read(id: number, update: Update): MessageEvent | null {
    try {
      return parseUpdate(update, this.#bot);
    } catch (error) {
      // It would be no better the next time, and everything behind it would wait.
      this.#context.logger.error({ bot: this.#context.bot_uuid, update: id, error }, 'unreadable update');
      return null;
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
