import { problemError } from '@parley/sdk';
import { present } from '../../lib/clock.ts';
import type { BotRuntime } from '../bots/bot-runtime.ts';
import type { BotHolders } from '../replicas/bot-holders.ts';
import type { CallPrincipal } from '../replicas/peer-calls.ts';
import type { DeliveryLedger } from './delivery-ledger.ts';
import type { MessageEvents } from './message-events.ts';
import type { MessageSender } from './message-sender.ts';

export interface DeliveryRetryOptions {
  bots: Pick<BotRuntime, 'running'>;
  /** Finds the replica that a bot is connected to. */
  holders: Pick<BotHolders, 'other' | 'call'>;
  sender: Pick<MessageSender, 'resend' | 'requireSendable'>;
  events: MessageEvents;
  /** How long the delivery of the parts is retried, milliseconds. */
  expiryMs: number;
  /** There is work for the dispatcher of a bot's messages. */
  queued: (botUuid: string) => void;
}

/** Result of a retry: parts of an answer are queued, a message that a program sent is sent immediately. */
export interface RetriedDelivery {
  message_uuid: string;
  part: number;
  state: 'pending' | 'sent';
}

type DeliveredMessage = NonNullable<Awaited<ReturnType<DeliveryLedger['deliveredMessage']>>>;

/** Resends failed and uncertain parts of messages on request of an operator. */
export class DeliveryRetry {
  readonly #deliveries: Pick<DeliveryLedger, 'deliveredMessage' | 'reopenDelivery'>;
  readonly #options: DeliveryRetryOptions;

  constructor(deliveries: Pick<DeliveryLedger, 'deliveredMessage' | 'reopenDelivery'>, options: DeliveryRetryOptions) {
    this.#deliveries = deliveries;
    this.#options = options;
  }

  /**
   * Sends a part again, on the replica that the bot is connected to, then the failed and uncertain parts that follow it. An
   * uncertain part may appear twice.
   * @param messageUuid an inbound message, whose answer is meant, or an outbound one
   * @param part from 0
   * @param principal the credential that asks for it
   * @throws ParleyError `not_found`; `conflict` while it is being sent, or when it was delivered; `bot_not_running`; of a
   *   message that was sent by a program, the reason the platform gave; `not_ready` or `uncertain` of a call to the other
   *   replica
   */
  async retry(messageUuid: string, part: number, principal: CallPrincipal): Promise<RetriedDelivery> {
    const { holders } = this.#options;
    const found = await this.#found(messageUuid);
    const other = holders.other(found.bot_uuid);
    if (other === null) return this.#retry(messageUuid, part, found);
    // It answers with what its own retry returns.
    return (await holders.call(other, 'retry_delivery', { message: messageUuid, part }, principal)) as RetriedDelivery;
  }

  /** Sends a part again through a bot that is connected here. @throws ParleyError as {@link retry} */
  async retryHere(messageUuid: string, part: number): Promise<RetriedDelivery> {
    return this.#retry(messageUuid, part, await this.#found(messageUuid));
  }

  async #found(messageUuid: string): Promise<DeliveredMessage> {
    const found = await this.#deliveries.deliveredMessage(messageUuid);
    if (found === null) throw problemError('message_not_found');
    return found;
  }

  async #retry(messageUuid: string, part: number, found: DeliveredMessage): Promise<RetriedDelivery> {
    // Without its bot, the message would end before anything is sent.
    this.#options.bots.running(found.bot_uuid);
    // A message that a program sent is not queued: it is sent now or not at all.
    if (found.reply_to === null) await this.#options.sender.requireSendable(found.bot_uuid, found);
    const expires_at = new Date(present() + this.#options.expiryMs).toISOString();
    const reopened = await this.#deliveries.reopenDelivery(found, part, expires_at);
    switch (reopened.state) {
      case 'not_found':
        throw problemError('message_part_not_found', { part: String(part) });
      case 'in_progress':
        throw problemError('message_being_sent');
      case 'delivered':
        throw problemError('part_delivered', { part: String(part) });
      case 'pending':
        if (found.reply_to !== null) {
          this.#options.events.publish({ ...found, uuid: found.reply_to, direction: 'inbound' }, 'received');
        }
        this.#options.queued(found.bot_uuid);
        break;
      case 'sending':
        this.#options.events.publish(found, 'sending');
        await this.#options.sender.resend(found, reopened.claim);
        return { message_uuid: messageUuid, part, state: 'sent' };
    }
    return { message_uuid: messageUuid, part, state: 'pending' };
  }
}
