import { setTimeout as wait } from 'node:timers/promises';
import { DeliveryError, type Logger } from '@parley/sdk';
import type { BotRuntime } from '../bots/bot-runtime.ts';
import { undelivered } from './delivery-event.ts';
import { deliveryFailureOf } from './delivery-failure.ts';
import type { DeliveryLedger } from './delivery-ledger.ts';
import type { MessageEvents } from './message-events.ts';

export interface LateFailuresOptions {
  bots: Pick<BotRuntime, 'tell'>;
  events: MessageEvents;
  logger: Logger;
  /** Pauses before each search for a delivery, milliseconds. */
  pauses?: readonly number[];
}

/** A platform may report a failure before the result of the send is stored. */
const defaultPauses = [0, 100, 1000];

/** Takes reports of platforms that a message which they accepted was not delivered. */
export class LateFailures {
  readonly #deliveries: Pick<DeliveryLedger, 'failDelivered'>;
  readonly #options: LateFailuresOptions;

  constructor(deliveries: Pick<DeliveryLedger, 'failDelivered'>, options: LateFailuresOptions) {
    this.#deliveries = deliveries;
    this.#options = options;
  }

  /** Marks the delivery as failed, and the message that it answers. Ignores a message that the bot has not sent. */
  async report(botUuid: string, platformMessageId: string, error: unknown): Promise<void> {
    const { bots, events, logger, pauses = defaultPauses } = this.#options;
    const { reason, message } = deliveryFailureOf(error);
    const failure = new DeliveryError('refused', reason, message);
    for (const pause of pauses) {
      if (pause > 0) await wait(pause, undefined, { ref: false });
      const failed = await this.#deliveries.failDelivered(botUuid, platformMessageId, failure);
      if (failed === null) continue;
      const { outbound, question } = failed;
      logger.error({ bot: botUuid, message: outbound.uuid, error: failure }, 'an accepted message was not delivered');
      bots.tell(botUuid, undelivered(outbound, failure));
      events.publish(outbound, 'failed', reason);
      if (question !== null) events.publish(question, 'failed', reason);
      return;
    }
    logger.warn({ bot: botUuid, reason }, 'a platform reported the failure of a message that is not known');
  }
}
