import type { MediaReference, MessageElement, MessageEvent } from '@parley/sdk';
import { listAt, recordAt, textAt } from '../../kit/services/values.ts';
import { present } from '../../lib/clock.ts';
import { storableText } from '../../lib/storable-text.ts';

type Body = Record<string, unknown>;

/** What is stored of a file until it is fetched. Its address is valid for 5 minutes. */
export interface StoredFile {
  url: string;
  /** Key that it is encrypted with, base64; empty for that of the webhook. */
  key: string;
}

export interface ParsedMessage {
  event: Omit<MessageEvent, 'reply_context'>;
  /** Kind of content that is not known; null when all are. */
  unknown: string | null;
}

/** Who is mentioned in groups. */
export interface BotNames {
  accountId: string;
  /** Display name; empty if unknown. */
  name: string;
}

/** Parts of a message that are read. */
const mostParts = 100;

/** Where a message or an event belongs to. */
export function chatIn(body: Body): Pick<MessageEvent, 'session_type' | 'session_id' | 'sender_id'> | null {
  const sender_id = idAt(recordAt(body, 'from'), 'userid');
  const isGroup = body.chattype === 'group';
  const session_id = isGroup ? idAt(body, 'chatid') : sender_id;
  if (sender_id === '' || session_id === '') return null;
  return { session_type: isGroup ? 'group' : 'person', session_id, sender_id };
}

/**
 * Reads a message as both modes deliver it.
 * @returns null for what is no message of a user, or has no content
 * @see https://developer.work.weixin.qq.com/document/path/100719
 */
export function parseMessage(body: Body, bot: BotNames): ParsedMessage | null {
  const id = idAt(body, 'msgid');
  const chat = chatIn(body);
  if (id === '' || chat === null || typeof body.msgtype !== 'string') return null;
  const reader = new ContentReader(id);
  const content = reader.elementsOf(body);
  const quote = Object.keys(recordAt(body, 'quote'));
  const quoted: MessageElement[] =
    quote.length === 0 ? [] : [{ type: 'Quote', origin: reader.elementsOf(recordAt(body, 'quote')) }];
  const chain = chat.session_type === 'group' ? withMention(content, bot) : content;
  if (chain.length === 0 && quoted.length === 0) return null;
  const seconds = body.create_time;
  const isDated = typeof seconds === 'number' && Number.isSafeInteger(seconds) && seconds > 0 && seconds < 1e11;
  const timestamp = isDated ? seconds : Math.floor(present() / 1000);
  return {
    event: {
      platform_message_id: id,
      ...chat,
      message_chain: [{ type: 'Source', id, timestamp }, ...quoted, ...chain],
      ...(isDated ? { sent_at: new Date(timestamp * 1000).toISOString() } : {}),
      ...(reader.media.length === 0 ? {} : { media: reader.media }),
    },
    unknown: reader.unknown,
  };
}

/** Group messages arrive only if they mention the bot; their text starts with its name. */
function withMention(content: MessageElement[], { accountId, name }: BotNames): MessageElement[] {
  const place = content.findIndex(({ type }) => type === 'Plain');
  const first = content[place];
  const said = first?.type === 'Plain' ? first.text.trimStart() : '';
  const isNamed = name !== '' && said.startsWith(`@${name}`);
  const [, shown = ''] = isNamed ? [null, name] : (/^@(\S*)/.exec(said) ?? []);
  const display = said.startsWith('@') ? shown : name;
  const mention: MessageElement = { type: 'At', target: accountId, ...(display === '' ? {} : { display }) };
  if (!said.startsWith('@')) return [mention, ...content];
  const text = said.slice(shown.length + 1).trimStart();
  return [mention, ...content.toSpliced(place, 1, ...plain(text))];
}

/** Turns content into elements, and numbers its files. */
class ContentReader {
  readonly media: MediaReference[] = [];
  unknown: string | null = null;
  readonly #messageId: string;

  constructor(messageId: string) {
    this.#messageId = messageId;
  }

  elementsOf(part: Body, isInside = false): MessageElement[] {
    const kind = textAt(part, 'msgtype');
    switch (kind) {
      case 'text':
      case 'voice':
        // Voice messages arrive as what was said.
        return plain(textAt(recordAt(part, kind), 'content'));
      case 'image': {
        const id = this.#add(part, kind, 'image');
        return id === null ? this.#unknownKind(kind) : [{ type: 'Image', image_id: id }];
      }
      case 'file':
      case 'video': {
        const { filename } = recordAt(part, kind);
        const name = typeof filename === 'string' && filename !== '' ? storableText(filename).slice(0, 200) : kind;
        const id = this.#add(part, kind, name);
        return id === null ? this.#unknownKind(kind) : [{ type: 'File', id, name }];
      }
      case 'link': {
        const { title, desc, url } = recordAt(part, kind);
        return plain([title, desc, url].filter((text) => typeof text === 'string' && text !== '').join('\n'));
      }
      case 'mixed':
        if (isInside) return this.#unknownKind(kind);
        return listAt(recordAt(part, kind), 'msg_item')
          .slice(0, mostParts)
          .flatMap((item) => this.elementsOf(recordAt({ item }, 'item'), true));
      default:
        return this.#unknownKind(kind);
    }
  }

  /** @returns the id of a file; null when it has no address */
  #add(part: Body, kind: string, name: string): string | null {
    const file = recordAt(part, kind);
    const url = textAt(file, 'url');
    if (url === '' || url.length > 4096) return null;
    const id = `${this.#messageId}-${this.media.length + 1}`;
    const value: StoredFile = { url, key: textAt(file, 'aeskey').slice(0, 100) };
    this.media.push({ id, name, value });
    return id;
  }

  #unknownKind(kind: string): MessageElement[] {
    this.unknown ??= kind;
    return [{ type: 'Unknown', text: `[${storableText(kind).slice(0, 60) || 'unknown'}]` }];
  }
}

function plain(text: string): MessageElement[] {
  const stored = storableText(text);
  return stored.trim() === '' ? [] : [{ type: 'Plain', text: stored }];
}

/** An identifier; empty for anything else. */
export function idAt(value: Body, field: string): string {
  const text = textAt(value, field);
  return /^[^\s\p{C}]{1,256}$/u.test(text) ? text : '';
}
