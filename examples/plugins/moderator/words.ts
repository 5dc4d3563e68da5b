import type { MessageChain, PluginStorage } from '@parley/sdk/plugin';

/** Keys of the storage: one for each word, so that two changes at once lose nothing, and its count. */
const wordKey = 'word/';
const countKey = 'count/';

/** Longest list; each message is compared with all of it. */
export const mostWords = 500;
export const longestWord = 100;

/** A word as it is stored and compared. */
export function normalized(word: string): string {
  return word.normalize('NFKC').trim().toLowerCase();
}

export async function wordList(storage: PluginStorage): Promise<string[]> {
  const keys = await storage.keys(wordKey);
  return keys.map((key) => key.slice(wordKey.length));
}

export async function addWord(storage: PluginStorage, word: string): Promise<void> {
  await storage.set(wordKey + word, true);
}

export async function removeWord(storage: PluginStorage, word: string): Promise<void> {
  await storage.delete(wordKey + word);
  await storage.delete(countKey + word);
}

export async function countWord(storage: PluginStorage, word: string): Promise<void> {
  await storage.add(countKey + word, 1);
}

export async function countOf(storage: PluginStorage, word: string): Promise<number> {
  return Number((await storage.get(countKey + word)) ?? 0);
}

/** The words of the list that a text has, wherever they stand in it. */
export function wordsIn(text: string, words: readonly string[]): string[] {
  const compared = normalized(text);
  return words.filter((word) => compared.includes(word));
}

/** Replaces the letters of words by stars. */
export function masked(chain: MessageChain, words: readonly string[]): MessageChain {
  const mask = (text: string) => words.reduce((before, word) => maskWord(before, word), text);
  return chain.map((element) => (element.type === 'Plain' ? { ...element, text: mask(element.text) } : element));
}

function maskWord(text: string, word: string): string {
  const lower = text.toLowerCase();
  // A letter that has another length in lower case moves what follows; such a text is compared as it is.
  const compared = lower.length === text.length ? lower : text;
  let result = text;
  for (let at = compared.indexOf(word); at !== -1; at = compared.indexOf(word, at + word.length)) {
    result = result.slice(0, at) + '*'.repeat(word.length) + result.slice(at + word.length);
  }
  return result;
}
