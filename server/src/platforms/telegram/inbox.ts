import { type MessageEvent, type MessageReceipt, ParleyError, type PlatformContext } from '@parley/sdk';
import type { Update } from 'grammy/types';
import { fetchAttachment } from './attachments.ts';
import { TelegramFailure } from './failure.ts';
import { type BotAccount, type ParsedMessage, parseUpdate } from './parse.ts';
import type { Transport } from './transport.ts';

/** After as many failures a message is taken without its file, so that one file cannot hold up a chat. */
const maximumAttempts = 5;
/** Messages that are remembered, so that a file of one that comes again is not fetched again. */
const rememberedMessages = 1000;

/** Logged instead of the id of an update without one. */
const unknownUpdate = -1;

/** Processes updates of polls and webhooks: parses them, fetches their files and stores the messages. */
export class Inbox {
  readonly #context: PlatformContext;
  readonly #transport: Transport;
  readonly #bot: BotAccount;
  /** Failures to fetch a file, by the update. */
  readonly #failures = new Map<number, number>();
  readonly #taken = new Set<string>();

  constructor(context: PlatformContext, transport: Transport, bot: BotAccount) {
    this.#context = context;
    this.#transport = transport;
    this.#bot = bot;
  }

  /**
   * Takes one update. When it resolves, the update's message is stored, or there was nothing to store.
   * @throws when it should be tried again
   */
  async take(update: Update): Promise<void> {
    const id = updateId(update) ?? unknownUpdate;
    const message = this.read(id, update);
    if (message === null) return;
    await this.fetchFiles(id, message);
    const [result] = await this.storeAll([message]);
    if (result?.status !== 'rejected') return;
    if (!isRefusedForGood(result.reason)) throw result.reason;
    this.dropRefused(id, result.reason);
  }

  /** The message of an update; null when it has none, or it was stored before. */
  read(id: number, update: Update): ParsedMessage | null {
    try {
      const message = parseUpdate(update, this.#bot);
      return message === null || this.#taken.has(message.event.platform_message_id) ? null : message;
    } catch (error) {
      // It would be no better the next time, and everything behind it would wait.
      this.#context.logger.error({ bot: this.#context.bot_uuid, update: id, error }, 'unreadable update');
      return null;
    }
  }

  /** Stores messages, in one transaction if possible. @returns the result of each; never rejects */
  async storeAll(messages: readonly ParsedMessage[]): Promise<PromiseSettledResult<MessageReceipt>[]> {
    const events = messages.map(({ event }) => event);
    const results = await this.#context.receiveAll(events).catch((reason: unknown) =>
      // It promises not to; receiving must not end with a context that does.
      events.map(() => ({ status: 'rejected' as const, reason })),
    );
    for (const [index, result] of results.entries()) {
      if (result.status === 'rejected') continue;
      const event = events[index] as MessageEvent;
      this.#remember(event.platform_message_id);
    }
    return results;
  }

  /** Records that a message was refused and is not tried again. */
  dropRefused(update: number, { reason }: ParleyError): void {
    this.#context.logger.warn({ bot: this.#context.bot_uuid, update, reason }, 'a message was refused');
  }

  /** Fetches the files of a message into its chain. @throws when it should be tried again */
  async fetchFiles(updateId: number, { attachments }: ParsedMessage): Promise<void> {
    try {
      for (const attachment of attachments) await fetchAttachment(attachment, this.#transport, this.#context);
    } catch (error) {
      // While nothing can be reached at all, the file is as good as ever.
      if (error instanceof TelegramFailure && error.kind === 'not_sent') throw error;
      const failures = (this.#failures.get(updateId) ?? 0) + 1;
      if (this.#failures.size > rememberedMessages) this.#failures.clear();
      this.#failures.set(updateId, failures);
      if (failures < maximumAttempts) throw error;
      this.#context.logger.warn(
        { bot: this.#context.bot_uuid, update: updateId },
        'a message was taken without its file',
      );
    }
    this.#failures.delete(updateId);
  }

  #remember(id: string): void {
    this.#taken.add(id);
    if (this.#taken.size <= rememberedMessages) return;
    for (const oldest of this.#taken.values().take(1)) this.#taken.delete(oldest);
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
