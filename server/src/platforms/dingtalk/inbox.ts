import { ParleyError, type PlatformContext } from '@parley/sdk';
import { type UntilStoredOptions, untilStored } from '../../kit/retry/until-stored.ts';
import { objectOf } from '../../lib/loose-values.ts';
import { parseMessage, type Reader } from './parse.ts';

/** Messages that are tried again at the same time; for more, DingTalk's own second delivery has to do. */
const mostRetried = 1000;
/** Kinds of messages that are logged when they are seen for the first time. */
const mostKinds = 100;

type Pauses = Pick<UntilStoredOptions, 'firstPauseMs' | 'longestPauseMs'>;

/** Stores what users write. */
export class Inbox {
  readonly #context: PlatformContext;
  readonly #reader: Reader;
  readonly #pauses: Pauses;
  #storing = 0;
  /** Kinds, and other faults, that were logged. */
  readonly #logged = new Set<string>();

  /** @param pauses between two attempts to store a message */
  constructor(context: PlatformContext, reader: Reader, pauses: Pauses) {
    this.#context = context;
    this.#reader = reader;
    this.#pauses = pauses;
  }

  /**
   * Takes the data of one message: JSON in a text. When it resolves, the message is stored, or there was nothing to
   * store. It is tried again until then: DingTalk delivers a message that was not acknowledged only once more.
   * @throws when it should be delivered again
   */
  async take(data: string): Promise<void> {
    const parsed = this.#parse(data);
    if (parsed === null) return;
    if (parsed.unknown !== null) this.#log(`kind ${parsed.unknown}`, 'messages of an unknown kind are shown as such');
    if (parsed.hasForeignWebhook) this.#log('webhook', 'an address to answer to is not of DingTalk and is not used');
    try {
      await this.#store(() => this.#context.receive(parsed.event));
    } catch (error) {
      // These would be no better the next time.
      if (!(error instanceof ParleyError) || !['invalid_request', 'too_large'].includes(error.reason)) throw error;
      this.#context.logger.warn({ bot: this.#context.bot_uuid, reason: error.reason }, 'a message was refused');
    }
  }

  async #store(store: () => Promise<unknown>): Promise<void> {
    if (this.#storing >= mostRetried) return void (await store());
    this.#storing += 1;
    try {
      await untilStored(store, { context: this.#context, ...this.#pauses });
    } finally {
      this.#storing -= 1;
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
