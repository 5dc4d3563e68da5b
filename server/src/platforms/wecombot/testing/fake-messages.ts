import { type FakeChat, type FakeMedia, type FakeMessage, NotOfThisPlatform } from '@parley/sdk/testing';
import { secrets } from './fake-callbacks.ts';
import { type FakeConversations, ids } from './fake-conversations.ts';
import type { FakeServer } from './fake-server.ts';

type Fields = Record<string, unknown>;

export interface FakeMessagesOptions {
  conversations: FakeConversations;
  server: FakeServer;
  now: () => number;
  /** Id of the bot. */
  account: string;
  isWebhook: boolean;
}

/** A message of a user, as the bot gets it. */
export interface WrittenMessage {
  id: string;
  body: Fields;
  chat: FakeChat;
}

export const robotName = 'Parrot';

/** What users write and do. */
export class FakeMessages {
  readonly known = new Map<string, WrittenMessage>();
  readonly #options: FakeMessagesOptions;

  constructor(options: FakeMessagesOptions) {
    this.#options = options;
  }

  write(message: FakeMessage): WrittenMessage {
    const { conversations, server, now, account, isWebhook } = this.#options;
    const person: FakeChat = { session_type: 'person', session_id: ids.user, thread_id: '' };
    const { chat = person, sender = 'user', sent_at, quotes, depth } = message;
    if (sender !== 'user') throw new NotOfThisPlatform('messages of bots');
    const id = conversations.newId('msg');
    const isGroup = chat.session_type === 'group';
    const body = {
      msgid: id,
      aibotid: account,
      ...(isGroup ? { chatid: chat.session_id } : {}),
      chattype: isGroup ? 'group' : 'single',
      from: { userid: message.kind === 'malformed' ? 7 : ids.user },
      create_time: Math.floor((sent_at?.getTime() ?? now()) / 1000),
      response_url: isWebhook ? server.addReply(chat) : undefined,
      ...this.#contentOf(message, isGroup),
      ...(quotes === undefined && depth === undefined ? {} : { quote: this.#quoted(quotes, depth) }),
    };
    const written = { id, body, chat };
    this.known.set(id, written);
    return written;
  }

  event(event: Fields): Fields {
    const { conversations, now, account } = this.#options;
    const msgid = conversations.newId('event');
    const create_time = Math.floor(now() / 1000);
    const from = { userid: ids.user };
    return { msgid, create_time, aibotid: account, chattype: 'single', from, msgtype: 'event', event };
  }

  /** Group messages start with a mention of the bot: others do not arrive. */
  #contentOf({ text, media = [], kind, mention }: FakeMessage, isGroup: boolean): Fields {
    if (mention !== undefined && mention !== 'account') throw new NotOfThisPlatform(`a mention of ${mention}`);
    if (kind === 'unknown') return { msgtype: 'hologram', hologram: {} };
    if (kind === 'malformed') return { msgtype: 'text', text: ['Hello'] };
    const said = kind === 'empty' ? '' : (text ?? (media.length > 0 ? '' : 'Hello'));
    const content = isGroup ? `@${robotName} ${said}` : said;
    const [file, ...more] = media;
    if (file === undefined) return { msgtype: 'text', text: { content } };
    if (file.kind === 'voice') throw new NotOfThisPlatform('voice messages with their sound');
    if (file.kind === 'file') return { msgtype: 'file', file: this.#fileOf(file) };
    if (content === '' && more.length === 0) return { msgtype: 'image', image: this.#fileOf(file) };
    const texts = content === '' ? [] : [{ msgtype: 'text', text: { content } }];
    const pictures = media.map((one) => ({ msgtype: 'image', image: this.#fileOf(one) }));
    return { msgtype: 'mixed', mixed: { msg_item: [...texts, ...pictures] } };
  }

  #fileOf(media: FakeMedia): object {
    const { server, isWebhook } = this.#options;
    return server.addFile(media, isWebhook ? Buffer.from(`${secrets.EncodingAESKey}=`, 'base64') : null);
  }

  /** Quotes have content, and no id. */
  #quoted(quotes: string | undefined, depth: number | undefined): Fields {
    if (depth !== undefined) {
      let inner: Fields = { msgtype: 'text', text: { content: 'Inside' } };
      for (let level = 0; level < depth; level += 1) inner = { msgtype: 'mixed', mixed: { msg_item: [inner] } };
      return inner;
    }
    const { text } = (this.known.get(quotes ?? '')?.body ?? {}) as { text?: object };
    return { msgtype: 'text', text: text ?? { content: '' } };
  }
}
