import { type MessageChain, type MessageElement, type MessageElementType, textOfChain } from '@parley/sdk';
import { forwardedText } from '../../kit/forwarded-text.ts';
import { splitRendered } from '../../kit/rendering/split-rendered.ts';
import { storableText } from '../../lib/storable-text.ts';

/** The elements that a bot can carry by webhook, in one direction or both. */
export const webhookElements: readonly MessageElementType[] = ['Source', 'Plain', 'Image', 'Forward', 'Unknown'];
/** Those that the long connection carries. */
export const socketElements: readonly MessageElementType[] = [...webhookElements, 'Voice', 'File'];

/** Longest text of a message, bytes of UTF-8. @see https://developer.work.weixin.qq.com/document/path/101031 */
export const longestText = 20_480;
/** Pictures that the end of a stream may carry. */
const mostPictures = 10;

export type FileElement = Extract<MessageElement, { type: 'Image' | 'Voice' | 'File' }>;

/** A message of the platform: a text with pictures below it, or a file. A picture may have no text. */
export type RenderedPart = { text: string; pictures: readonly FileElement[] } | { file: FileElement };

/** The messages of a chain. Texts that are too long as rendered are several. */
export function renderChain(chain: MessageChain): RenderedPart[] {
  return splitChain(chain).map((part): RenderedPart => {
    const [file] = part;
    if (part.length === 1 && isFile(file)) return { file };
    const text = part.map(textOf).join('').trim();
    return { text, pictures: part.filter((element) => isFile(element)) };
  });
}

/** Splits a chain into chains that are one message each. Empty when it holds nothing that can be shown. */
export function splitChain(chain: MessageChain): MessageChain[] {
  const parts = splitRendered(chain, {
    most: longestText,
    rendered: textOf,
    plain: (element) => (element.type === 'Plain' ? element.text : textOfElement(element)),
    isAlone: isFile,
  });
  const joined: MessageChain[] = [];
  for (const part of parts) {
    const [picture] = part;
    const before = joined.at(-1);
    const takesIt = before !== undefined && !isFile(before[0]) && before.filter(isFile).length < mostPictures;
    if (picture?.type === 'Image' && takesIt) before.push(picture);
    else joined.push([...part]);
  }
  return joined;
}

function isFile(element: MessageElement | undefined): element is FileElement {
  return element?.type === 'Image' || element?.type === 'Voice' || element?.type === 'File';
}

function textOf(element: MessageElement): string {
  switch (element.type) {
    case 'Source':
    case 'Quote':
    case 'Image':
    case 'Voice':
    case 'File':
      return '';
    default:
      return withoutMentions(textOfElement(element));
  }
}

function textOfElement(element: MessageElement): string {
  if (element.type === 'Plain') return storableText(element.text);
  return storableText(element.type === 'Forward' ? forwardedText(element) : textOfChain([element]));
}

/** What a model wrote must notify no one. */
function withoutMentions(text: string): string {
  return text.replaceAll('<@', '<\u200b@');
}
