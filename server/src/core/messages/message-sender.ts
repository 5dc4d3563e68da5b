import {
  type BotAddedNotice,
  type DeliveryError,
  type Logger,
  type MessageChain,
  ParleyError,
  type PlatformContext,
  parseMessageChain,
  type RepliedMessage,
  type SessionType,
  textOfChain,
} from '@parley/sdk';
import { present } from '../../lib/clock.ts';
import type { BotView } from '../bots/bot.ts';
import type { BotRuntime } from '../bots/bot-runtime.ts';
import type { BotService } from '../bots/bot-service.ts';
import type { RunningBot } from '../bots/running-bot.ts';
import type { Chat, SendHolds } from '../bots/send-holds.ts';
import type { ConversationKey } from '../conversations/conversation.ts';
import { storeInlineMedia } from '../files/inline-media.ts';
import type { BotHolders } from '../replicas/bot-holders.ts';
import type { CallPrincipal } from '../replicas/peer-calls.ts';
import { outgoingOf } from './answer-stream.ts';
import type { DeliveryOutcome } from './delivery.ts';
import { undelivered } from './delivery-event.ts';
import { deliveryFailureOf } from './delivery-failure.ts';
import type { DeliveryLedger } from './delivery-ledger.ts';
import { failedOutcome, sentOutcome, uncertainOutcome } from './delivery-outcomes.ts';
import { claimOf, type Message, type MessageClaim } from './message.ts';
import type { MessageEvents } from './message-events.ts';
import { persist } from './persist.ts';
import { refuseUnsupported } from './unsupported-elements.ts';

export interface MessageSenderOptions {
  bots: BotService;
  runtime: BotRuntime;
  holds: SendHolds;
  events: MessageEvents;
  /** @throws StorageError while another process may be using the database: no send may start */
  assertOwned: () => void;
  /** Keeps the files of messages. */
  storeMedia: PlatformContext['storeMedia'];
  /** Finds the replica that a bot is connected to. */
  holders: Pick<BotHolders, 'other' | 'call'>;
  logger: Logger;
}

/** How long the result of a send is tried to be stored while its caller waits, milliseconds. */
const storeTimeout = 30_000;

/** How long a caller waits for the end of a rate limit or an outage, milliseconds. */
const holdTimeout = 5000;

/** What differs from the first attempt at an unsolicited message. */
interface AttemptOptions {
  reply_to?: RepliedMessage | null;
  idempotency_token?: string;
}

/** Sends unsolicited messages: a program has a bot write to a user or a group. */
export class MessageSender {
  readonly #deliveries: Pick<DeliveryLedger, 'createOutgoing' | 'deliveriesOf' | 'settleDelivery'>;
  readonly #options: MessageSenderOptions;

  constructor(
    deliveries: Pick<DeliveryLedger, 'createOutgoing' | 'deliveriesOf' | 'settleDelivery'>,
    options: MessageSenderOptions,
  ) {
    this.#deliveries = deliveries;
    this.#options = options;
  }

  /**
   * Makes one attempt, on the replica that the bot is connected to; after a failure the caller may retry.
   * @param targetId a user or group, on some platforms with a thread
   * @param chain unvalidated, checked here
   * @param principal the credential that asks for it, if any
   * @throws ParleyError `not_found`, `bot_disabled`, `bot_not_running`, `invalid_request`, `unsupported_element`,
   * `not_ready` or `uncertain` of a call to the other replica, or the reason the platform gave
   */
  async send(
    botUuid: string,
    sessionType: SessionType,
    targetId: string,
    chain: unknown,
    principal?: CallPrincipal,
  ): Promise<void> {
    const { holders } = this.#options;
    const other = holders.other(botUuid);
    if (other === null) return this.sendHere(botUuid, sessionType, targetId, chain);
    const payload = { bot_uuid: botUuid, session_type: sessionType, target_id: targetId, message_chain: chain };
    await holders.call(other, 'send_message', payload, principal);
  }

