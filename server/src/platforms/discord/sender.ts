import type { DeliveryTarget, OutgoingMessage, PlatformContext, SendProgress, SentMessage } from '@parley/sdk';
import { ChatPace } from '../../kit/pace/chat-pace.ts';
import { noProgress } from '../../kit/streams/no-progress.ts';
import type { Directory } from './directory.ts';
import type { DiscordApi } from './discord-api.ts';
import { asDeliveryError, isRefusal } from './failure.ts';
import type { Format } from './markdown.ts';
import { Outbox } from './outbox.ts';
import { StreamedMessage } from './streamed-message.ts';
import type { Timing } from './timing.ts';

export interface SenderOptions {
  api: DiscordApi;
  directory: Directory;
  context: PlatformContext;
  format: Format;
  timing: Timing;
}

/** Sends messages, whole or while they are written. */
export class Sender {
  readonly #options: SenderOptions;
  readonly #outbox: Outbox;
  readonly #pace = new ChatPace();

  constructor(options: SenderOptions) {
    this.#options = options;
    this.#outbox = new Outbox(options.api, options.timing);
  }

  /** @throws DeliveryError with Discord's reason */
  async send(message: OutgoingMessage, progress?: SendProgress): Promise<SentMessage> {
    const { session_type, session_id } = message.target;
    try {
      return await this.stream(message, progress).finish(message.message_chain);
    } catch (error) {
      const failure = asDeliveryError(error);
      const isLost = session_type === 'person' && (failure.reason === 'unknown_target' || failure.reason === 'blocked');
      if (isLost) this.#options.directory.forgetDirectChannel(session_id);
      throw failure;
    }
  }

  stream(message: Omit<OutgoingMessage, 'message_chain'>, progress: SendProgress = noProgress): StreamedMessage {
    const { context, format, timing } = this.#options;
    const { target, idempotency_token } = message;
    return new StreamedMessage({
      channel: () => this.#channelOf(target),
      chat: chatOf(target),
      idempotencyToken: idempotency_token,
      outbox: this.#outbox,
      pace: this.#pace,
      format,
      intervalMs: timing.editMs,
      progress,
      context,
    });
  }

  /** Waits until another message may be sent into a channel. @throws the signal's reason */
  awaitTurn(target: DeliveryTarget, signal: AbortSignal): Promise<void> {
    const { sendMs, sendBurst } = this.#options.timing;
    return this.#pace.waitTurn(chatOf(target), { intervalMs: sendMs, burst: sendBurst }, signal);
  }

  /** @see https://docs.discord.com/developers/resources/channel#trigger-typing-indicator */
  async showTyping(target: DeliveryTarget): Promise<void> {
    const path = `/channels/${await this.#channelOf(target)}/typing`;
    await this.#options.api.call({ method: 'POST', path, isRepeatable: true });
  }

  /** Checks the connection. A refusal counts as an answer: sending will fail and report it. */
  async probe(): Promise<void> {
    await this.#options.api.call({ method: 'GET', path: '/users/@me' }).catch((error: unknown) => {
      if (!isRefusal(error)) throw asDeliveryError(error);
    });
  }

  async #channelOf({ session_type, session_id, thread_id }: DeliveryTarget): Promise<string> {
    if (session_type === 'group') return thread_id || session_id;
    return this.#options.directory.directChannelOf(session_id);
  }
}

/** Limits count for a channel; a thread is one. */
function chatOf({ session_type, session_id, thread_id }: DeliveryTarget): string {
  return `${session_type}/${thread_id || session_id}`;
}
