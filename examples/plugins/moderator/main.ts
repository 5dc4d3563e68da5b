import { definePlugin, textOfChain } from '@parley/sdk/plugin';
import type manifest from './manifest.ts';
import * as words from './words.ts';

export default definePlugin<typeof manifest>({
  listeners: {
    received: async ({ message_chain }, { host }) => {
      const found = words.wordsIn(textOfChain(message_chain), await words.wordList(host.storage));
      if (found.length === 0) return;
      for (const word of found) await words.countWord(host.storage, word);
      const { notice } = await host.settings();
      if (notice === '') return { action: 'stop' };
      return { action: 'answer', message_chain: [{ type: 'Plain', text: notice }] };
    },
    answer: async ({ message_chain }, { host }) => {
      const found = words.wordsIn(textOfChain(message_chain), await words.wordList(host.storage));
      if (found.length === 0) return;
      for (const word of found) await words.countWord(host.storage, word);
      return { action: 'change', message_chain: words.masked(message_chain, found) };
    },
  },
  pages: {
    words: async ({ endpoint, body }, { host: { storage } }) => {
      const list = await words.wordList(storage);
      const { word: given } = Object(body) as { word?: unknown };
      const word = words.normalized(typeof given === 'string' ? given : '');
      switch (endpoint) {
        case 'list':
          return await Promise.all(list.map(async (one) => ({ word: one, count: await words.countOf(storage, one) })));
        case 'add':
          if (word === '' || word.length > words.longestWord) {
            throw refused(`A word has 1 to ${words.longestWord} characters.`);
          }
          if (list.length >= words.mostWords) throw refused(`There may be ${words.mostWords} words.`);
          return await words.addWord(storage, word);
        case 'remove':
          return await words.removeWord(storage, word);
        default:
          throw Object.assign(new Error(`There is no endpoint ${endpoint}.`), { reason: 'not_found' });
      }
    },
  },
});

function refused(message: string): Error {
  return Object.assign(new Error(message), { reason: 'invalid_request' });
}
