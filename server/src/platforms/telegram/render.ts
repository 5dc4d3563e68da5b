import { type MessageChain, type MessageElement, type MessageElementType, textOfChain } from '@parley/sdk';
import { forwardedText } from '../../kit/forwarded-text.ts';
import { storableText } from '../../lib/storable-text.ts';
import { type FormattedText, joined, plainText, trimmed } from './formatted-text.ts';
import { formatMarkdown } from './markdown.ts';

/** The elements that Telegram can carry, in one direction or both. */
export const telegramElements: readonly MessageElementType[] = [
  'Source',
  'Plain',
  'Quote',
  'At',
  'Image',
  'Voice',
  'File',
  'Forward',
  'Unknown',
];

/** A file on its way out. One of the places it comes from is set; the first of them counts. */
export interface OutgoingMedia {
  kind: 'photo' | 'voice' | 'document';
  /** The content itself, as base64 or as a `data:` address. */
  base64?: string;
  /** Names a file that the service keeps. */
  path?: string;
  /** Where Telegram fetches it. */
  url?: string;
  /** Telegram's id of a file that it already has. */
  fileId?: string;
  name?: string;
  /** Whole seconds. */
  duration?: number;
}

/** A message for Telegram: texts and files, each a separate message there. */
export interface RenderedMessage {
  /** The message that is answered. */
  replyTo: number | null;
  parts: (FormattedText | OutgoingMedia)[];
}

/** @param markdown whether texts are Markdown; else they are shown as they are */
export async function renderChain(chain: MessageChain, markdown: boolean): Promise<RenderedMessage> {
  const message: RenderedMessage = { replyTo: null, parts: [] };
  let texts: FormattedText[] = [];
  const endText = () => {
    const text = trimmed(joined(texts));
    if (text.text !== '') message.parts.push(text);
    texts = [];
  };
  for (const element of chain) {
    const media = mediaOf(element);
    if (media !== null) {
      endText();
      message.parts.push(media);
    } else if (element.type === 'Quote') {
      message.replyTo ??= messageNumber(element.id);
    } else {
      texts.push(await textOf(element, markdown));
    }
  }
  endText();
  return message;
}

async function textOf(element: MessageElement, markdown: boolean): Promise<FormattedText> {
  switch (element.type) {
    case 'Plain': {
      const text = storableText(element.text);
      return markdown ? formatMarkdown(text) : plainText(text);
    }
    case 'At':
      return mention(String(element.target), element.display ?? '');
    case 'Forward':
      return plainText(storableText(forwardedText(element)));
    default:
      return plainText(storableText(textOfChain([element])));
  }
}

/** A mention by user name is plain text; a user known by id is mentioned with an entity. */
function mention(target: string, display: string): FormattedText {
  if (!/^\d+$/.test(target)) return plainText(`@${storableText(target).replace(/^@/, '')}`);
  const text = storableText(display).trim() || target;
  const user = { id: Number(target), is_bot: false, first_name: text };
  return { text, entities: [{ type: 'text_mention', offset: 0, length: text.length, user }] };
}

function mediaOf(element: MessageElement): OutgoingMedia | null {
  switch (element.type) {
    case 'Image':
      return { kind: 'photo', ...sourceOf(element, element.image_id) };
    case 'Voice': {
      const duration = element.length === undefined ? {} : { duration: Math.round(element.length) };
      return { kind: 'voice', ...sourceOf(element, element.voice_id), ...duration };
    }
    case 'File':
      return { kind: 'document', ...sourceOf(element, element.id), ...(element.name ? { name: element.name } : {}) };
    default:
      return null;
  }
}

type Source = { base64?: string | null; path?: string | null; url?: string | null };

function sourceOf({ base64, path, url }: Source, fileId: string | null | undefined): Partial<OutgoingMedia> {
  if (base64) return { base64 };
  if (path) return { path };
  if (url) return { url };
  return fileId ? { fileId } : {};
}

/** Telegram's message id: a number per chat, which may be prefixed with the chat (`1001/17`). */
function messageNumber(id: string | number | null | undefined): number | null {
  const number = Number(/[^/]*$/.exec(String(id ?? ''))?.[0]);
  return Number.isSafeInteger(number) && number > 0 ? number : null;
}
