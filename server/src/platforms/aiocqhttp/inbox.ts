import type { PlatformContext } from '@parley/sdk';
import type { ArrivalQueue, ArrivalQueues } from '../../kit/retry/arrival-queue.ts';
import { untilStored } from '../../kit/retry/until-stored.ts';
import { ChainReader } from './chain-reader.ts';
import type { Chat } from './chat.ts';
import type { Fields } from './fields.ts';
import { type MessageOrigin, originOf, readMessage } from './message-event.ts';
import { readNotice } from './notices.ts';
import type { Timing } from './timing.ts';
import type { WireIds } from './wire-ids.ts';

export interface InboxOptions {
  context: PlatformContext;
  timing: Timing;
  queues: ArrivalQueues;
  ids: WireIds;
  /** The QQ number of the bot. */
  account(): string | null;
  /** Calls an action that changes nothing, and waits for it until the signal, or a stop of the bot. */
  lookUp(action: string, params: Fields, signal: AbortSignal): Promise<unknown>;
  /** Whether the bot sent a message. */
  isOwn(messageId: string): boolean;
  /** Called once for each kind of fault. */
  onFault(fault: string): void;
}

/**
 * Takes the events of clients. They send each once and wait for no acknowledgement, so a message is held here until it is
 * stored: no client would repeat it.
 */
export class Inbox {
  readonly #options: InboxOptions;
  readonly #queue: ArrivalQueue;

  constructor(options: InboxOptions) {
    this.#options = options;
    this.#queue = options.queues.open(options.context.bot_uuid);
  }

  /** Never throws. */
  take(event: Fields): void {
    const { ids, account, onFault } = this.#options;
    if (event.post_type === 'notice') this.#takeNotice(event);
    const origin = originOf(event, account());
    if (origin === null) {
      if (event.post_type === 'message') onFault('a message of itself, or without its ids');
      return;
    }
    ids.learn(event);
    this.#add(origin, () => this.#receive(event, origin));
  }

  /** Resolves once nothing waits to be stored. */
  async idle(): Promise<void> {
    await this.#queue.idle();
  }

  /** Nothing comes any more: stores what waits. Waits a limited time; the rest is stored later. */
  async stop(): Promise<void> {
    const { context, queues, timing } = this.#options;
    await queues.close(context.bot_uuid, this.#queue, timing.stopMs);
  }

  #takeNotice(event: Fields): void {
    const { context, account } = this.#options;
    const read = readNotice(event, account());
    if (read === null) return;
    this.#add(read.chat, () => this.#stored(() => context.receiveNotice(read.notice)));
  }

  #add({ session_type, session_id }: Chat, work: () => Promise<void>): void {
    const { context } = this.#options;
    const isAdded = this.#queue.add(`${session_type}_${session_id}`, async () => {
      try {
        await work();
      } catch (error) {
        context.logger.error({ bot: context.bot_uuid, error }, 'an event of a QQ client was lost');
      }
    });
    if (!isAdded) {
      context.logger.error({ bot: context.bot_uuid }, 'an event of a QQ client was lost: too many wait to be stored');
    }
  }

  async #receive(event: Fields, origin: MessageOrigin): Promise<void> {
    const { context, timing, ids, account, lookUp, isOwn, onFault } = this.#options;
    const deadline = AbortSignal.timeout(timing.lookupMs);
    const reader = new ChainReader({
      group_id: origin.session_type === 'group' ? origin.session_id : null,
      lookUp: (action, params) => lookUp(action, params, deadline),
      wireId: (id) => ids.message(id),
      onUnknown: (kind) => onFault(`a segment of the unknown kind ${JSON.stringify(kind.slice(0, 64))}`),
    });
    const message = await readMessage(event, origin, { reader, account: account(), isOwn });
    if (message !== null) await this.#stored(() => context.receive(message));
  }

  #stored(store: () => Promise<unknown>): Promise<void> {
    const { context, timing } = this.#options;
    const { storePauseMs: firstPauseMs, longestStorePauseMs: longestPauseMs } = timing;
    return untilStored(store, { context, firstPauseMs, longestPauseMs });
  }
}
