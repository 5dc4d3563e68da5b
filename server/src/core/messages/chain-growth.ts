import { isDeepStrictEqual } from 'node:util';
import type { MessageChain, MessageElement } from '@parley/sdk';

/** Whether a chain only adds to another: nothing that was there changes. */
export function isContinued(shown: MessageChain, chain: MessageChain): boolean {
  const [before, after] = [joined(shown), joined(chain)];
  return before.every((element, index) => {
    const now = after[index];
    const isLast = index === before.length - 1;
    if (isLast && element.type === 'Plain' && now?.type === 'Plain') return now.text.startsWith(element.text);
    return isDeepStrictEqual(element, now);
  });
}

/** Texts that follow each other are one. */
function joined(chain: MessageChain): MessageElement[] {
  const elements: MessageElement[] = [];
  for (const element of chain) {
    const last = elements.at(-1);
    if (element.type === 'Plain' && last?.type === 'Plain') {
      elements[elements.length - 1] = { ...last, text: last.text + element.text };
    } else if (element.type !== 'Plain' || element.text !== '') elements.push(element);
  }
  return elements;
}
