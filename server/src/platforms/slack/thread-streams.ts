import { DeliveryError, type RepliedMessage } from '@parley/sdk';
import { isRefusal } from './failure.ts';
import { addressOf, messageId, type Place } from './message-id.ts';
import { textOf } from './parse-event.ts';
import type { SlackApi } from './slack-api.ts';

/** Refusals that every stream of the app in its workspace would get. */
const lasting = [
  'unknown_method',
  'method_deprecated',
  'deprecated_endpoint',
  'not_allowed_token_type',
  'missing_scope',
  'no_permission',
  'access_denied',
  'feature_not_enabled',
  'enterprise_is_restricted',
];

/**
 * Messages in threads to which text is added while it is generated.
 * @see https://docs.slack.dev/reference/methods/chat.startStream
 */
export class ThreadStreams {
  readonly #api: SlackApi;
  readonly #team: string;
  #isRefused = false;

  /** @param team the workspace of the bot, and of who asks */
  constructor(api: SlackApi, team: string) {
    this.#api = api;
    this.#team = team;
  }

  /** Whether an answer may be a stream: in a thread, to a user, unless Slack has refused streams. */
  isOffered({ thread_ts }: Place, question: RepliedMessage | null): boolean {
    return thread_ts !== undefined && question !== null && !this.#isRefused;
  }

  /**
   * Starts a message.
   * @returns its id; null when Slack takes no stream now, so that the text has to be sent in another way
   * @throws DeliveryError when Slack cannot be reached, or the message may have arrived
   */
  async start(place: Place, user: string, markdown_text: string): Promise<string | null> {
    const recipient = { recipient_user_id: user, recipient_team_id: this.#team };
    try {
      const { body } = await this.#api.call(
        'chat.startStream',
        { ...place, ...recipient, markdown_text },
        { scope: 'chat' },
      );
      return messageId(textOf(body.channel) || place.channel, textOf(body.ts), true);
    } catch (error) {
      this.#isRefused ||= isRefusal(error, ...lasting);
      // About 20 streams a minute may be started; more messages may be sent.
      const isLimited = error instanceof DeliveryError && error.rateLimit !== undefined;
      if (isLimited || isRefusal(error)) return null;
      throw error;
    }
  }

  /** Adds text. What stands is not known after an unknown outcome; an edit replaces it then. */
  async append(id: string, markdown_text: string): Promise<void> {
    const params = { ...addressOf(id), markdown_text };
    await this.#api.call('chat.appendStream', params, { scope: 'chat', isRepeatable: true });
  }

  /** Ends a stream, with a last text. The message can be edited then. */
  async stop(id: string, markdown_text = ''): Promise<void> {
    const params = markdown_text === '' ? addressOf(id) : { ...addressOf(id), markdown_text };
    await this.#api.call('chat.stopStream', params, { scope: 'chat', isRepeatable: true });
  }
}
