import type { MediaReference, MessageElement, MessageEvent } from '@parley/sdk';
import { listOf, objectOf, textOf } from '../../lib/loose-values.ts';
import { storableText } from '../../lib/storable-text.ts';
import { quoteOf } from './quote.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The latest valid date, milliseconds since 1970. */
const latestDate = 8_640_000_000_000_000;
/** Parts of a rich text, and mentions, that are read. */
const mostParts = 500;
const longestWebhook = 2000;

/** What an incoming message is read with. */
export interface Reader {
  /** The bot's account, which mentions of it carry. */
  accountId: string;
  /** Name of the robot; empty if it was not entered. */
  robotName: string;
  /** Whether the address to answer to may be called. */
  mayCall(webhook: string): boolean;
}

export interface ParsedMessage {
  event: MessageEvent;
  /** Its kind, if that is not known. */
  unknown: string | null;
  /** The address to answer to was not one of DingTalk. */
  hasForeignWebhook: boolean;
}

/**
 * Parses a message to the bot leniently.
 * @returns null if it is not a user's message, or has no content
 * @see https://open.dingtalk.com/document/orgapp/receive-message
 */
export function parseMessage(message: Fields, reader: Reader): ParsedMessage | null {
  const id = textOf(message.msgId);
  const chat = textOf(message.conversationId);
  // Users outside the company have an encrypted id only.
  const user = textOf(message.senderStaffId) || textOf(message.senderId);
  const isPerson = String(message.conversationType) === '1';
  if (id === '' || user === '' || (!isPerson && chat === '')) return null;
  const botId = textOf(message.chatbotUserId);
  if (botId !== '' && message.senderId === botId) return null;
  const content = new ContentReader(message, reader.robotName).read();
  const { quote, isOfBot } = quoteOf(message, botId);
  if (content.elements.length === 0 && quote.length === 0) return null;
  const mentions = isPerson ? [] : mentionsIn(message, botId, reader.accountId);
  const createdAt = Number(message.createAt);
  const isDated =
    message.createAt !== undefined && Number.isSafeInteger(createdAt) && Math.abs(createdAt) <= latestDate;
  const name = storableText(textOf(message.senderNick)).slice(0, 200);
  const group = storableText(textOf(message.conversationTitle)).slice(0, 200);
  const webhook = textOf(message.sessionWebhook);
  const mayAnswer = webhook !== '' && webhook.length <= longestWebhook && reader.mayCall(webhook);
  const source = { type: 'Source', id, timestamp: isDated ? Math.floor(createdAt / 1000) : 0 } as const;
  return {
    event: {
      platform_message_id: id,
      session_type: isPerson ? 'person' : 'group',
      session_id: isPerson ? user : chat,
      sender_id: user,
      ...(name === '' ? {} : { sender_name: name }),
      ...(isPerson
        ? {}
        : { facts: { ...(group === '' ? {} : { group_name: group }), bot_mentions: isOfBot ? ['reply'] : [] } }),
      message_chain: [source, ...quote, ...mentions, ...content.elements],
      ...(isDated ? { sent_at: new Date(createdAt).toISOString() } : {}),
      ...(content.media.length === 0 ? {} : { media: content.media }),
      ...(mayAnswer ? { reply_context: { value: { webhook }, ...expiryIn(message.sessionWebhookExpiredTime) } } : {}),
    },
    unknown: content.unknown,
    hasForeignWebhook: webhook !== '' && !mayAnswer,
  };
}

/** @param until milliseconds since 1970 */
function expiryIn(until: unknown): { expires_at?: string } {
  const time = Number(until);
  const isDate = until !== undefined && Number.isSafeInteger(time) && Math.abs(time) <= latestDate;
  return isDate ? { expires_at: new Date(time).toISOString() } : {};
}

