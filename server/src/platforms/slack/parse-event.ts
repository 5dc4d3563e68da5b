import type { MediaReference, MessageElement, MessageEvent, PlatformNotice } from '@parley/sdk';
import { parseText } from './parse-text.ts';
import type { Fields } from './slack-api.ts';

/** The bot's own account, to recognize it. */
export interface BotAccount {
  user_id: string;
  bot_id: string | null;
  /** Of its workspace. */
  team_id: string;
}

/** What an event means to the service. */
export type ParsedEvent =
  | { type: 'message'; event: MessageEvent; channel: string; client_msg_id: string | null }
  | { type: 'notice'; notice: PlatformNotice };

/** Subtypes of messages with content of a user. @see https://docs.slack.dev/reference/events/message */
const subtypes = new Set(['', 'file_share', 'thread_broadcast', 'me_message']);

/** @returns null for an event that is nothing to answer */
export function parseEvent(event: Fields, account: BotAccount): ParsedEvent | null {
  if (event.type === 'member_joined_channel') return joined(event, account);
  if (event.type !== 'message' && event.type !== 'app_mention') return null;
  const subtype = textOf(event.subtype);
  if (subtype === 'message_changed') return changed(event, account);
  if (subtype === 'message_deleted') return deleted(event);
  if (!subtypes.has(subtype)) return null;
  return messageOf(event, account);
}

function messageOf(event: Fields, account: BotAccount): ParsedEvent | null {
  const [user, channel, ts] = [idOf(event.user), idOf(event.channel), timestampOf(event.ts ?? event.event_ts)];
  const isBot = event.bot_id !== undefined && event.bot_id !== null;
  if (user === null || channel === null || ts === null || isBot || user === account.user_id) return null;
  const files = listOf(event.files)
    .map(fileOf)
    .filter((file) => file !== null);
  const content = [...contentOf(event), ...files.map(({ element }) => element)];
  if (content.length === 0) return null;
  const isPerson = event.channel_type === 'im' || (event.channel_type === undefined && channel.startsWith('D'));
  const thread = timestampOf(event.thread_ts);
  const seconds = Number.parseFloat(ts);
  const mentions = [
    ...(!isPerson && event.parent_user_id === account.user_id ? (['reply'] as const) : []),
    ...(content.some(({ type }) => type === 'AtAll') ? (['everyone'] as const) : []),
  ];
  return {
    type: 'message',
    channel,
    client_msg_id: idOf(event.client_msg_id),
    event: {
      platform_message_id: `${channel}/${ts}`,
      session_type: isPerson ? 'person' : 'group',
      session_id: isPerson ? user : channel,
      thread_id: thread === null || thread === ts ? '' : thread,
      sender_id: user,
      sender_name: '',
      ...(mentions.length === 0 ? {} : { facts: { bot_mentions: mentions } }),
      message_chain: [{ type: 'Source', id: ts, timestamp: Math.trunc(seconds) }, ...content],
      sent_at: new Date(seconds * 1000).toISOString(),
      ...(files.length === 0 ? {} : { media: files.map(({ reference }) => reference) }),
    },
  };
}

/** The text, or what else a message shows. */
function contentOf({ text, blocks, attachments }: Fields): MessageElement[] {
  const written = parseText(textOf(text));
  if (written.length > 0 || (listOf(blocks).length === 0 && listOf(attachments).length === 0)) return written;
  const fallback = listOf(attachments).map((one) => textOf(fieldsOf(one).fallback) || textOf(fieldsOf(one).text));
  return [{ type: 'Unknown', text: fallback.filter(Boolean).join('\n') || '[Message with blocks]' }];
}

function fileOf(value: unknown): { element: MessageElement; reference: MediaReference } | null {
  const file = fieldsOf(value);
  const id = idOf(file.id);
  if (id === null) return null;
  const name = textOf(file.name) || textOf(file.title) || id;
  const [type, size] = [textOf(file.mimetype), typeof file.size === 'number' && file.size >= 0 ? file.size : null];
  const url = textOf(file.url_private_download) || textOf(file.url_private);
  const whole = size !== null && Number.isSafeInteger(size) ? { size } : {};
  const element: MessageElement = type.startsWith('image/')
    ? { type: 'Image', image_id: id }
    : type.startsWith('audio/')
      ? { type: 'Voice', voice_id: id }
      : { type: 'File', id, name, ...whole };
  return { element, reference: { id, name, value: { url, isPageExpected: type === 'text/html' } } };
}

function changed(event: Fields, account: BotAccount): ParsedEvent | null {
  const message = fieldsOf(event.message);
  const channel = idOf(event.channel);
  const previous = fieldsOf(event.previous_message);
  // Slack reports previews of links as changes, too.
  if (channel === null || textOf(previous.text) === textOf(message.text)) return null;
  const parsed = messageOf({ ...message, channel, channel_type: event.channel_type, type: 'message' }, account);
  if (parsed?.type !== 'message') return null;
  const { platform_message_id, message_chain } = parsed.event;
  return { type: 'notice', notice: { type: 'edited', platform_message_id, message_chain } };
}

function deleted(event: Fields): ParsedEvent | null {
  const [channel, ts] = [idOf(event.channel), timestampOf(event.deleted_ts)];
  if (channel === null || ts === null) return null;
  return { type: 'notice', notice: { type: 'recalled', platform_message_id: `${channel}/${ts}` } };
}

function joined({ user, channel, event_ts }: Fields, account: BotAccount): ParsedEvent | null {
  const id = idOf(channel);
  if (id === null || user !== account.user_id) return null;
  const platform_event_id = `joined/${id}/${textOf(event_ts)}`;
  const notice = {
    type: 'bot_added',
    session_type: 'group',
    session_id: id,
    thread_id: '',
    platform_event_id,
  } as const;
  return { type: 'notice', notice };
}

/** What names the action of a user that a message came of; null where that is not told. */
export function clientKeyOf({ channel, client_msg_id }: Fields): string | null {
  const [where, action] = [idOf(channel), idOf(client_msg_id)];
  return where === null || action === null ? null : `${where}/${action}`;
}

export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value.slice(0, 100) : [];
}

function idOf(value: unknown): string | null {
  return typeof value === 'string' && /^[\w-]{1,64}$/.test(value) ? value : null;
}

/** `1712345678.000100`: seconds, and a number that makes it unique in its channel. */
function timestampOf(value: unknown): string | null {
  return typeof value === 'string' && /^\d{1,11}\.\d{1,9}$/.test(value) ? value : null;
}
