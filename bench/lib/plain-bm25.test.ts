import { describe, expect, it } from 'vitest';
import { plainRankings } from './plain-bm25.ts';

const document = (id: string, text: string) => ({ id, title: '', text });
const grades = new Map([['question', new Map([['first', 1]])]]);

describe('rankings of a plain BM25', () => {
  it('prefer rare words to common ones, and short documents to long ones', () => {
    const documents = [
      document('long', 'a bicycle with a bell, which is a thing that everybody ought to have on it'),
      document('first', 'a bicycle with a bell'),
      document('common', 'a bicycle, bicycle, bicycle'),
      document('none', 'something else'),
    ];
    const queries = [
      { id: 'question', text: 'bicycle bell' },
      { id: 'not judged', text: 'bicycle' },
    ];
    const rankings = plainRankings({ documents, queries, grades }, 'en');
    expect([...rankings]).toEqual([['question', ['first', 'long', 'common']]]);
  });

  it('find other forms of words, in languages that have a stemmer', () => {
    const documents = [document('other', 'Die Katze schläft.'), document('first', 'Die Häuser stehen am Fluss.')];
    const queries = [{ id: 'question', text: 'stehende Haus' }];
    expect(plainRankings({ documents, queries, grades }, 'de').get('question')).toEqual(['first']);
  });

  it('find words of scripts without spaces', () => {
    const documents = [document('other', 'ร้านปิดวันอาทิตย์'), document('first', 'แมวกินปลาในครัว')];
    const queries = [{ id: 'question', text: 'ปลาของแมว' }];
    expect(plainRankings({ documents, queries, grades }, 'th').get('question')).toEqual(['first']);
  });
});
