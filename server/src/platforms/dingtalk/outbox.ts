import { DeliveryError, type DeliveryTarget, ParleyError, type PlatformContext } from '@parley/sdk';
import { rateLimited } from '../../kit/failures/rate-limited.ts';
import { blobOf, type OutgoingFile, requiredFile } from '../../kit/media/outgoing-file.ts';
import { listOf, textOf } from '../../lib/loose-values.ts';
import type { DingTalkApi } from './dingtalk-api.ts';
import { asDeliveryError, DingTalkFailure, means } from './failure.ts';
import { titleOf } from './markdown.ts';
import type { Media, TextPart } from './render.ts';
import { SessionBudget } from './session-budget.ts';
import { isOutsider } from './target.ts';

/**
 * Upload limits, bytes.
 * @see https://open.dingtalk.com/document/orgapp/upload-media-files
 */
const [largestFile, largestVoice] = [20 * 1024 * 1024, 2 * 1024 * 1024];

/** Formats that are shown as a picture and played as a voice message; others are sent as files. */
const [pictures, voices] = [/\.(jpe?g|png|gif|bmp)$/i, /\.(amr|ogg|mp3|wav)$/i];

/** Stands for the id of a message that was sent with the session webhook, which tells none. */
export const noId = 'sent';

/** Where a message goes. */
export interface Place {
  target: DeliveryTarget;
  /** The address that came with the question; null for none. */
  webhook: string | null;
}

/** What is sent, in the form of the API. `msgParam` is sent as JSON in a text. */
interface Content {
  msgKey: 'sampleMarkdown' | 'sampleText' | 'sampleImageMsg' | 'sampleAudio' | 'sampleFile';
  msgParam: Record<string, string>;
}

export interface OutboxOptions {
  api: DingTalkApi;
  context: Pick<PlatformContext, 'readMedia' | 'fetchContent'>;
  robotCode: string;
  /** Texts are Markdown. */
  isMarkdown: boolean;
}

/** Writes to chats, one message of the platform at a time, with one attempt each. */
export class Outbox {
  readonly #options: OutboxOptions;
  readonly #budget = new SessionBudget();

  constructor(options: OutboxOptions) {
    this.#options = options;
  }

  /** Sends a text: with the session webhook while there is one, else as an unsolicited message. @returns its id */
  async sendText(place: Place, part: TextPart): Promise<string> {
    const { text } = part;
    if (place.webhook !== null && (await this.#answer(place.webhook, place.target, part))) return noId;
    const { isMarkdown } = this.#options;
    return this.#send(
      place.target,
      isMarkdown
        ? { msgKey: 'sampleMarkdown', msgParam: { title: titleOf(text), text } }
        : { msgKey: 'sampleText', msgParam: { content: text } },
    );
  }

  /** Uploads a file and sends it: session webhooks take none. @returns its id */
  async sendMedia({ target }: Place, media: Media): Promise<string> {
    return this.#send(target, await this.#uploaded(media));
  }

  /** @returns false when the session is over, so that nothing was sent */
  async #answer(webhook: string, target: DeliveryTarget, { addressed, mentions }: TextPart): Promise<boolean> {
    const { api, isMarkdown } = this.#options;
    const content = isMarkdown
      ? { msgtype: 'markdown', markdown: { title: titleOf(addressed), text: addressed } }
      : { msgtype: 'text', text: { content: addressed } };
    const json = { ...content, at: { atUserIds: mentions, isAtAll: false } };
    this.#budget.spend(target.session_id);
    try {
      await api.callWebhook(webhook, json, `webhook ${target.session_id}`);
      return true;
    } catch (error) {
      const isForeign = error instanceof ParleyError && error.reason === 'address_not_allowed';
      if (isForeign || means(error, 'session_over')) return false;
      throw error;
    }
  }

  /**
   * @see https://open.dingtalk.com/document/orgapp/chatbots-send-one-on-one-chat-messages-in-batches
   * @see https://open.dingtalk.com/document/orgapp/the-robot-sends-a-group-message
   */
  async #send(target: DeliveryTarget, { msgKey, msgParam }: Content): Promise<string> {
    const { api, robotCode } = this.#options;
    if (isOutsider(target)) throw unreachable;
    const message = { robotCode, msgKey, msgParam: JSON.stringify(msgParam) };
    if (target.session_type === 'group') {
      const json = { ...message, openConversationId: target.session_id };
      return idIn(await api.call({ path: '/v1.0/robot/groupMessages/send', json }));
    }
    const json = { ...message, userIds: [target.session_id] };
    const answer = await api.call({ path: '/v1.0/robot/oToMessages/batchSend', json });
    // A success may name users who got nothing.
    if (listOf(answer.invalidStaffIdList).includes(target.session_id)) throw unreachable;
    if (listOf(answer.flowControlledStaffIdList).includes(target.session_id)) {
      throw rateLimited('DingTalk limits messages to this user', { pauseMs: null, scope: 'chat' });
    }
    return idIn(answer);
  }

  /** Nothing is sent yet, so a failure is never `unknown`. @throws ParleyError `unsupported_element`; DeliveryError */
  async #uploaded(media: Media): Promise<Content> {
    const { api, context } = this.#options;
    const limit = { maximumBytes: largestFile, platform: 'DingTalk' };
    const file = await requiredFile(media, media.type.toLowerCase(), context, limit);
    const kind = kindOf(media, file);
    const form = new FormData();
    form.set('media', await blobOf(file), file.name);
    try {
      return contentOf(kind, await api.upload(kind, form), { media, file });
    } catch (error) {
      const failure = asDeliveryError(error);
      if (failure.kind !== 'unknown') throw failure;
      throw new DeliveryError('not_sent', failure.reason, `A file was not uploaded: ${failure.message}`);
    }
  }
}

/** @throws DingTalkFailure for what is no answer of DingTalk */
function idIn({ processQueryKey }: Record<string, unknown>): string {
  const id = textOf(processQueryKey);
  if (id === '') throw new DingTalkFailure('failed', 'The response names no message');
  return id;
}

const unreachable = new DeliveryError(
  'refused',
  'unknown_target',
  'DingTalk knows no such user of the company: others can only be answered within their session',
);

function kindOf({ type }: Media, { name, size }: OutgoingFile): 'image' | 'voice' | 'file' {
  if (type === 'Image' && pictures.test(name)) return 'image';
  return type === 'Voice' && voices.test(name) && size <= largestVoice ? 'voice' : 'file';
}

function contentOf(
  kind: 'image' | 'voice' | 'file',
  mediaId: string,
  { media, file }: { media: Media; file: OutgoingFile },
): Content {
  if (kind === 'image') return { msgKey: 'sampleImageMsg', msgParam: { photoURL: mediaId } };
  if (kind === 'voice') {
    const seconds = media.type === 'Voice' ? (media.length ?? 1) : 1;
    return { msgKey: 'sampleAudio', msgParam: { mediaId, duration: String(Math.round(seconds * 1000)) } };
  }
  const fileType = /\.([a-z0-9]{1,10})$/i.exec(file.name)?.[1]?.toLowerCase() ?? 'bin';
  return { msgKey: 'sampleFile', msgParam: { mediaId, fileName: file.name, fileType } };
}
