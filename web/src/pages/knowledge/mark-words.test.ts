import { expect, test } from 'vitest';
import { markWords } from './mark-words.ts';

const marked = (text: string, question: string) =>
  markWords(text, question)
    .filter(({ isMarked }) => isMarked)
    .map(({ text: word }) => word);

test.each([
  ['The office opens at nine.', 'When does the office open?', ['office', 'opens']],
  ['A cat. The Office!', 'is it OFFICE', ['Office']],
  ['Opening hours: 9 to 5', 'open 9', ['Opening', '9']],
  ['关闭阀门需要钥匙', '阀门', ['阀门']],
  ['Nothing of that', 'whale', []],
  ['It is so', 'it', ['It']],
  ['Größe', 'GRÖSSE größe', ['Größe']],
])('of %j, %j marks %j', (text, question, words) => {
  expect(marked(text, question)).toEqual(words);
});

test('nothing of the text is lost', () => {
  const text = 'Line one,\n<b>office</b> & “more” — 办公室 ends.\n\n';
  const pieces = markWords(text, 'office line 办公室');
  expect(pieces.map((piece) => piece.text).join('')).toBe(text);
});