  /** Sends through a bot that is connected here. @throws ParleyError as {@link send} */
  async sendHere(botUuid: string, sessionType: SessionType, targetId: string, chain: unknown): Promise<void> {
    const bot = await this.#options.bots.get(botUuid);
    const checked = parseMessageChain(chain);
    const running = this.#running(bot);
    refuseUnsupported(checked, running.capabilities.elements);
    const target = { session_type: sessionType, ...targetOf(running, sessionType, targetId) };
    const key = { bot_uuid: bot.uuid, pipeline_uuid: bot.use_pipeline_uuid ?? '', ...target };
    await this.requireSendable(bot.uuid, key);
    // Content is stored outside of the ledger, which would otherwise grow by megabytes with each image.
    const parsed = await storeInlineMedia(checked, this.#options.storeMedia);
    await this.#store(running, key, parsed);
  }

  /**
   * Sends a text into a chat that a bot was added to, as an answer to that event where the platform wants one.
   * @throws ParleyError as {@link send}
   */
  async welcome(botUuid: string, notice: BotAddedNotice, text: string): Promise<void> {
    const bot = await this.#options.bots.get(botUuid);
    const running = this.#running(bot);
    const { session_type, session_id, thread_id = '' } = notice;
    const key = { bot_uuid: botUuid, pipeline_uuid: bot.use_pipeline_uuid ?? '', session_type, session_id, thread_id };
    await this.requireSendable(botUuid, key);
    await this.#store(running, key, [{ type: 'Plain', text }], repliedEvent(notice));
  }

  #running(bot: Pick<BotView, 'uuid' | 'enable'>): RunningBot {
    if (!bot.enable) throw new ParleyError('bot_disabled', 'Bot is disabled');
    return this.#options.runtime.running(bot.uuid);
  }

  async #store(
    running: RunningBot,
    key: ConversationKey,
    chain: MessageChain,
    replyTo: RepliedMessage | null = null,
  ): Promise<void> {
    const message = await this.#deliveries.createOutgoing(key, chain, textOfChain(chain));
    this.#options.events.publish(message, 'sending');
    await this.#attempt(running, message, claimOf(message), { reply_to: replyTo });
  }

  /**
   * Makes another attempt at a message whose delivery is `sending` again.
   * @param claim of the message
   * @throws ParleyError `bot_not_running`, or the reason the platform gave
   */
  async resend(message: Message, claim: MessageClaim): Promise<void> {
    const bot = this.#options.runtime.running(message.bot_uuid);
    const [delivery] = await this.#deliveries.deliveriesOf(message);
    await this.#attempt(bot, message, claim, delivery && { idempotency_token: delivery.idempotency_token });
  }

  async #attempt(
    bot: RunningBot,
    message: Message,
    claim: MessageClaim,
    { reply_to = null, idempotency_token = message.uuid }: AttemptOptions = {},
  ): Promise<void> {
    const { holds, runtime, events, logger } = this.#options;
    const unsolicited = outgoingOf(message, { piece: 0, idempotency_token }, null);
    const outgoing = { ...unsolicited, reply_to, message_chain: message.message_chain };
    let outcome: DeliveryOutcome;
    let failure: DeliveryError | null = null;
    try {
      outcome = sentOutcome(await bot.adapter.send(outgoing));
      holds.succeeded(bot.uuid);
    } catch (error) {
      failure = deliveryFailureOf(error);
      holds.report(bot.uuid, message, failure);
      runtime.tell(bot.uuid, undelivered(message, failure));
      outcome = failure.kind === 'unknown' ? uncertainOutcome(failure) : failedOutcome(failure);
    }
    const signal = AbortSignal.timeout(storeTimeout);
    await persist(() => this.#deliveries.settleDelivery({ answer_uuid: message.uuid, piece: 0, claim }, outcome), {
      signal,
      logger,
    });
    events.publish(message, outcome.state, outcome.reason);
    if (failure !== null) throw failure;
  }

  /**
   * Waits briefly for the end of a hold on a chat.
   * @throws ParleyError with the reason of the hold, and how long it lasts
   */
  async requireSendable(botUuid: string, chat: Chat): Promise<void> {
    this.#options.assertOwned();
    const hold = await this.#options.holds.cleared(botUuid, chat, holdTimeout);
    if (hold === null) return;
    const message = 'Sending to the platform is paused: it is rate-limited or cannot be reached';
    throw new ParleyError(hold.reason, message, {
      retryAfterSeconds: Math.max(1, Math.ceil(hold.milliseconds / 1000)),
    });
  }
}

/** Null where the platform gave no context, or that has expired. */
function repliedEvent(notice: BotAddedNotice): RepliedMessage | null {
  const { platform_event_id, session_type, session_id, reply_context: context } = notice;
  if (context === undefined || Date.parse(context.expires_at ?? '') <= present()) return null;
  const sender_id = session_type === 'person' ? session_id : '';
  return { platform_message_id: platform_event_id, sender_id, context: context.value };
}

function targetOf({ implementation }: RunningBot, sessionType: SessionType, targetId: string) {
  const { session_id, thread_id } = implementation.parseTarget?.(sessionType, targetId) ?? {
    session_id: targetId,
    thread_id: '',
  };
  return { session_id, thread_id };
}
