import type { MessageChain, MessageElement } from '@parley/sdk';
import { textParts } from '../text-parts.ts';

export interface RenderedSplit {
  /** Longest text of a message as rendered, bytes of UTF-8. */
  most: number;
  /** The text of an element in the format of the platform. */
  rendered(element: MessageElement): string;
  /** The text of an element before that, which is cut if it is too long. */
  plain(element: MessageElement): string;
  /** Whether an element is a message of its own, such as a file. */
  isAlone(element: MessageElement): boolean;
}

/** Splits a chain into chains that are one message of the platform each. Empty when it holds nothing that can be shown. */
export function splitRendered(chain: MessageChain, split: RenderedSplit): MessageChain[] {
  const parts: MessageChain[] = [];
  let current: MessageChain = [];
  let size = 0;
  const end = () => {
    if (current.some((element) => split.rendered(element).trim() !== '')) parts.push(current);
    current = [];
    size = 0;
  };
  for (const element of chain) {
    if (split.isAlone(element)) {
      end();
      parts.push([element]);
      continue;
    }
    for (const fitting of fittingParts(element, split, split.most)) {
      const length = Buffer.byteLength(split.rendered(fitting));
      if (size + length > split.most) end();
      current.push(fitting);
      size += length;
    }
  }
  end();
  return parts;
}

/** An element in pieces that fit as rendered. */
function fittingParts(element: MessageElement, split: RenderedSplit, most: number): MessageElement[] {
  if (Buffer.byteLength(split.rendered(element)) <= split.most || most < 100) return [element];
  return textParts(split.plain(element), { most, unit: 'bytes' }).flatMap((part) =>
    fittingParts({ type: 'Plain', text: part }, split, Math.floor(most / 2)),
  );
}
