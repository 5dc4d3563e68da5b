import { type MessageChain, type MessageElement, type MessageElementType, textOfChain } from '@parley/sdk';
import { forwardedText } from '../../kit/forwarded-text.ts';
import { textParts } from '../../kit/text-parts.ts';
import { storableText } from '../../lib/storable-text.ts';
import { withoutTables } from './markdown.ts';

/** The elements that DingTalk can carry, in one direction or both. */
export const dingTalkElements: readonly MessageElementType[] = [
  'Source',
  'Plain',
  'Quote',
  'At',
  'Image',
  'Voice',
  'File',
  'Unknown',
];

/** Longest text of one message, and longest as rendered; the platform takes about 20,000. Bytes of UTF-8. */
export const longestText = 16_000;
const longestRendered = 20_000;

export type Media = Extract<MessageElement, { type: 'Image' | 'Voice' | 'File' }>;

export interface TextPart {
  /** Markdown. */
  text: string;
  /** The same, with mentions as the session webhook needs them: by id. */
  addressed: string;
  /** Ids of mentioned users. */
  mentions: string[];
}

/** What one message of the platform holds. */
export type RenderedPart = TextPart | { media: Media };

/** Splits a message so that each part is one message of the platform. */
export function split(chain: MessageChain): MessageChain[] {
  const messages: MessageChain[] = [];
  let texts: MessageChain = [];
  let size = 0;
  const end = () => {
    if (texts.length > 0) messages.push(texts);
    texts = [];
    size = 0;
  };
  const add = (element: MessageElement, length: number) => {
    if (size + length > longestText) end();
    texts.push(element);
    size += length;
  };
  for (const element of chain) {
    if (isMedia(element)) {
      end();
      messages.push([element]);
    } else if (element.type === 'Plain') {
      const parts = textParts(element.text, { most: longestText, unit: 'bytes' });
      for (const text of parts) add({ ...element, text }, Buffer.byteLength(text));
    } else if (element.type !== 'Source' && element.type !== 'Quote') {
      add(element, Buffer.byteLength(textOf(element)));
    }
  }
  end();
  return messages;
}

/** Messages without content are left out. */
export async function renderChain(chain: MessageChain): Promise<RenderedPart[]> {
  const rendered: RenderedPart[] = [];
  for (const message of split(chain)) {
    const [first] = message;
    if (first !== undefined && isMedia(first)) {
      rendered.push({ media: first });
      continue;
    }
    const text = await asMarkdown(message.map(textOf).join(''));
    if (text === '') continue;
    const mentions = message.flatMap((element) => (element.type === 'At' ? [String(element.target)] : []));
    const addressed = mentions.length === 0 ? text : await asMarkdown(message.map(addressedText).join(''));
    rendered.push({ text, addressed, mentions });
  }
  return rendered;
}

/** A table that takes more room without its syntax stays as it is. */
async function asMarkdown(given: string): Promise<string> {
  const text = given.trim();
  const rendered = await withoutTables(text);
  return Buffer.byteLength(rendered) <= longestRendered ? rendered : text;
}

function isMedia(element: MessageElement): element is Media {
  return element.type === 'Image' || element.type === 'Voice' || element.type === 'File';
}

function textOf(element: MessageElement): string {
  return storableText(element.type === 'Forward' ? forwardedText(element) : textOfChain([element]));
}

function addressedText(element: MessageElement): string {
  return element.type === 'At' ? `@${element.target}` : textOf(element);
}
