import type { MessageChain, MessageElement } from '@parley/sdk';
import { elementsOf } from './map-chain.ts';

/** A key grants access to a file, so it must not be guessable. */
export const fileKeyBits = 192;

const wholeKey = /^[A-Za-z0-9_-]{32}(?:\.[a-z]{3,4})?$/;
const addresses = /\/api\/v1\/files\/image\/([A-Za-z0-9_-]{32}(?:\.[a-z]{3,4})?)(?![A-Za-z0-9_-])/g;

/** Beyond any message of a user, and fewer than a statement may have parameters. */
const maximumKeys = 1000;

/** Whether a text may be the key of a file. */
export function isFileKey(text: string): boolean {
  return wholeKey.test(text);
}

/**
 * The keys of the files that a chain refers to, each once, the first 1000: by their key, or by the address of an image, also in
 * a text.
 */
export function fileKeysIn(chain: MessageChain): string[] {
  return [...new Set(elementsOf(chain).flatMap(keysOf).take(maximumKeys))];
}

function* keysOf(element: MessageElement): Generator<string, void> {
  const path = element.type === 'WeChatFile' ? element.file_path : 'path' in element ? element.path : null;
  if (typeof path === 'string' && isFileKey(path)) yield path;
  const text = element.type === 'Plain' ? element.text : 'url' in element ? element.url : null;
  if (typeof text === 'string') for (const [, key = ''] of text.matchAll(addresses)) yield key;
}
