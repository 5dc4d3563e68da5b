import { ParleyError, type PlatformContext, type Reason } from '@parley/sdk';
import { type BotAccount, parseEvent } from './parse-event.ts';
import type { Fields } from './slack-api.ts';

/** After these, no later attempt would store a message. */
const lastingReasons: readonly Reason[] = ['invalid_request', 'too_large'];

/** Messages whose `client_msg_id` is remembered. */
const remembered = 2000;

/** Takes events, of webhooks and of sockets. */
export class Inbox {
  readonly #context: PlatformContext;
  readonly #account: BotAccount;
  /** Ids of messages by what their client called them: one action of a user has come as two messages. */
  readonly #byClient = new Map<string, string>();
  /** Channels of direct messages, by user. */
  readonly #direct = new Map<string, string>();

  constructor(context: PlatformContext, account: BotAccount) {
    this.#context = context;
    this.#account = account;
  }

  /** The channel of direct messages with a user, if one has been seen. */
  directChannel(user: string): string | undefined {
    return this.#direct.get(user);
  }

  /**
   * Takes one event. When it resolves, its message is stored, or there was nothing to store.
   * @throws when it should be delivered again
   */
  async take(event: Fields): Promise<void> {
    const parsed = parseEvent(event, this.#account);
    if (parsed === null) return;
    if (parsed.type === 'notice') return this.#stored(() => this.#context.receiveNotice(parsed.notice));
    const { event: message, client_msg_id, channel } = parsed;
    if (message.session_type === 'person') this.#direct.set(message.session_id, channel);
    const key = client_msg_id === null ? null : `${channel}/${client_msg_id}`;
    const known = key === null ? undefined : this.#byClient.get(key);
    if (known !== undefined && known !== message.platform_message_id) return;
    await this.#stored(() => this.#context.receive(message));
    if (key !== null) this.#remember(key, message.platform_message_id);
  }

  #remember(key: string, id: string): void {
    this.#byClient.set(key, id);
    const [oldest] = this.#byClient.keys();
    if (this.#byClient.size > remembered && oldest !== undefined) this.#byClient.delete(oldest);
  }

  /** Drops what is refused for good: Slack would only repeat it. */
  async #stored(store: () => Promise<unknown>): Promise<void> {
    try {
      await store();
    } catch (error) {
      if (!(error instanceof ParleyError && lastingReasons.includes(error.reason))) throw error;
      this.#context.logger.warn({ bot: this.#context.bot_uuid, reason: error.reason }, 'a message was refused');
    }
  }
}
