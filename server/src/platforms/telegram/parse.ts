import type { MessageChain, MessageElement, MessageEvent, PlatformNotice } from '@parley/sdk';
import type { ChatMemberUpdated, Message, MessageEntity, Update, User } from 'grammy/types';
import { mediaReferenceOf } from './attachments.ts';
import { attachmentsOf } from './parse-attachments.ts';
import { richText } from './parse-rich-text.ts';

/** The latest valid date, seconds since 1970. */
const latestDate = 8_640_000_000_000;

/** The bot's own account, to recognize mentions of it. */
export interface BotAccount {
  id: number;
  username: string;
}

/**
 * Parses an update leniently: missing and new fields are ignored.
 * @returns null if it is not a user's new message: edits, channel posts, service messages, messages of bots
 * @see https://core.telegram.org/bots/api#message
 */
export function parseUpdate({ message }: Update, bot: BotAccount): MessageEvent | null {
  return message === undefined ? null : parseMessage(message, bot);
}

/** Parses what became of a message, or of the bot; null if an update says nothing of that. */
export function parseNotice({ edited_message, my_chat_member }: Update, bot: BotAccount): PlatformNotice | null {
  if (edited_message !== undefined) {
    const edited = parseMessage(edited_message, bot);
    if (edited === null) return null;
    const { platform_message_id, message_chain } = edited;
    return { type: 'edited', platform_message_id, message_chain };
  }
  return my_chat_member === undefined ? null : parseMembership(my_chat_member);
}

/** @returns the notice that the bot was added to a group; null for any other change of its membership */
function parseMembership({ chat, date, old_chat_member, new_chat_member }: ChatMemberUpdated): PlatformNotice | null {
  const isGroup = chat?.type === 'group' || chat?.type === 'supergroup';
  const wasThere = isThere(old_chat_member);
  if (!isGroup || wasThere || !isThere(new_chat_member)) return null;
  const session_id = idText(chat.id, 'chat');
  const platform_event_id = `added/${session_id}/${date}`;
  return { type: 'bot_added', platform_event_id, session_type: 'group', session_id };
}

function isThere(member: ChatMemberUpdated['new_chat_member'] | undefined): boolean {
  return member !== undefined && !['left', 'kicked'].includes(member.status);
}

function parseMessage(message: NonNullable<Update['message']>, bot: BotAccount): MessageEvent | null {
  // Telegram's answers may name these chats, in which a bot speaks for others, as if they were its own.
  if (message.business_connection_id || message.guest_query_id) return null;
  const { chat, message_id, date } = message;
  const sender = senderOf(message);
  const isGroup = chat.type === 'group' || chat.type === 'supergroup';
  if (sender === null || !(isGroup || chat.type === 'private')) return null;
  const id = Number(idText(message_id, 'message'));
  // Message ids that only one user sees are reused; in a channel's inbox, replies need more than a chat.
  if (!(id > 0) || ('is_direct_messages' in chat && chat.is_direct_messages)) return null;

  const attachments = attachmentsOf(message);
  const content = [...contentOf(message, bot), ...attachments.map(({ element }) => element)];
  if (content.length === 0) return null;
  const quote = quoteOf(message, bot);
  const thread = message.is_topic_message ? message.message_thread_id : undefined;
  const session_id = idText(chat.id, 'chat');
  const isDated = Number.isSafeInteger(date) && Math.abs(date) <= latestDate;
  return {
    platform_message_id: `${session_id}/${id}`,
    session_type: isGroup ? 'group' : 'person',
    session_id,
    ...(thread === undefined ? {} : { thread_id: idText(thread, 'topic') }),
    sender_id: idText(sender.id, 'sender'),
    sender_name: sender.name,
    ...(isGroup && message.reply_to_message?.from?.id === bot.id ? { facts: { bot_mentions: ['reply'] } } : {}),
    message_chain: [
      { type: 'Source', id, timestamp: isDated ? date : 0 },
      ...(quote === null ? [] : [quote]),
      ...content,
    ],
    ...(isDated ? { sent_at: new Date(date * 1000).toISOString() } : {}),
    ...(attachments.length === 0 ? {} : { media: attachments.map(mediaReferenceOf) }),
  };
}

/**
 * An identifier as text, the same whether it came as a number or as a text.
 * @throws Error for anything else, such as a number that JSON cannot carry exactly: it might be another chat's
 */
function idText(id: unknown, of: string): string {
  const isExact = Number.isSafeInteger(id) || (typeof id === 'string' && /^-?[1-9]\d{0,15}$/.test(id));
  if (isExact && Number.isSafeInteger(Number(id))) return String(id);
  if (id === 0) return '0';
  throw new Error(`The identifier of the ${of} is unusable: ${JSON.stringify(id)?.slice(0, 40)}`);
}

/** A user, or the chat in whose name a message was sent; null for a bot or an automatically forwarded channel post. */
function senderOf({ from, sender_chat: inName, is_automatic_forward }: Message): { id: number; name: string } | null {
  if (is_automatic_forward) return null;
  if (inName !== undefined) return { id: inName.id, name: inName.title ?? inName.username ?? '' };
  return from === undefined || from.is_bot ? null : { id: from.id, name: nameOf(from) };
}

