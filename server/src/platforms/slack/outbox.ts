import { type DeliveryTarget, ParleyError } from '@parley/sdk';
import { bytesOf, type OutgoingFile } from '../../kit/media/outgoing-file.ts';
import { isRefusal } from './failure.ts';
import { markOf } from './history.ts';
import { addressOf, messageId, type Place } from './message-id.ts';
import { fieldsOf, textOf } from './parse-event.ts';
import type { SlackApi } from './slack-api.ts';

/** Channels of direct messages that are remembered. */
const rememberedChannels = 1000;

/** Writes to channels, one message of Slack at a time, with one attempt each. */
export class Outbox {
  readonly #api: SlackApi;
  readonly #directChannel: (user: string) => string | undefined;
  readonly #opened = new Map<string, string>();

  /** @param directChannel the channel of direct messages with a user, if it is known */
  constructor(api: SlackApi, directChannel: (user: string) => string | undefined) {
    this.#api = api;
    this.#directChannel = directChannel;
  }

  /** @throws DeliveryError `unknown_target` for a user that does not exist */
  async placeOf({ session_type, session_id, thread_id }: DeliveryTarget): Promise<Place> {
    const channel = session_type === 'group' ? session_id : await this.#channelWith(session_id);
    return thread_id === '' ? { channel } : { channel, thread_ts: thread_id };
  }

  /** @param mark finds it in its channel. @returns the id of the message */
  async post(place: Place, text: string, mark: string): Promise<string> {
    const params = { ...place, ...markOf(mark), text, mrkdwn: true, unfurl_links: false, unfurl_media: false };
    const limit = `chat.postMessage ${place.channel}`;
    const { body } = await this.#api.call('chat.postMessage', params, { limit, scope: 'chat' });
    return messageId(textOf(body.channel) || place.channel, textOf(body.ts));
  }

  /** @returns false when the message cannot be changed any more */
  async edit(id: string, content: { text: string } | { markdown_text: string }): Promise<boolean> {
    try {
      await this.#api.call('chat.update', { ...addressOf(id), ...content }, { scope: 'chat', isRepeatable: true });
      return true;
    } catch (error) {
      if (isRefusal(error, 'message_not_found', 'edit_window_closed')) return false;
      throw error;
    }
  }

  async remove(id: string): Promise<void> {
    await this.#api.call('chat.delete', addressOf(id), { scope: 'chat', isRepeatable: true });
  }

  /**
   * Uploads a file in three steps; it is shown with the last.
   * @returns the id of the file, behind its channel: Slack does not name the message
   */
  async postFile(place: Place, file: OutgoingFile): Promise<string> {
    const asked = { filename: file.name, length: file.size };
    const { body } = await this.#api.call('files.getUploadURLExternal', asked, { isRepeatable: true });
    const [id, url] = [textOf(body.file_id), textOf(body.upload_url)];
    if (id === '' || url === '') throw new ParleyError('platform_failed', 'Slack gave no address for an upload');
    await this.#api.upload(url, await bytesOf(file));
    const { channel: channel_id, ...thread } = place;
    const params = { files: [{ id, title: file.name }], channel_id, ...thread };
    await this.#api.call('files.completeUploadExternal', params, { scope: 'chat' });
    return `${channel_id}/${id}`;
  }

  async #channelWith(user: string): Promise<string> {
    const known = this.#directChannel(user) ?? this.#opened.get(user);
    if (known !== undefined) return known;
    const { body } = await this.#api.call('conversations.open', { users: user }, { scope: 'chat', isRepeatable: true });
    const channel = textOf(fieldsOf(body.channel).id);
    if (channel === '') throw new ParleyError('unknown_target', 'Slack opens no direct messages with this user');
    if (this.#opened.size >= rememberedChannels) this.#opened.clear();
    this.#opened.set(user, channel);
    return channel;
  }
}
