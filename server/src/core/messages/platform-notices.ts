import { type BotAddedNotice, DeliveryError, type MessageChain, ParleyError, type PlatformNotice } from '@parley/sdk';
import type { BotRuntime } from '../bots/bot-runtime.ts';
import type { Message } from './message.ts';
import type { MessageEvents } from './message-events.ts';
import type { MessageSender } from './message-sender.ts';

export type WaitingMessage = Pick<Message, 'uuid' | 'conversation_uuid'>;

/** Messages that wait and that nothing was done about yet. Every method is atomic. */
export interface WaitingMessageStore {
  /** Ends one (`stopped`, `recalled`). @returns null when it is not known, or does not wait any more */
  recall(botUuid: string, platformMessageId: string): Promise<WaitingMessage | null>;
  /** Replaces the content of one. @returns false when it is not known, or does not wait any more */
  edit(botUuid: string, platformMessageId: string, chain: MessageChain): Promise<boolean>;
}

export interface GreetingStore {
  /** Whether a bot has not answered an event of its platform before; from now on, it has. */
  isFirst(botUuid: string, platformEventId: string): Promise<boolean>;
}

export interface PlatformNoticesOptions {
  waiting: WaitingMessageStore;
  greetings: GreetingStore;
  sender: Pick<MessageSender, 'welcome'>;
  runtime: Pick<BotRuntime, 'tell' | 'welcomeText'>;
  events: MessageEvents;
}

/** Takes changes of messages on platforms, and of the chats of bots. */
export class PlatformNotices {
  readonly #options: PlatformNoticesOptions;
  #closed = false;

  constructor(options: PlatformNoticesOptions) {
    this.#options = options;
  }

  /** Refuses notices from now on. */
  close(): void {
    this.#closed = true;
  }

  /**
   * A notice of a message that is not known, or is being answered, changes nothing. A welcome text is sent after this
   * resolves, at most once for an event.
   * @throws ParleyError `not_ready` while stopping, `invalid_request`
   */
  async receiveNotice(bot_uuid: string, notice: PlatformNotice): Promise<void> {
    if (this.#closed) throw new ParleyError('not_ready', 'The server is stopping');
    const { waiting, events } = this.#options;
    switch (notice.type) {
      case 'recalled': {
        const message = await waiting.recall(bot_uuid, notice.platform_message_id);
        if (message === null) return;
        return events.publish({ ...message, bot_uuid, direction: 'inbound' }, 'stopped', 'recalled');
      }
      case 'edited':
        await waiting.edit(bot_uuid, notice.platform_message_id, notice.message_chain);
        return;
      case 'bot_added':
        return this.#greet(bot_uuid, notice);
    }
  }

  async #greet(botUuid: string, notice: BotAddedNotice): Promise<void> {
    const { greetings, sender, runtime } = this.#options;
    if (notice.platform_event_id === '') throw new ParleyError('invalid_request', 'The event has no identifier');
    const text = runtime.welcomeText(botUuid);
    if (text === '' || !(await greetings.isFirst(botUuid, notice.platform_event_id))) return;
    sender.welcome(botUuid, notice, text).catch((error: unknown) => {
      // The result of an attempt is recorded by its sender.
      if (error instanceof DeliveryError) return;
      const cause = error instanceof Error ? error.message : String(error);
      runtime.tell(botUuid, {
        level: 'error',
        code: 'welcome_not_sent',
        reason: error instanceof ParleyError ? error.reason : null,
        text: `The welcome text was not sent: ${cause}`,
        message_session_id: `${notice.session_type}_${notice.session_id}`,
      });
    });
  }
}
