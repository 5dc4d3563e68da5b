import { type MessageChain, type MessageElement, type MessageElementType, textOfChain } from '@parley/sdk';
import { forwardedText } from '../../kit/forwarded-text.ts';
import { storableText } from '../../lib/storable-text.ts';

/** The elements that the platform can carry, in one direction or both. */
export const larkElements: readonly MessageElementType[] = [
  'Source',
  'Plain',
  'Quote',
  'At',
  'AtAll',
  'Image',
  'Voice',
  'File',
  'Forward',
  'Unknown',
];

/** Longest content of rich text and cards, bytes of its JSON; and of plain text. */
export const longestRich = 30_000;
const longestPlain = 150_000;

type Media = Extract<MessageElement, { type: 'Image' | 'Voice' | 'File' }>;

/** What one message of the platform holds: a Markdown text, or a file. */
export type RenderedPart = { markdown: string } | { media: Media };

/** An outgoing message as messages of the platform. */
export interface RenderedMessage {
  /** The message that is quoted. */
  quotes: string | null;
  parts: RenderedPart[];
}

/** Texts between files become one message each. */
export function renderChain(chain: MessageChain): RenderedMessage {
  const rendered: RenderedMessage = { quotes: null, parts: [] };
  let text = '';
  const endText = () => {
    if (text.trim() !== '') rendered.parts.push({ markdown: text.trim() });
    text = '';
  };
  for (const element of chain) {
    if (isMedia(element)) {
      endText();
      rendered.parts.push({ media: element });
    } else if (element.type === 'Quote') {
      rendered.quotes ??= String(element.id ?? '') || null;
    } else text += textOf(element);
  }
  endText();
  return rendered;
}

function isMedia(element: MessageElement): element is Media {
  return element.type === 'Image' || element.type === 'Voice' || element.type === 'File';
}

/** Splits a message so that each part is one message of the platform. */
export function split(chain: MessageChain): MessageChain[] {
  const groups: MessageChain[] = [];
  let texts: MessageChain = [];
  const endTexts = () => {
    if (texts.some(({ type }) => type !== 'Quote' && type !== 'Source')) {
      groups.push(texts);
      texts = [];
    }
  };
  for (const element of chain) {
    if (!isMedia(element)) texts.push(element);
    else {
      endTexts();
      groups.push([...texts, element]);
      texts = [];
    }
  }
  if (texts.length > 0) groups.push(texts);
  return groups;
}

function textOf(element: MessageElement): string {
  switch (element.type) {
    case 'Plain':
      return withoutMentions(storableText(element.text));
    case 'At':
      return /^ou_[\w-]+$/.test(String(element.target))
        ? `<at user_id="${element.target}"></at>`
        : withoutMentions(storableText(`@${element.display || element.target}`));
    case 'AtAll':
      return '<at user_id="all"></at>';
    case 'Source':
      return '';
    case 'Forward':
      return withoutMentions(storableText(forwardedText(element)));
    default:
      return withoutMentions(storableText(textOfChain([element])));
  }
}

/** A tag that a model wrote must notify no one. */
function withoutMentions(text: string): string {
  return text.replaceAll(/<(?=\/?\s*at\b)/gi, '<\u200b');
}

/** The kind and the content of a message with a text. */
export function textMessage(markdown: string): { msg_type: 'post' | 'text'; content: string } {
  const content = JSON.stringify({ zh_cn: { content: [[{ tag: 'md', text: markdown }]] } });
  if (Buffer.byteLength(content) <= longestRich) return { msg_type: 'post', content };
  return { msg_type: 'text', content: JSON.stringify({ text: markdown.slice(0, longestPlain) }) };
}

/** The element of a card that holds its text. */
export const cardElement = 'answer';

/** A card with a text. @param isStreaming whether it looks as if more were to come */
export function cardOf(markdown: string, isStreaming: boolean): string {
  const text = markdown.replaceAll(/<at user_id="/g, '<at id="');
  return JSON.stringify({
    schema: '2.0',
    config: {
      streaming_mode: isStreaming,
      update_multi: true,
      summary: { content: isStreaming ? '…' : summaryOf(text) },
    },
    body: { elements: [{ tag: 'markdown', element_id: cardElement, content: text }] },
  });
}

/** What lists of chats show of a card. */
function summaryOf(text: string): string {
  return [...text.replaceAll(/\s+/g, ' ')].slice(0, 60).join('');
}
