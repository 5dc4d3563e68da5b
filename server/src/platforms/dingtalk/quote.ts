import type { MessageChain, MessageElement } from '@parley/sdk';
import { listOf, objectOf, textOf } from '../../lib/loose-values.ts';
import { storableText } from '../../lib/storable-text.ts';

/** Of a quoted card: elements that are read, and how deep they are nested. */
const [mostElements, deepest] = [500, 20];
const longestText = 20_000;

/** How files are shown in a quote, where they are named, not fetched. */
const placeholders: Readonly<Record<string, string>> = {
  picture: '[Image]',
  audio: '[Voice message]',
  video: '[Video]',
  file: '[File]',
};

/** The message that a message quotes, as an element; it comes with it. */
export interface ParsedQuote {
  /** Empty if there is none. */
  quote: MessageElement[];
  /** The bot wrote it. */
  isOfBot: boolean;
}

/**
 * Reads `repliedMsg`, whose content is in another field for each kind, and is absent for many messages of bots.
 * @param botId the bot's id as a sender
 */
export function quoteOf({ text, content }: Readonly<Record<string, unknown>>, botId: string): ParsedQuote {
  const replied = objectOf(objectOf(text).repliedMsg ?? objectOf(content).repliedMsg);
  const id = textOf(replied.msgId).slice(0, 500);
  if (id === '') return { quote: [], isOfBot: false };
  const sender = textOf(replied.senderId).slice(0, 500);
  const origin = originOf(textOf(replied.msgType), objectOf(replied.content));
  return {
    quote: [{ type: 'Quote', id, ...(sender === '' ? {} : { sender_id: sender }), origin }],
    isOfBot: botId !== '' && sender === botId,
  };
}

function originOf(kind: string, content: Readonly<Record<string, unknown>>): MessageChain {
  const placeholder = placeholders[kind];
  if (placeholder !== undefined) {
    return [{ type: 'Unknown', text: [placeholder, storableText(textOf(content.fileName))].join(' ').trim() }];
  }
  const rich = listOf(content.richText)
    .slice(0, mostElements)
    .map(objectOf)
    .map((part) => textOf(part.text) || textOf(part.content) || placeholders[textOf(part.msgType)] || '')
    .join('');
  const found = [content.text, content.content, rich, cardText(content.cardContent), content.summary, content.title];
  const text = storableText(found.map(textOf).find((one) => one.trim() !== '') ?? '').slice(0, longestText);
  return text.trim() === '' ? [] : [{ type: 'Plain', text: text.trim() }];
}

/** The visible text of a card: the values of the text elements in its tree. */
function cardText(tree: unknown): string {
  const texts: string[] = [];
  let elements = 0;
  const read = (value: unknown, depth: number) => {
    elements += 1;
    if (depth > deepest || elements > mostElements) return;
    const { elementType, value: text, children } = objectOf(value);
    if (elementType === 'TEXT') texts.push(textOf(text));
    for (const child of listOf(children)) read(child, depth + 1);
  };
  for (const root of Array.isArray(tree) ? tree : [tree]) read(root, 0);
  return texts.filter(Boolean).join('\n');
}
