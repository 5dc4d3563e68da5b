import { type MessageEvent, ParleyError, type PlatformContext } from '@parley/sdk';
import type { Update } from 'grammy/types';
import { fetchAttachment } from './attachments.ts';
import { TelegramFailure } from './failure.ts';
import { type BotAccount, type ParsedMessage, parseUpdate } from './parse.ts';
import type { Transport } from './transport.ts';

/** After as many failures a message is taken without its file, so that one file cannot hold up a chat. */
const maximumAttempts = 5;
/** Messages that are remembered, so that a file of one that comes again is not fetched again. */
const rememberedMessages = 1000;

/** Takes updates, however they came: reads them, fetches their files and hands the messages over. */
export class Inbox {
  readonly #context: PlatformContext;
  readonly #transport: Transport;
  readonly #bot: BotAccount;
  readonly #accepted: (event: MessageEvent) => void;
  /** Failures to fetch a file, by the update. */
  readonly #failures = new Map<number, number>();
  readonly #taken = new Set<string>();

  /** @param accepted called for each message that was not stored before */
  constructor(
    context: PlatformContext,
    transport: Transport,
    bot: BotAccount,
    accepted: (event: MessageEvent) => void,
  ) {
    this.#context = context;
    this.#transport = transport;
    this.#bot = bot;
    this.#accepted = accepted;
  }

  /**
   * Takes an update. When it resolves, the update's message is stored, or there was nothing to store.
   * @throws when it should be tried again
   */
  async take(update: Update): Promise<void> {
    const message = this.#parse(update);
    if (message === null || this.#taken.has(message.event.platform_message_id)) return;
    await this.#fetchAttachments(update.update_id, message);
    try {
      const { outcome } = await this.#context.receive(message.event);
      this.#remember(message.event.platform_message_id);
      if (outcome === 'accepted') this.#accepted(message.event);
    } catch (error) {
      if (!isRefusedForGood(error)) throw error;
      this.#context.logger.warn(
        { bot: this.#context.bot_uuid, update: update.update_id, reason: error.reason },
        'a message was refused',
      );
    }
  }

  #parse(update: Update): ParsedMessage | null {
    try {
      return parseUpdate(update, this.#bot);
    } catch (error) {
      // It would be no better the next time, and everything behind it would wait.
      this.#context.logger.error(
        { bot: this.#context.bot_uuid, update: update?.update_id, error },
        'unreadable update',
      );
      return null;
    }
  }

  async #fetchAttachments(updateId: number, { attachments }: ParsedMessage): Promise<void> {
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

function isRefusedForGood(error: unknown): error is ParleyError {
  return error instanceof ParleyError && (error.reason === 'invalid_request' || error.reason === 'too_large');
}
