import { type MessageChain, type MessageElement, type MessageElementType, textOfChain } from '@parley/sdk';
import { forwardedText } from '../../kit/forwarded-text.ts';
import type { FileSource } from '../../kit/media/outgoing-file.ts';
import { splitRendered } from '../../kit/rendering/split-rendered.ts';
import { storableText } from '../../lib/storable-text.ts';
import { escaped, mrkdwn } from './mrkdwn.ts';

/** The elements that Slack can carry, in one direction or both. */
export const slackElements: readonly MessageElementType[] = [
  'Source',
  'Plain',
  'At',
  'AtAll',
  'Image',
  'Voice',
  'File',
  'Forward',
  'Unknown',
];

/** Longest text of a message, bytes of UTF-8: an edit cuts longer ones silently. */
export const longestText = 4000;

/** A message of Slack: a text in its format and as Markdown, or a file. */
export type RenderedPart = { text: string; markdown: string } | { file: FileSource; kind: string };

/** The messages of a chain. Texts that are too long as rendered are several. */
export function renderChain(chain: MessageChain): RenderedPart[] {
  return splitChain(chain).flatMap((part): RenderedPart[] => {
    const [first] = part;
    const file = first === undefined ? null : fileOf(first);
    if (file !== null) return [file];
    const text = part.map(textOf).join('').trim();
    return text === '' ? [] : [{ text, markdown: part.map(markdownOf).join('').trim() }];
  });
}

/** Splits a chain into chains that are one message of Slack each. Empty when it holds nothing that can be shown. */
export function splitChain(chain: MessageChain): MessageChain[] {
  return splitRendered(chain, {
    most: longestText,
    rendered: textOf,
    plain: (element) => (element.type === 'Plain' ? element.text : textOfElement(element)),
    isAlone: (element) => fileOf(element) !== null,
  });
}

function textOf(element: MessageElement): string {
  switch (element.type) {
    case 'Source':
    case 'Quote':
      return '';
    case 'Plain':
      return mrkdwn(storableText(element.text));
    case 'At': {
      const target = String(element.target);
      return /^[UW][A-Z0-9]{2,}$/.test(target) ? `<@${target}>` : escaped(textOfElement(element));
    }
    case 'AtAll':
      return '<!channel>';
    default:
      return escaped(textOfElement(element));
  }
}

/** As Slack's streams take it. They read mentions in it, so those that are no elements are broken. */
function markdownOf(element: MessageElement): string {
  switch (element.type) {
    case 'Source':
    case 'Quote':
      return '';
    case 'Plain':
      return withoutMentions(storableText(element.text));
    case 'At':
    case 'AtAll':
      return textOf(element);
    default:
      return withoutMentions(textOfElement(element));
  }
}

/** Adds an invisible character to what would notify. The start of a text stays the same when more text follows. */
function withoutMentions(markdown: string): string {
  return markdown.replace(/<(?:@(?=[UWS])|!(?=[ches]))/g, '$&\u2060');
}

function textOfElement(element: MessageElement): string {
  return storableText(element.type === 'Forward' ? forwardedText(element) : textOfChain([element]));
}

function fileOf(element: MessageElement): { file: FileSource; kind: string } | null {
  if (element.type === 'Image') return { file: element, kind: 'image' };
  if (element.type === 'Voice') return { file: element, kind: 'voice' };
  return element.type === 'File' ? { file: element, kind: 'file' } : null;
}
