import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { References } from './references.ts';

const documents = {
  doc_references: [
    { index_id: '1', title: 'Prices 2025', doc_name: 'prices.pdf' },
    { index_id: '2', title: 'Terms', doc_name: '' },
    { index_id: 3, doc_name: 'faq.docx' },
    { index_id: '4' },
    'no document',
  ],
};

function render(pieces: string[], { learnAt = 0, words = 'Sources:' } = {}): string[] {
  const references = new References(words);
  const said = pieces.map((piece, index) => {
    if (index === learnAt) references.learn(documents);
    return references.add(piece);
  });
  if (learnAt >= pieces.length) references.learn(documents);
  return [...said, references.end()];
}
const renderWhole = (text: string, words = 'Sources:') => render([text], { words }).join('');

describe('marks of documents', () => {
  it.each([
    ['It is 5.<ref>[1]</ref>', 'It is 5.(Sources: prices.pdf)'],
    ['<ref>[2]</ref> says so<ref>[3]</ref>.', '(Sources: Terms) says so(Sources: faq.docx).'],
    ['Both<ref>[1][3]</ref>', 'Both(Sources: prices.pdf, faq.docx)'],
    ['Both<ref>[1,3]</ref>', 'Both(Sources: prices.pdf, faq.docx)'],
    ['Twice<ref>[1][1]</ref>', 'Twice(Sources: prices.pdf)'],
    ['No one<ref>[9]</ref> and nothing<ref>[4]</ref><ref></ref>.', 'No one and nothing.'],
    ['a < b <re <ref', 'a < b <re <ref'],
    ['<ref>open', '<ref>open'],
    [`<ref>${'x'.repeat(300)}</ref>`, `<ref>${'x'.repeat(300)}</ref>`],
    ['<ref><ref>[1]</ref>', '(Sources: prices.pdf)'],
  ])('%s', (text, expected) => {
    expect(renderWhole(text)).toBe(expected);
  });

  it('have only the name without a preceding text', () => {
    expect(renderWhole('5<ref>[1]</ref>', '')).toBe('5(prices.pdf)');
  });

  it('wait for the names, and text before them does not', () => {
    expect(render(['It is 5.<ref>[1]', '</ref> Or', ' six.'], { learnAt: 2 })).toEqual([
      'It is 5.',
      '',
      '(Sources: prices.pdf) Or six.',
      '',
    ]);
    expect(render(['5<ref>[1]</ref>'], { learnAt: 9 })).toEqual(['5', '(Sources: prices.pdf)']);
  });

  it('are the same for any split into chunks', () => {
    const text = 'a<b <ref>[1]</ref> c <ref>[2][3]</ref><ref>[9]</ref> <ref>open and <refs>';
    const whole = renderWhole(text);
    fc.assert(
      fc.property(fc.array(fc.nat(text.length), { maxLength: 12 }), fc.nat(5), (cuts, learnAt) => {
        const places = [0, ...cuts.toSorted((left, right) => left - right), text.length];
        const pieces = places.slice(1).map((place, index) => text.slice(places[index], place));
        expect(render(pieces, { learnAt }).join('')).toBe(whole);
      }),
    );
  });
});
