import type { Random } from './seeded-random.ts';

const vocabulary = 50_000;
const syllables = [
  'ka',
  'lo',
  'mi',
  'ne',
  'pu',
  'ra',
  'sto',
  'ti',
  'vel',
  'zan',
  'bri',
  'dor',
  'fes',
  'gul',
  'hem',
  'jor',
];

/** Words that are as often as words of a language are: the first ones in most texts, the last ones in few. */
export function madeUpWords(count: number, random: Random): string {
  // Numbers between 1 and the vocabulary whose logarithms are even: the n-th word is there 1/n as often as the first.
  return Array.from({ length: count }, () => word(Math.floor(Math.exp(random() * Math.log(vocabulary))))).join(' ');
}

function word(number: number): string {
  let rest = number + 16;
  let made = '';
  while (rest > 0) {
    made += syllables[rest % 16];
    rest >>= 4;
  }
  return made;
}

/** Documents of sections with a heading each, every one about a topic. */
export function madeUpDocument(sections: number, topics: number, random: Random): string {
  return Array.from({ length: sections }, (_, index) => {
    // About 800 characters, which is one chunk.
    const sentences = Array.from({ length: 8 }, () => `${madeUpWords(12, random)}.`);
    return `## Section ${index + 1}\n\nOn topic${Math.floor(random() * topics)}. ${sentences.join(' ')}\n`;
  }).join('\n');
}