/** The bot, if the message mentions it, and other users. The text does not say where they stood. */
function mentionsIn({ isInAtList, atUsers }: Fields, botId: string, accountId: string): MessageElement[] {
  const bot: MessageElement[] = isInAtList === true ? [{ type: 'At', target: accountId }] : [];
  const users = listOf(atUsers)
    .slice(0, mostParts)
    .map(objectOf)
    .filter(({ dingtalkId }) => dingtalkId !== botId)
    .map(({ staffId, dingtalkId }) => textOf(staffId) || textOf(dingtalkId))
    .filter((target) => target !== '' && target !== accountId);
  return [...bot, ...users.map((target): MessageElement => ({ type: 'At', target }))];
}

/** Reads the content of one message. */
class ContentReader {
  readonly elements: MessageElement[] = [];
  readonly media: MediaReference[] = [];
  unknown: string | null = null;
  readonly #message: Fields;
  readonly #robotName: string;

  constructor(message: Fields, robotName: string) {
    this.#message = message;
    this.#robotName = robotName.trim();
  }

  read(): this {
    const kind = textOf(this.#message.msgtype);
    const content = objectOf(this.#message.content);
    switch (kind) {
      case 'text':
        this.#addText(textOf(objectOf(this.#message.text).content));
        break;
      case 'richText':
        this.#addRichText(listOf(content.richText));
        break;
      case 'picture':
        this.#addFile('Image', content, 'picture.png');
        break;
      case 'audio':
        this.#addFile('Voice', content, 'voice.amr');
        this.#addText(textOf(content.recognition));
        break;
      case 'video':
        this.#addFile('File', content, `video.${/^\w{1,8}$/.exec(textOf(content.videoType))?.[0] ?? 'mp4'}`);
        break;
      case 'file':
        this.#addFile('File', content, textOf(content.fileName) || 'file');
        break;
      default:
        this.unknown = kind;
        this.elements.push({ type: 'Unknown', text: `[${kind.slice(0, 60) || 'Unknown message'}]` });
    }
    return this;
  }

  /** Its parts are texts and pictures. */
  #addRichText(parts: readonly unknown[]): void {
    let text = '';
    for (const part of parts.slice(0, mostParts).map(objectOf)) {
      if (typeof part.text === 'string') text += part.text;
      else if (textOf(part.downloadCode) !== '') {
        this.#addText(text);
        text = '';
        this.#addFile('Image', part, 'picture.png');
      }
    }
    this.#addText(text);
  }

  #addText(given: string): void {
    let text = storableText(given).trim();
    const name = `@${this.#robotName}`;
    const isMeant = this.#message.isInAtList === true && this.#robotName !== '' && this.elements.length === 0;
    if (isMeant && (text === name || /^\s$/.test(text.startsWith(name) ? text.charAt(name.length) : 'x'))) {
      text = text.slice(name.length).trim();
    }
    if (text !== '') this.elements.push({ type: 'Plain', text });
  }

  #addFile(type: 'Image' | 'Voice' | 'File', content: Fields, name: string): void {
    const code = textOf(content.downloadCode) || textOf(content.pictureDownloadCode);
    if (code === '') {
      this.elements.push({ type: 'Unknown', text: `[${type}]` });
      return;
    }
    const id = `${this.media.length + 1}`;
    this.elements.push(this.#elementOf(type, id, { name, duration: content.duration }));
    this.media.push({ id, name: storableText(name).slice(0, 200), value: { code } });
  }

  /** @param duration milliseconds */
  #elementOf(type: 'Image' | 'Voice' | 'File', id: string, { name, duration }: { name: string; duration: unknown }) {
    if (type === 'Image') return { type, image_id: id } as const;
    if (type === 'File') return { type, id, name: storableText(name).slice(0, 200) } as const;
    const length = Number(duration) / 1000;
    return {
      type,
      voice_id: id,
      ...(duration !== undefined && length >= 0 && length < 86_400 ? { length } : {}),
    } as const;
  }
}
