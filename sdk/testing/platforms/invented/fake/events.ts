import { randomUUID } from 'node:crypto';
import type { FakeChat, FakeMedia, FakeMessage } from '../../fake-platform.ts';
import type { FakeChats } from './chats.ts';

/** A message of a user as events carry it. */
export interface WrittenMessage {
  id: string;
  chat: object;
  user: object;
  at: unknown;
  parts: unknown;
  quote?: object;
  reply?: object;
}

interface World {
  address: string;
  /** Of a server in a private network. */
  trap: string;
  now(): number;
  chats: FakeChats;
  known: ReadonlyMap<string, WrittenMessage>;
}

export function eventOf(kind: string, message?: WrittenMessage) {
  return { id: `event-${randomUUID()}`, kind, ...(message === undefined ? {} : { message }) };
}

export function written(id: string, given: FakeMessage & { chat: FakeChat }, world: World): WrittenMessage {
  const { chat, sender = 'user', sender_name = 'Ada', sent_at, quotes, kind } = given;
  const { session_type, session_id, thread_id } = chat;
  return {
    id,
    chat: { kind: session_type, id: session_id, ...(thread_id === '' ? {} : { thread: thread_id }) },
    user: userOf(sender, sender_name),
    at: kind === 'malformed' ? 'yesterday' : (sent_at?.getTime() ?? world.now()),
    parts: kind === 'malformed' ? [null, 7, { type: 'file', url: 7 }] : partsOf(given, world),
    ...(quotes === undefined ? {} : { quote: quoteOf(quotes, world) }),
  };
}

function userOf(sender: NonNullable<FakeMessage['sender']>, name: string): object {
  if (sender === 'the_bot') return { id: 'parrot', name: 'Parrot', bot: true };
  return sender === 'another_bot' ? { id: 'canary', name: 'Canary', bot: true } : { id: 'ada', name };
}

function partsOf({ text = 'Hello', media = [], mention, kind, depth }: FakeMessage, world: World): object[] {
  if (kind === 'empty') return [];
  if (kind === 'unknown') return [{ type: 'hologram', shape: 'cube' }];
  if (depth !== undefined) return [nested(depth)];
  const files = media.map((file) => fileOf(file, world));
  const isCaption = media.length > 0 && text === 'Hello';
  return [...mentionOf(mention), ...(isCaption ? [] : [{ type: 'text', text }]), ...files];
}

function mentionOf(mention: FakeMessage['mention']): object[] {
  if (mention === 'account') return [{ type: 'mention', who: 'user', id: 'parrot', name: 'Parrot' }];
  if (mention === 'other') return [{ type: 'mention', who: 'user', id: 'bob', name: 'Bob' }];
  if (mention === 'name') return [{ type: 'text', text: '@Parrot ' }];
  return mention === undefined ? [] : [{ type: 'mention', who: mention === 'role' ? 'role' : 'all', name: 'Birds' }];
}

function nested(depth: number): object {
  let part: object = { type: 'text', text: 'inside' };
  for (let level = 0; level < depth; level += 1) part = { type: 'bundle', parts: [part] };
  return part;
}

function fileOf({ kind, name, content, fault }: FakeMedia, { address, trap, chats }: World): object {
  const id = `${fault === 'forbidden' ? 'forbidden-' : ''}file-${chats.files.size + 1}`;
  if (fault !== 'gone') chats.files.set(id, { kind, name, content });
  const url = fault === 'private_address' ? `${trap}/files/${id}` : `${address}/files/${id}`;
  const isFalse = fault === 'wrong_type';
  return { type: 'file', kind, id, name, url, size: isFalse ? 1 : content.length, media: isFalse ? 'a/b' : undefined };
}

function quoteOf(id: string, { chats, known }: World): object {
  const shown = chats.messages.find((message) => message.id === id);
  if (shown !== undefined) return { id, user: 'parrot', text: shown.text };
  const message = known.get(id);
  return message === undefined ? { id } : { id, user: 'ada', text: 'Earlier' };
}
