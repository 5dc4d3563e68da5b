import { expect, it } from 'vitest';
import type { Explanation } from './explanation.ts';
import { citedPassagesOf, passagesOf, quotedParts, quoteRanges, sourcesOf } from './passage.ts';

const source = {
  document_id: 'd',
  file_id: 'f',
  file_name: 'handbook.pdf',
  page: 3,
  page_end: 3,
  heading_path: [],
  start: 0,
  end: 10,
};
const passage = (id: string, cited_as: number | null, text = `Text of ${id}.`) => ({
  id,
  text,
  cited_as,
  distance: 0.5,
  score: 0.5,
  source,
  legs: {},
  number: 1,
  knowledge_base_uuid: 'b',
  knowledge_base_name: 'Base',
});
const retrieval = (question: string, passages: ReturnType<typeof passage>[]) => ({
  uuid: question,
  question,
  asked_by: 'model' as const,
  knowledge_bases: ['b'],
  started_at: '2026-01-01T00:00:00.000Z',
  milliseconds: 1,
  passages,
  failures: [],
});
const citation = (number: number, chunk_id: string, quote: string | null) => ({
  number,
  knowledge_base_uuid: 'b',
  chunk_id,
  source: number === 3 ? null : source,
  quote,
});
const explanation: Pick<Explanation, 'retrievals' | 'citations'> = {
  retrievals: [
    retrieval('one', [passage('x', 2), passage('y', null)]),
    retrieval('two', [passage('z', 1), passage('x', 2, 'All of the text of x.')]),
  ],
  citations: {
    cited: [citation(1, 'z', 'Text'), citation(2, 'x', 'of x'), citation(2, 'x', 'All'), citation(2, 'x', null)],
    dropped: 0,
  },
};

it('lists each passage once, as completely as it was recorded', () => {
  expect(
    passagesOf(explanation).map(({ chunk, number, text, quotes, question }) => [chunk, number, text, quotes, question]),
  ).toEqual([
    ['x', 2, 'All of the text of x.', ['of x', 'All'], 'two'],
    ['y', null, 'Text of y.', [], 'one'],
    ['z', 1, 'Text of z.', ['Text'], 'two'],
  ]);
});

it('lists cited passages in the order of their numbers', () => {
  expect(citedPassagesOf(explanation).map(({ number }) => number)).toEqual([1, 2]);
  expect(citedPassagesOf({ retrievals: [], citations: null })).toEqual([]);
});

it('lists the sources of an answer', () => {
  const cited = [citation(1, 'z', 'a'), citation(1, 'z', 'b'), citation(3, 'w', null)];
  expect(sourcesOf({ citations: { cited, dropped: 0 } })).toEqual([
    { number: 1, file_name: 'handbook.pdf' },
    { number: 3, file_name: '' },
  ]);
  expect(sourcesOf({ citations: null })).toEqual([]);
});

it.each([
  [['two'], 'one |two| three'],
  [['one two', 'two three'], '|one two|| three|'],
  [['one two three', 'two'], '|one two three|'],
  [['three', 'one'], '|one| two |three|'],
  [['four', ''], 'one two three'],
])('marks quotes: %j', (quotes, expected) => {
  const parts = quotedParts('one two three', quotes);
  expect(parts.map(({ text, isQuoted }) => (isQuoted ? `|${text}|` : text)).join('')).toBe(expected);
});

it('knows where quotes stand', () => {
  expect(quoteRanges('one two', ['two', 'four', 'one'])).toEqual([
    { start: 4, end: 7 },
    { start: 0, end: 3 },
  ]);
});
