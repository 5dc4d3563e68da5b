import { createCipheriv, createHash, randomBytes } from 'node:crypto';
import type { FakeMedia, FakeMessage } from '@parley/sdk/testing';

/** Names in the events. */
export interface EventNames {
  appId: string;
  botId: string;
  userId: string;
  now: number;
  /** Keys of the files of a message, in order. */
  keys: readonly string[];
  newId(prefix: string): string;
}

export const names = { chat: 'oc_team', thread: 'omt_topic', threadRoot: 'om_topicroot', botName: 'Parley' };

/** An event, version 2.0. */
export function event(type: string, content: unknown, { appId, now, newId }: EventNames): Record<string, unknown> {
  return {
    schema: '2.0',
    header: {
      event_id: newId('ev'),
      event_type: type,
      create_time: String(now),
      token: 'token',
      app_id: appId,
      tenant_key: 'tenant',
    },
    event: content,
  };
}

/** A message that a user, or another bot, wrote. */
export function messageEvent(
  id: string,
  message: FakeMessage,
  isPerson: boolean,
  from: EventNames,
): Record<string, unknown> {
  const { sender = 'user', quotes, chat, sent_at } = message;
  const { message_type, content, mentions } = contentOf(message, from);
  const senderId = sender === 'user' ? from.userId : sender === 'the_bot' ? from.botId : 'ou_otherbot';
  const inThread =
    !isPerson && chat?.thread_id
      ? { thread_id: chat.thread_id, root_id: names.threadRoot, parent_id: names.threadRoot }
      : {};
  return event(
    'im.message.receive_v1',
    {
      sender: {
        sender_id: { open_id: senderId, union_id: `on_${senderId}`, user_id: 'u1' },
        sender_type: sender === 'user' ? 'user' : 'app',
        tenant_key: 'tenant',
      },
      message: {
        message_id: id,
        ...inThread,
        ...(quotes === undefined
          ? {}
          : { parent_id: quotes === 'gone' ? 'om_gone' : quotes, root_id: quotes === 'gone' ? 'om_gone' : quotes }),
        create_time: String(sent_at?.getTime() ?? from.now),
        chat_id: isPerson ? 'oc_private' : chat?.session_id,
        chat_type: isPerson ? 'p2p' : 'group',
        message_type,
        content,
        ...(mentions.length === 0 ? {} : { mentions }),
      },
    },
    from,
  );
}

function contentOf(message: FakeMessage, from: EventNames) {
  const { text, media = [], kind, mention, depth } = message;
  if (kind === 'empty') return made('text', { text: '' });
  if (kind === 'unknown') return made('hologram', { text: 'A new kind' });
  if (kind === 'malformed')
    return { message_type: 'post', content: '{"content":[[{"tag":7},null,"x"],3', mentions: [] };
  if (depth !== undefined) return { message_type: 'interactive', content: nested(depth), mentions: [] };
  const mentioned = mentionOf(mention, from);
  const words = mentioned.text + (text ?? (media.length === 0 ? 'Hello' : ''));
  const [first] = media;
  if (first === undefined) return made('text', { text: words }, mentioned.mentions);
  if (media.length === 1 && words === '') return singleFile(first, String(from.keys[0]));
  const files = media.map(({ kind: type }, index) =>
    type === 'image'
      ? { tag: 'img', image_key: from.keys[index] }
      : { tag: 'media', file_key: from.keys[index], image_key: '' },
  );
  // In rich text, mentions are parts of their own.
  const [, key, rest = words] = /^(@_\w+) (.*)$/s.exec(words) ?? [];
  const said = [
    ...(key === undefined ? [] : [{ tag: 'at', user_id: key }]),
    ...(rest === '' ? [] : [{ tag: 'text', text: rest }]),
  ];
  const lines = [...(said.length === 0 ? [] : [said]), ...files.map((file) => [file])];
  return made('post', { title: '', content: lines }, mentioned.mentions);
}

function made(message_type: string, content: unknown, mentions: unknown[] = []) {
  return { message_type, content: JSON.stringify(content), mentions };
}

function singleFile({ kind, name }: FakeMedia, key: string) {
  if (kind === 'image') return made('image', { image_key: key });
  return kind === 'voice'
    ? made('audio', { file_key: key, duration: 2000 })
    : made('file', { file_key: key, file_name: name });
}

function mentionOf(mention: FakeMessage['mention'], { botId }: EventNames): { text: string; mentions: unknown[] } {
  const one = (open_id: string, name: string) => ({
    text: '@_user_1 ',
    mentions: [{ key: '@_user_1', id: { open_id, union_id: 'on_x', user_id: '' }, name, tenant_key: 'tenant' }],
  });
  switch (mention) {
    case 'account':
      return one(botId, names.botName);
    case 'other':
      return one('ou_other', 'Bob');
    case 'name':
      return { text: `@${names.botName} `, mentions: [] };
    case 'everyone':
      return { text: '@_all ', mentions: [] };
    default:
      return { text: '', mentions: [] };
  }
}

function nested(depth: number): string {
  return `${'{"elements":['.repeat(depth)}{"tag":"markdown","content":"deep"}${']}'.repeat(depth)}`;
}

/** The body of a request, encrypted with a key. */
export function encrypted(value: unknown, key: string): Buffer<ArrayBuffer> {
  const iv = randomBytes(16);
  const cipher = createCipheriv('aes-256-cbc', createHash('sha256').update(key).digest(), iv);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const encrypt = Buffer.concat([iv, cipher.update(text), cipher.final()]).toString('base64');
  return Buffer.from(JSON.stringify({ encrypt }));
}

/** The headers of a signed request. */
export function signed(body: Uint8Array, key: string, timestamp: number): Record<string, string> {
  const nonce = randomBytes(8).toString('hex');
  const seconds = String(Math.floor(timestamp / 1000));
  const signature = createHash('sha256').update(`${seconds}${nonce}${key}`).update(body).digest('hex');
  return {
    'content-type': 'application/json; charset=utf-8',
    'x-lark-request-timestamp': seconds,
    'x-lark-request-nonce': nonce,
    'x-lark-signature': signature,
  };
}
