import { digestOf } from '../../kit/streams/digest.ts';
import { isRefusal } from './failure.ts';
import { messageId, type Place } from './message-id.ts';
import { type BotAccount, fieldsOf, listOf, textOf } from './parse-event.ts';
import type { SlackApi } from './slack-api.ts';

const eventType = 'parley_message';
/** Messages that are looked through, the newest of a channel, or the oldest of a thread. */
const longestList = 100;

/**
 * What identifies a message of ours in its channel. Any app and user of the workspace may read it.
 * @see https://docs.slack.dev/messaging/message-metadata
 */
export function markOf(id: string): { metadata: object } {
  return { metadata: { event_type: eventType, event_payload: { id } } };
}

/** The mark of a message that starts as a stream, which takes no metadata: the letters of its first text. */
export function markOfStream(text: string): string {
  const letters = text.replaceAll(/[^\p{L}\p{N}]/gu, '');
  return letters === '' ? 'none' : `stream ${digestOf(letters)}`;
}

/** Messages that were sent, as the channel shows them. */
export class History {
  readonly #api: SlackApi;
  readonly #account: BotAccount;

  constructor(api: SlackApi, account: BotAccount) {
    this.#api = api;
    this.#account = account;
  }

  /**
   * Finds a message of the bot.
   * @param oldest timestamp of an earlier message
   * @returns its id; null when it is not among the latest messages, or the app may not read the channel
   * @throws DeliveryError
   */
  async find({ channel, thread_ts }: Place, mark: string, oldest: string): Promise<string | null> {
    const params = { channel, oldest, limit: longestList, include_all_metadata: true };
    const options = { scope: 'chat', isRepeatable: true } as const;
    try {
      const { body } = await (thread_ts === undefined
        ? this.#api.call('conversations.history', params, options)
        : this.#api.call('conversations.replies', { ...params, ts: thread_ts }, options));
      const own = listOf(body.messages)
        .map(fieldsOf)
        .filter(({ user, ts }) => user === this.#account.user_id && ts !== thread_ts);
      const marked = own.find(({ metadata }) => idIn(metadata) === mark);
      if (marked !== undefined) return messageId(channel, textOf(marked.ts));
      const [stream, ...others] = own.filter(({ text }) => markOfStream(textOf(text)) === mark);
      return stream === undefined || others.length > 0 ? null : messageId(channel, textOf(stream.ts), true);
    } catch (error) {
      if (isRefusal(error)) return null;
      throw error;
    }
  }
}

function idIn(metadata: unknown): string | null {
  const { event_type, event_payload } = fieldsOf(metadata);
  return event_type === eventType ? textOf(fieldsOf(event_payload).id) : null;
}