function nameOf({ first_name, last_name }: User): string {
  return last_name ? `${first_name} ${last_name}` : first_name;
}

/** The content of a message, without its files. */
function contentOf(message: Message, bot: BotAccount): MessageElement[] {
  if (message.text !== undefined) return textElements(message.text, message.entities ?? [], bot);
  if (message.caption !== undefined) return textElements(message.caption, message.caption_entities ?? [], bot);
  if (message.rich_message !== undefined) return textElements(richText(message.rich_message), [], bot);
  const text = describe(message);
  return text === null ? [] : [{ type: 'Unknown', text }];
}

/** Content without a matching element, as text. */
function describe({
  venue,
  location,
  contact,
  dice,
  poll,
  game,
  story,
  checklist,
  paid_media,
}: Message): string | null {
  const at = (place: { latitude: number; longitude: number }) => `${place.latitude}, ${place.longitude}`;
  if (venue) return `[Venue] ${venue.title}, ${venue.address} (${at(venue.location)})`;
  if (location) return `[Location] ${at(location)}`;
  if (contact)
    return `[Contact] ${[contact.first_name, contact.last_name, contact.phone_number].filter(Boolean).join(' ')}`;
  if (dice) return `[Dice] ${dice.emoji} ${dice.value}`;
  if (poll) return ['[Poll] ', poll.question, ...(poll.options ?? []).map(({ text }) => `\n- ${text}`)].join('');
  if (checklist) return ['[Checklist] ', checklist.title, ...checklist.tasks.map(({ text }) => `\n- ${text}`)].join('');
  if (game) return `[Game] ${game.title}`;
  if (story) return '[Story]';
  return paid_media ? '[Paid media]' : null;
}

/** A text with the mentions in it as elements. Offsets count UTF-16 code units, as strings here do. */
function textElements(text: string, entities: readonly MessageEntity[], bot: BotAccount): MessageElement[] {
  const elements: MessageElement[] = [];
  let end = 0;
  const addText = (until: number) => {
    if (until > end) elements.push({ type: 'Plain', text: text.slice(end, until) });
    return until;
  };
  for (const entity of entities.toSorted((left, right) => left.offset - right.offset)) {
    const written = text.slice(entity.offset, entity.offset + entity.length);
    if (entity.type === 'text_link' && entity.offset >= end && written !== entity.url) {
      // Readers of the plain text would not see the target of the link.
      end = addText(entity.offset + written.length);
      elements.push({ type: 'Plain', text: ` (${entity.url})` });
      continue;
    }
    const mention = mentionIn(entity, written, bot);
    if (mention === null || entity.offset < end || written === '') continue;
    const start = entity.offset + mention.keeps;
    addText(start);
    elements.push(mention.element);
    end = entity.offset + written.length;
  }
  addText(text.length);
  return elements;
}

/** @returns the mention, and how many characters before it stay text */
function mentionIn(
  entity: MessageEntity,
  written: string,
  bot: BotAccount,
): { element: MessageElement; keeps: number } | null {
  const at = (target: string, display: string, keeps = 0) => ({
    element: { type: 'At' as const, target, display },
    keeps,
  });
  if (entity.type === 'text_mention') return at(String(entity.user.id), written);
  if (entity.type === 'mention') {
    const name = written.replace(/^@/, '');
    return at(isName(name, bot) ? String(bot.id) : name, name);
  }
  // A command may name the bot it is for: /help@parrot_bot
  const [command = '', name = ''] = entity.type === 'bot_command' ? written.split('@') : [];
  return isName(name, bot) ? at(String(bot.id), name, command.length) : null;
}

function isName(name: string, bot: BotAccount): boolean {
  return name !== '' && name.toLowerCase() === bot.username.toLowerCase();
}

/** The message replied to, with its content; its files are named, not fetched. */
function quoteOf(message: Message, bot: BotAccount): MessageElement | null {
  const { reply_to_message: original, external_reply: elsewhere, quote, chat } = message;
  const quoted: MessageChain | null = quote === undefined ? null : [{ type: 'Plain', text: quote.text }];
  if (original !== undefined) {
    // Everything in a topic formally replies to the service message that started it.
    if (original.forum_topic_created !== undefined) return null;
    const sender = original.sender_chat?.id ?? original.from?.id;
    const files = attachmentsOf(original).map(({ element }) => element);
    return {
      type: 'Quote',
      id: original.message_id,
      ...(chat.type === 'private' ? {} : { group_id: chat.id }),
      ...(sender === undefined ? {} : { sender_id: String(sender) }),
      origin: [...(quoted ?? contentOf(original, bot)), ...files],
    };
  }
  if (elsewhere === undefined) return null;
  const files = attachmentsOf(elsewhere).map(({ element }) => element);
  return { type: 'Quote', origin: [...(quoted ?? []), ...files] };
}
