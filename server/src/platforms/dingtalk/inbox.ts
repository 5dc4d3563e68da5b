import { ParleyError, type PlatformContext } from '@parley/sdk';
import { objectOf } from '../../lib/loose-values.ts';
import { parseMessage, type Reader } from './parse.ts';

/** Kinds of messages that are logged when they are seen for the first time. */
const mostKinds = 100;

/** Stores what users write. */
export class Inbox {
  readonly #context: PlatformContext;
  readonly #reader: Reader;
  /** Kinds, and other faults, that were logged. */
  readonly #logged = new Set<string>();

  constructor(context: PlatformContext, reader: Reader) {
    this.#context = context;
    this.#reader = reader;
  }

  /**
   * Takes the data of one message: JSON in a text. When it resolves, the message is stored, or there was nothing to
   * store.
   * @throws when it should be delivered again
   */
  async take(data: string): Promise<void> {
    const parsed = this.#parse(data);
    if (parsed === null) return;
    if (parsed.unknown !== null) this.#log(`kind ${parsed.unknown}`, 'messages of an unknown kind are shown as such');
    if (parsed.hasForeignWebhook) this.#log('webhook', 'an address to answer to is not of DingTalk and is not used');
    try {
      await this.#context.receive(parsed.event);
    } catch (error) {
      // These would be no better the next time.
      if (!(error instanceof ParleyError) || !['invalid_request', 'too_large'].includes(error.reason)) throw error;
      this.#context.logger.warn({ bot: this.#context.bot_uuid, reason: error.reason }, 'a message was refused');
    }
  }

  #parse(data: string) {
    try {
      return parseMessage(objectOf(JSON.parse(data)), this.#reader);
    } catch {
      this.#log('unreadable', 'a message could not be read');
      return null;
    }
  }

  #log(what: string, message: string): void {
    if (this.#logged.has(what) || this.#logged.size >= mostKinds) return;
    this.#logged.add(what);
    const { bot_uuid, logger } = this.#context;
    logger.warn({ bot: bot_uuid, what: what.slice(0, 60) }, message);
  }
}
