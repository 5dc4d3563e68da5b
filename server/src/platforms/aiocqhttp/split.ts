import { type MessageChain, type MessageElement, textOfChain } from '@parley/sdk';
import { textParts } from '../../kit/text-parts.ts';

/**
 * Longest text of a message, UTF-16 units. QQ documents none; its clients refuse texts of somewhat more than that.
 */
export const longestText = 4000;

/** Elements that are a message of their own on QQ. */
const alone: readonly MessageElement['type'][] = ['Voice', 'File', 'Forward'];

/** Splits a chain into chains that are one message of QQ each. Empty when it holds nothing that can be shown. */
export function splitChain(chain: MessageChain): MessageChain[] {
  const parts: MessageChain[] = [];
  let current: MessageChain = [];
  let size = 0;
  const end = () => {
    if (current.length > 0) parts.push(current);
    current = [];
    size = 0;
  };
  const add = (element: MessageElement, length: number) => {
    if (size + length > longestText) end();
    current.push(element);
    size += length;
  };
  for (const element of chain) {
    if (element.type === 'Source' || element.type === 'Quote') continue;
    if (alone.includes(element.type)) {
      end();
      parts.push([element]);
    } else if (element.type === 'Plain') {
      for (const text of textParts(element.text, { most: longestText, unit: 'utf16' })) {
        if (text !== '') add({ type: 'Plain', text }, text.length);
      }
    } else {
      add(element, element.type === 'Image' ? 0 : textOfChain([element]).length);
    }
  }
  end();
  return withQuote(chain, parts.filter(isVisible));
}

function isVisible(part: MessageChain): boolean {
  return part.some((element) => element.type !== 'Plain' || element.text.trim() !== '');
}

/** Voice messages and files cannot quote, so the first message that can does. */
function withQuote(chain: MessageChain, parts: readonly MessageChain[]): MessageChain[] {
  const quote = chain.find(({ type }) => type === 'Quote');
  const place = parts.findIndex(([first]) => first !== undefined && !alone.includes(first.type));
  return parts.map((part, index) => (quote !== undefined && index === place ? [quote, ...part] : part));
}
