import { type FakeChat, type FakeMedia, type FakeMessage, NotOfThisPlatform } from '@parley/sdk/testing';
import type { Message, MessageEntity } from 'grammy/types';
import type { FakeTelegram } from './fake-telegram.ts';
import { ada, bob, fileFields, forum, group, type IncomingMessage, incoming, parrot, privateChat } from './fixtures.ts';

const topic = 7;

/** The chats of the driver. */
export const chats = {
  person: { session_type: 'person', session_id: String(ada.id), thread_id: '' },
  group: { session_type: 'group', session_id: String(group.id), thread_id: '' },
  thread: { session_type: 'group', session_id: String(forum.id), thread_id: String(topic) },
} satisfies Record<string, FakeChat>;

interface World {
  fake: FakeTelegram;
  now(): number;
}

/** A message of a user as Telegram describes it. */
export function messageFields(
  message: FakeMessage,
  writtenAs: (id: string) => IncomingMessage | undefined,
  { fake, now }: World,
): IncomingMessage {
  const { chat = chats.person, kind, sent_at, depth, media = [] } = message;
  const fields: Partial<Message> = {
    ...chatFields(chat, message),
    date: Math.floor((sent_at?.getTime() ?? now()) / 1000),
    ...quoteFields(message.quotes, writtenAs, fake),
    ...contentFields(message),
    ...(media.length === 0 ? {} : mediaFields(media, fake)),
  };
  const complete = incoming(fields);
  if (kind === 'malformed') return { ...complete, chat: 7, text: { not: 'a text' } } as never;
  if (depth !== undefined) return nested(complete, depth);
  return complete;
}

function chatFields({ session_id, thread_id }: FakeChat, { sender, sender_name }: FakeMessage): Partial<Message> {
  const user = sender_name === undefined ? ada : { ...ada, first_name: sender_name };
  const bot = sender === 'the_bot' ? parrot : { ...bob, is_bot: true };
  const from = sender === undefined || sender === 'user' ? user : bot;
  if (session_id === String(ada.id)) return { from, chat: privateChat(user) as Message['chat'] };
  if (thread_id === '') return { from, chat: group };
  return { from, chat: forum, message_thread_id: topic, is_topic_message: true };
}

function contentFields({ text = 'Hello', kind, mention, media = [] }: FakeMessage): Partial<Message> {
  if (kind === 'empty') return { text: '' };
  if (kind === 'unknown') return { hologram: { shape: 'cube' } } as Partial<Message>;
  if (media.length > 0) return text === 'Hello' ? {} : { caption: text };
  const name = mentioned(mention);
  if (name === null) return { text };
  if (mention === 'name') return { text: `${name} ${text}` };
  const entities: MessageEntity[] = [{ type: 'mention', offset: 0, length: name.length }];
  return { text: `${name} ${text}`, entities };
}

function mentioned(mention: FakeMessage['mention']): string | null {
  if (mention === 'role' || mention === 'everyone') throw new NotOfThisPlatform(`mentions of ${mention}`);
  if (mention === undefined) return null;
  return { account: `@${parrot.username}`, name: parrot.first_name, other: '@bob' }[mention];
}

function quoteFields(
  id: string | undefined,
  writtenAs: (id: string) => IncomingMessage | undefined,
  fake: FakeTelegram,
): Partial<Message> {
  // Telegram leaves out what is gone.
  if (id === undefined || id === 'gone') return {};
  const quoted = writtenAs(id);
  if (quoted !== undefined) return { reply_to_message: quoted as never };
  const sent = fake.messages.find(({ chat_id, message_id }) => `${chat_id}/${message_id}` === id);
  if (sent === undefined) return {};
  const { message_id, text = '' } = sent;
  return { reply_to_message: { message_id, date: 0, chat: group, from: parrot, text } as never };
}

function mediaFields(media: readonly FakeMedia[], fake: FakeTelegram): Partial<Message> {
  const [first, ...others] = media as [FakeMedia, ...FakeMedia[]];
  if (others.length > 0) throw new NotOfThisPlatform('several files in one message');
  const { kind, name, content, fault } = first;
  if (fault === 'private_address') throw new NotOfThisPlatform('addresses of files');
  const id = `file-${name}`;
  if (fault !== 'gone') fake.addFile(id, content);
  if (fault === 'forbidden') fake.fail('file', { kind: 'page', status: 403 }, 5);
  const file = fileFields(id, fault === 'wrong_type' ? 1 : content.length);
  if (kind === 'image') return { photo: [{ ...file, width: 1, height: 1 }] };
  if (kind === 'voice') return { voice: { ...file, duration: 1 } };
  return { document: { ...file, file_name: name, mime_type: fault === 'wrong_type' ? 'image/png' : 'text/plain' } };
}

function nested(message: IncomingMessage, depth: number): IncomingMessage {
  let inner = message;
  for (let level = 0; level < depth; level += 1) inner = { ...message, reply_to_message: inner } as never;
  return inner;
}
