import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isPair, termsOf } from './search-terms.ts';
import { type Language, stemmingFor } from './stemming.ts';

describe('terms of a text', () => {
  it.each<[Language, string, string[]]>([
    ['english', 'The connections were connected, CONNECTING!', ['connect', 'connect', 'connect']],
    ['german', 'Die Häuser und das Häuschen', ['haus', 'hausch']],
    ['french', 'Les chevaux mangeaient', ['cheval', 'mang']],
    ['russian', 'Красивые дома', ['красив', 'дом']],
    ['none', 'The Houses', ['the', 'houses']],
    ['english', 'café Café cafe', ['cafe', 'cafe', 'cafe']],
    ['english', 'Ｆｕｌｌ width ﬁle', ['full', 'width', 'file']],
    ['english', 'v2.10 x_y', ['v2', '10', 'x', 'y']],
    ['english', '订单号', ['订单', '号', '_订单', '_单号']],
    ['english', 'Parley 很好用', ['parley', '很好', '用', '_很好', '_好用']],
    ['english', '', []],
    ['english', '... !? 👍', []],
  ])('in %s: %j', (language, text, terms) => {
    expect(termsOf(text, language)).toEqual(terms);
  });

  it('find the words of scripts without spaces', () => {
    expect(termsOf('東京に住んでいます', 'english')).toContain('東京');
    expect(termsOf('ภาษาไทยง่าย', 'english')).toContain('ไทย');
    expect(termsOf('ภาษาไทย', 'english').some(isPair)).toBe(false);
  });

  it('of a text too long for a word are its start', () => {
    expect(termsOf(`${'7'.repeat(100_000)} ${'7'.repeat(65)}`, 'english')).toEqual(['7'.repeat(64), '7'.repeat(64)]);
  });

  it('are the same for every normalization of a text, and contain no special characters of an index', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        fc.constantFrom<Language>('english', 'turkish', 'none'),
        (text, language) => {
          const terms = termsOf(text, language);
          for (const term of terms) expect(term).toMatch(/^_?[\p{L}\p{N}\p{M}]+$/u);
          expect(termsOf(text.normalize('NFD'), language)).toEqual(termsOf(text.normalize('NFC'), language));
        },
      ),
    );
  });

  it('know every language', () => {
    const languages: Language[] = ['english', 'german', 'french', 'spanish', 'portuguese', 'italian', 'dutch'];
    for (const language of [...languages, 'swedish', 'norwegian', 'danish', 'finnish', 'russian', 'turkish'] as const) {
      expect(stemmingFor(language).stem('communication')).toMatch(/^commun/);
    }
  });
});
