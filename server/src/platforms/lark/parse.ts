import type { MessageElement, MessageEvent, PlatformNotice } from '@parley/sdk';
import { listOf, objectOf, textOf } from '../../lib/loose-values.ts';
import type { LarkEvent } from './events.ts';
import { type Mention, parseContent } from './parse-content.ts';

/** The latest valid date, milliseconds since 1970. */
const latestDate = 8_640_000_000_000_000;

/** A message of a user, and what is to be looked up before it is stored. */
export interface ParsedMessage {
  event: MessageEvent;
  /** The message that it quotes; null if none. */
  quoted: string | null;
  /** Its kind, if that is not known. */
  unknown: string | null;
}

/**
 * Parses a received message leniently.
 * @returns null if it is not a user's message
 */
export function parseMessage({ content, tenant }: LarkEvent): ParsedMessage | null {
  const sender = objectOf(content.sender);
  const message = objectOf(content.message);
  const [id, chat, user] = [textOf(message.message_id), textOf(message.chat_id), openId(sender.sender_id)];
  // Bots see each other's messages in groups, and must not answer them.
  if (id === '' || user === '' || textOf(sender.sender_type) !== 'user') return null;
  const isPerson = textOf(message.chat_type) === 'p2p';
  if (!isPerson && chat === '') return null;
  const mentions = mentionsOf(message.mentions);
  const { elements, media, unknown } = parseContent({
    message_id: id,
    type: textOf(message.message_type),
    content: textOf(message.content),
    mentions,
  });
  if (elements.length === 0) return null;
  const createdAt = Number(message.create_time);
  const isDated =
    message.create_time !== undefined && Number.isSafeInteger(createdAt) && Math.abs(createdAt) <= latestDate;
  const thread = textOf(message.thread_id);
  const parent = textOf(message.parent_id);
  return {
    event: {
      platform_message_id: id,
      session_type: isPerson ? 'person' : 'group',
      session_id: isPerson ? user : chat,
      ...(isPerson || thread === '' ? {} : { thread_id: thread }),
      sender_id: user,
      ...(isPerson ? {} : { facts: { bot_mentions: elements.some(isEveryone) ? ['everyone'] : [] } }),
      message_chain: [{ type: 'Source', id, timestamp: isDated ? Math.floor(createdAt / 1000) : 0 }, ...elements],
      ...(isDated ? { sent_at: new Date(createdAt).toISOString() } : {}),
      ...(media.length === 0 ? {} : { media }),
      ...(tenant === '' ? {} : { reply_context: { value: { tenant } } }),
    },
    // Everything in a topic formally replies to the message that started it.
    quoted: parent === '' || (thread !== '' && parent === textOf(message.root_id)) ? null : parent,
    unknown: unknown ?? null,
  };
}

function isEveryone({ type }: MessageElement): boolean {
  return type === 'AtAll';
}

export function mentionsOf(mentions: unknown): Mention[] {
  return listOf(mentions)
    .slice(0, 500)
    .map(objectOf)
    .map(({ key, id, name }) => ({
      key: textOf(key),
      open_id: typeof id === 'string' ? id : openId(id),
      name: textOf(name),
    }));
}

function openId(ids: unknown): string {
  return textOf(objectOf(ids).open_id);
}

/** What happened to a message, or to the chats of the bot; null for other events. */
export function parseNotice({ id, type, content, tenant }: LarkEvent): PlatformNotice | null {
  const context = tenant === '' ? {} : { reply_context: { value: { tenant } } };
  switch (type) {
    case 'im.message.recalled_v1': {
      const platform_message_id = textOf(content.message_id);
      return platform_message_id === '' ? null : { type: 'recalled', platform_message_id };
    }
    case 'im.chat.member.bot.added_v1': {
      const session_id = textOf(content.chat_id);
      if (session_id === '' || id === '') return null;
      return { type: 'bot_added', platform_event_id: id, session_type: 'group', session_id, ...context };
    }
    case 'im.chat.access_event.bot_p2p_chat_entered_v1': {
      const session_id = openId(content.operator_id);
      // It comes whenever the chat is opened, and only the first time counts.
      if (session_id === '') return null;
      const platform_event_id = `entered ${session_id}`;
      return { type: 'bot_added', platform_event_id, session_type: 'person', session_id, ...context };
    }
    default:
      return null;
  }
}
