import {
  type MessageChain,
  ParleyError,
  type PlatformContext,
  parseMessageChain,
  type SessionType,
  textOfChain,
} from '@parley/sdk';
import type { BotRuntime } from '../bots/bot-runtime.ts';
import type { BotService } from '../bots/bot-service.ts';
import { storeInlineMedia } from '../files/inline-media.ts';
import { failedOutcome, sentOutcome } from './answer-delivery.ts';
import { outgoingOf } from './answer-stream.ts';
import { undelivered } from './delivery-event.ts';
import type { MessageStore } from './message-store.ts';

/** Sends messages that nobody asked for: a program tells a bot to write to a person or a group. */
export class MessageSender {
  readonly #store: MessageStore;
  readonly #bots: BotService;
  readonly #runtime: BotRuntime;
  readonly #storeMedia: PlatformContext['storeMedia'];

  /** @param storeMedia keeps the files of messages */
  constructor(store: MessageStore, bots: BotService, runtime: BotRuntime, storeMedia: PlatformContext['storeMedia']) {
    this.#storeMedia = storeMedia;
    this.#store = store;
    this.#bots = bots;
    this.#runtime = runtime;
  }

  /**
   * @param chain as it came, checked here
   * @throws ParleyError `not_found`, `bot_disabled`, `bot_not_running`, `invalid_request`, `unsupported_element`,
   *   or the reason the platform gave
   */
  async send(botUuid: string, sessionType: SessionType, sessionId: string, chain: unknown): Promise<void> {
    const bot = await this.#bots.get(botUuid);
    const checked = parseMessageChain(chain);
    if (!bot.enable) throw new ParleyError('bot_disabled', 'Bot is disabled');
    const { platform, adapter } = this.#runtime.running(bot.uuid);
    refuseUnsupported(checked, platform.capabilities.elements);
    // Content lies beside the ledger, which would otherwise grow by megabytes with each picture.
    const parsed = await storeInlineMedia(checked, this.#storeMedia);
    const key = {
      bot_uuid: bot.uuid,
      pipeline_uuid: bot.use_pipeline_uuid ?? '',
      session_type: sessionType,
      session_id: sessionId,
      thread_id: '',
    };
    const message = await this.#store.createOutgoing(key, parsed, textOfChain(parsed));
    const outgoing = outgoingOf(message, { piece: 0, idempotency_token: message.uuid }, null);
    const sent = await adapter.send({ ...outgoing, message_chain: parsed }).catch(async (error: unknown) => {
      const failure =
        error instanceof ParleyError
          ? error
          : new ParleyError('platform_failed', 'The platform did not take the message', { cause: error });
      this.#runtime.tell(bot.uuid, undelivered(message, failure));
      await this.#store.settleDelivery(message.uuid, 0, failedOutcome(failure));
      throw failure;
    });
    await this.#store.settleDelivery(message.uuid, 0, sentOutcome(sent));
  }
}

function refuseUnsupported(chain: MessageChain, supported: readonly string[]): void {
  const index = chain.findIndex((element) => !supported.includes(element.type));
  if (index < 0) return;
  const message = `this platform cannot carry ${chain[index]?.type}`;
  throw new ParleyError('unsupported_element', `message_chain[${index}]: ${message}`, {
    details: [{ path: `message_chain[${index}].type`, message }],
  });
}
