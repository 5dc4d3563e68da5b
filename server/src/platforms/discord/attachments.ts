import { type MediaReference, type MessageElement, ParleyError, type PlatformContext } from '@parley/sdk';
import type { APIAttachment, APIMessage } from 'discord-api-types/v10';
import { failureKindOf } from '../../kit/failures/network-failure.ts';
import type { DiscordApi } from './discord-api.ts';
import { DiscordRefusal } from './failure.ts';
import { isId } from './target.ts';
import type { Timing } from './timing.ts';

/** A file of a message, with its element. */
export interface Attachment {
  element: Extract<MessageElement, { type: 'Image' | 'Voice' | 'File' }>;
  reference: MediaReference;
}

/** What is stored of a file until it is fetched. Its address expires, so the message that it is in is kept with it. */
interface Reference {
  url: string;
  channel_id: string;
  message_id: string;
  attachment_id: string;
}

export interface FetchOptions {
  api: Pick<DiscordApi, 'call'>;
  context: Pick<PlatformContext, 'fetch'>;
  timing: Timing;
  /** Ends the download. */
  signal: AbortSignal;
}

/** Flag of a message whose only file is a voice message. @see https://docs.discord.com/developers/resources/message#message-object-message-flags */
const voiceMessage = 1 << 13;

/** @param message where its files are found again */
export function attachmentsOf(
  list: unknown,
  message: Pick<APIMessage, 'id' | 'channel_id'> & Pick<Partial<APIMessage>, 'flags'>,
): Attachment[] {
  if (!Array.isArray(list)) return [];
  const isVoice = (Number(message.flags) & voiceMessage) !== 0;
  return list.flatMap((item: Partial<APIAttachment> | null) => {
    if (!isId(item?.id) || typeof item.url !== 'string') return [];
    const name = typeof item.filename === 'string' && item.filename !== '' ? item.filename : `file-${item.id}`;
    const { channel_id, id: message_id } = message;
    const value: Reference = { url: item.url, channel_id, message_id, attachment_id: item.id };
    return [{ element: elementOf(item, { id: item.id, name, isVoice }), reference: { id: item.id, name, value } }];
  });
}

function elementOf(
  { content_type: type = '', size, duration_secs: seconds }: Partial<APIAttachment>,
  { id, name, isVoice }: { id: string; name: string; isVoice: boolean },
): Attachment['element'] {
  if (/^image\//.test(type)) return { type: 'Image', image_id: id };
  if (isVoice || /^audio\//.test(type)) {
    const isTimed = typeof seconds === 'number' && seconds >= 0;
    return { type: 'Voice', voice_id: id, ...(isTimed ? { length: seconds } : {}) };
  }
  const isSized = Number.isSafeInteger(size) && Number(size) >= 0;
  return { type: 'File', id, name, ...(isSized ? { size: Number(size) } : {}) };
}

/**
 * Fetches a file from its address, or from the one that its message has now.
 * @param value of the {@link MediaReference}
 * @throws ParleyError `not_found` when the file is gone; otherwise a retry may succeed
 */
export async function fetchAttachment(value: unknown, options: FetchOptions): Promise<AsyncIterable<Uint8Array>> {
  const reference = value as Reference;
  const content =
    (await download(reference.url, options)) ?? (await download(await freshUrl(reference, options), options));
  if (content === null) throw new ParleyError('not_found', 'Discord does not provide the file any more');
  return content;
}

/** @returns null when the address has expired */
async function download(
  url: string,
  { context, timing, signal }: FetchOptions,
): Promise<AsyncIterable<Uint8Array> | null> {
  const ended = AbortSignal.any([signal, AbortSignal.timeout(timing.transferMs)]);
  const response = await context.fetch(url, { signal: ended, redirect: 'error' });
  if (response.status === 200 && response.body !== null) return response.body;
  await response.body?.cancel();
  if (failureKindOf(response.status) === 'refused') return null;
  throw new ParleyError('platform_failed', `Discord does not provide the file now (status ${response.status})`);
}

/** @throws ParleyError `not_found` */
async function freshUrl({ channel_id, message_id, attachment_id }: Reference, { api }: FetchOptions): Promise<string> {
  const gone = () => new ParleyError('not_found', 'The message with the file does not exist any more');
  try {
    const path = `/channels/${channel_id}/messages/${message_id}`;
    const message = await api.call<Partial<APIMessage>>({ method: 'GET', path });
    const files = [message, ...(message.message_snapshots ?? []).map((snapshot) => snapshot.message)].flatMap(
      ({ attachments = [] }) => attachments,
    );
    const file = files.find(({ id }) => id === attachment_id);
    if (file === undefined) throw gone();
    return file.url;
  } catch (error) {
    throw error instanceof DiscordRefusal && error.status !== 401 ? gone() : error;
  }
}
