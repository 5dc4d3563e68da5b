import { type MessageChain, type MessageElement, textOfChain } from '@parley/sdk';
import { firstPart, piecesOf } from './split-text.ts';
import { sizeOf, type TextSize } from './text-size.ts';

/**
 * A message of the platform, and the rest of the answer from its start on, which is read only for answers that are too
 * long.
 */
export interface Part {
  chain: MessageChain;
  rest(): MessageChain;
}

/** Sizes of the messages of an answer. */
export interface MessageSizes {
  first: TextSize;
  following: TextSize;
}

export const paragraph: MessageElement = { type: 'Plain', text: '\n\n' };

/** Elements outside of the message text; forwarded messages are displayed by the platform. */
export const besideText: readonly MessageElement['type'][] = ['Source', 'Quote', 'Image', 'Voice', 'File', 'Forward'];

/** Splits the messages of an answer, at most into so many parts; the rest of the last one is complete, its chain may not be. */
export function splitMessages(messages: readonly MessageChain[], sizes: MessageSizes, most: number): Part[] {
  const parts: Part[] = [];
  for (const [index, message] of messages.entries()) {
    if (parts.length >= most) break;
    const after = () => messages.slice(index + 1).flatMap((following) => [paragraph, ...following]);
    const own = index === 0 ? sizes : { ...sizes, first: sizes.following };
    for (const { chain, rest } of splitChain(message, own, most)) {
      parts.push({ chain, rest: () => [...rest(), ...after()] });
    }
  }
  return parts;
}

/** All texts of a message count together. A text that would start in a message that is nearly full starts in the next one. */
function splitChain(chain: MessageChain, { first, following }: MessageSizes, most: number): Part[] {
  const parts: Part[] = [{ chain: [], rest: () => chain }];
  let size = first;
  let used = 0;
  const next = (rest: () => MessageChain) => {
    parts.push({ chain: [], rest });
    size = following;
    used = 0;
  };
  for (const [index, element] of chain.entries()) {
    const fromHere = () => chain.slice(index);
    if (parts.length === most) break;
    const isLonger = used + textSize(element, size) > size.most;
    if (element.type !== 'Plain' || !isLonger) {
      if (used > 0 && isLonger) next(fromHere);
      parts.at(-1)?.chain.push(element);
      used += textSize(element, size);
      continue;
    }
    if (isNearlyFull(used, size)) next(fromHere);
    const source = element.text;
    let isFirst = true;
    for (const { start, end, before, after } of piecesOf(source, { limit: following, first: size, used })) {
      if (!isFirst) next(() => [{ ...element, text: before + source.slice(start) }, ...chain.slice(index + 1)]);
      const text = before + source.slice(start, end) + after;
      parts.at(-1)?.chain.push({ ...element, text });
      used += sizeOf(text, size.unit);
      isFirst = false;
      if (parts.length === most) break;
    }
  }
  return parts;
}

/** The content of the first message, whatever follows. */
export function firstMessage(chain: MessageChain, size: TextSize): MessageChain {
  const shown: MessageChain = [];
  let used = 0;
  for (const [index, element] of chain.entries()) {
    const isLonger = used + textSize(element, size) > size.most;
    if (element.type === 'Plain' && (index === chain.length - 1 || isLonger)) {
      if (isLonger && isNearlyFull(used, size)) return shown;
      return [...shown, { ...element, text: firstPart(element.text, { limit: size, used }) }];
    }
    if (used > 0 && isLonger) return shown;
    shown.push(element);
    used += textSize(element, size);
  }
  return shown;
}

/** Whether messages need not be split. */
export function allFit(messages: readonly MessageChain[], { first, following }: MessageSizes): boolean {
  return messages.every((chain, index) => {
    const size = index === 0 ? first : following;
    return chain.reduce((used, element) => used + textSize(element, size), 0) <= size.most;
  });
}

function textSize(element: MessageElement, { unit }: TextSize): number {
  return besideText.includes(element.type) ? 0 : sizeOf(textOfChain([element]), unit);
}

function isNearlyFull(used: number, { most }: TextSize): boolean {
  return used > most / 2;
}
