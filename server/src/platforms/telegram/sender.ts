import type { DeliveryTarget, MessageChain, PlatformContext, SendProgress, SentMessage } from '@parley/sdk';
import type { ChatPace, Pace } from '../../kit/pace/chat-pace.ts';
import { noProgress } from '../../kit/streams/no-progress.ts';
import { type Chat, chatOf } from './chat.ts';
import type { Outbox } from './outbox.ts';
import { StreamedMessage } from './streamed-message.ts';
import type { Timing } from './timing.ts';
import type { Transport } from './transport.ts';
import { prepareMedia } from './uploads.ts';

export interface SenderOptions {
  transport: Transport;
  outbox: Outbox;
  pace: ChatPace;
  context: PlatformContext;
  markdown: boolean;
  timing: Timing;
}

/** Sends messages, whole or while they are written. */
export class Sender {
  readonly #options: SenderOptions;

  constructor(options: SenderOptions) {
    this.#options = options;
  }

  /** @throws DeliveryError with Telegram's reason */
  send(target: DeliveryTarget, chain: MessageChain, progress?: SendProgress): Promise<SentMessage> {
    return this.stream(target, progress).finish(chain);
  }

  /** Waits until another message may be sent into a chat. @throws the signal's reason */
  awaitTurn(target: DeliveryTarget, signal: AbortSignal): Promise<void> {
    const chat = chatOf(target);
    return this.#options.pace.waitTurn(chat.key, this.#paceOf(chat), signal);
  }

  stream(target: DeliveryTarget, progress: SendProgress = noProgress): StreamedMessage {
    const { outbox, pace, markdown, transport, context } = this.#options;
    const chat = chatOf(target);
    return new StreamedMessage(chat, {
      outbox,
      pace,
      markdown,
      progress,
      intervalMs: this.#intervalOf(chat),
      prepare: (media) => prepareMedia(media, transport, context),
    });
  }

  #paceOf({ isGroup }: Chat): Pace {
    const { personSendMs, groupSendMs, sendBurst } = this.#options.timing;
    return { intervalMs: isGroup ? groupSendMs : personSendMs, burst: sendBurst };
  }

  #intervalOf({ isGroup }: Chat): number {
    return isGroup ? this.#options.timing.groupEditMs : this.#options.timing.personEditMs;
  }
}
