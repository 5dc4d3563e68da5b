import type { MessageChain, MessageEvent, MessageFacts } from '@parley/sdk';
import type { ChainReader } from './chain-reader.ts';
import { type Chat, platformMessageId } from './chat.ts';
import { type Fields, fieldsOf, idOf, numberOf, textOf } from './fields.ts';
import { readSegments } from './segments.ts';

/** Longest name that is kept, UTF-16 units. */
const longestName = 255;
/** The latest valid date, seconds since 1970. */
const latestDate = 8_640_000_000_000;

const permissions: Readonly<Record<string, MessageFacts['sender_permission']>> = {
  owner: 'OWNER',
  admin: 'ADMINISTRATOR',
  member: 'MEMBER',
};

/** Where a message was sent, and by whom. */
export interface MessageOrigin extends Chat {
  message_id: string;
  sender_id: string;
}

/**
 * @returns null for what is no message of another user: one of the bot, or one without what identifies it
 * @see https://github.com/botuniverse/onebot-11/blob/master/event/message.md
 */
export function originOf(event: Fields, account: string | null): MessageOrigin | null {
  const [message_id, sender_id] = [idOf(event.message_id), idOf(event.user_id)];
  const isGroup = event.message_type === 'group';
  if (event.post_type !== 'message' || !(isGroup || event.message_type === 'private')) return null;
  const session_id = isGroup ? idOf(event.group_id) : sender_id;
  if (message_id === null || sender_id === null || session_id === null || sender_id === account) return null;
  return { session_type: isGroup ? 'group' : 'person', session_id, message_id, sender_id };
}

export interface ReadMessageOptions {
  reader: ChainReader;
  account: string | null;
  /** Whether the bot sent a message. */
  isOwn(messageId: string): boolean;
}

/** A message with what it quotes and forwards; null when it is empty. */
export async function readMessage(
  event: Fields,
  origin: MessageOrigin,
  { reader, account, isOwn }: ReadMessageOptions,
): Promise<MessageEvent | null> {
  const { session_type, session_id, message_id, sender_id } = origin;
  const content = await reader.read(readSegments(event.message ?? event.raw_message));
  if (content.length === 0) return null;
  const time = numberOf(event.time);
  const seconds = time !== null && Math.abs(time) <= latestDate ? Math.trunc(time) : null;
  const number = Number(message_id);
  const id = Number.isSafeInteger(number) && String(number) === message_id ? number : message_id;
  const facts = factsOf(event, origin, content, { account, isOwn });
  return {
    platform_message_id: platformMessageId(origin, message_id),
    session_type,
    session_id,
    sender_id,
    sender_name: senderName(event, session_type === 'group'),
    ...(Object.keys(facts).length === 0 ? {} : { facts }),
    message_chain: [{ type: 'Source', id, timestamp: seconds ?? 0 }, ...content],
    ...(seconds === null ? {} : { sent_at: new Date(seconds * 1000).toISOString() }),
    ...(reader.media.length === 0 ? {} : { media: reader.media }),
  };
}

/** In a group, users may have another name. */
function senderName(event: Fields, isGroup: boolean): string {
  const { card, nickname } = fieldsOf(event.sender);
  const names = [...(isGroup ? [card, fieldsOf(event.anonymous).name] : []), nickname].map(textOf);
  return (names.find((name) => name.trim() !== '') ?? '').slice(0, longestName);
}

function factsOf(
  event: Fields,
  { session_type }: MessageOrigin,
  content: MessageChain,
  { account, isOwn }: Pick<ReadMessageOptions, 'account' | 'isOwn'>,
): MessageFacts {
  if (session_type !== 'group') return {};
  const { role, title } = fieldsOf(event.sender);
  const permission = Object.hasOwn(permissions, textOf(role)) ? permissions[textOf(role)] : undefined;
  const group_name = textOf(event.group_name).slice(0, longestName);
  const special_title = textOf(title).slice(0, longestName);
  const isReply = content.some(
    (element) => element.type === 'Quote' && (element.sender_id === account || isOwn(String(element.id))),
  );
  const bot_mentions = [
    ...(isReply ? (['reply'] as const) : []),
    ...(content.some(({ type }) => type === 'AtAll') ? (['everyone'] as const) : []),
  ];
  return {
    ...(group_name === '' ? {} : { group_name }),
    ...(permission === undefined ? {} : { sender_permission: permission }),
    ...(special_title === '' ? {} : { special_title }),
    ...(bot_mentions.length === 0 ? {} : { bot_mentions }),
  };
}
