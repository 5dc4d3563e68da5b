import { describe, expect, it } from 'vitest';
import type { LedgerRow } from '../../server/test/long/ledger.ts';
import type { ArrivedAnswer, Question } from '../fakes/messenger.ts';
import { type Evidence, judge } from './verdict.ts';

const question = (id: string, answers: Partial<ArrivedAnswer>[]): Question => ({
  id,
  conversation: 'ada',
  text: `#${id}`,
  place: 1,
  due: 0,
  acknowledgedAt: 1,
  answers: answers.map((answer) => ({ at: 10_000, text: `#${id}`, piece: 0, confirmedAt: 10_001, ...answer })),
});
const row = (platform_message_id: string, over: Partial<LedgerRow> = {}): LedgerRow => ({
  platform_message_id,
  bot_uuid: 'bot',
  state: 'answered',
  reason: 'answered',
  piece: 0,
  delivery: 'sent',
  ...over,
});
const verdictOf = (questions: Question[], ledger: LedgerRow[], more: Partial<Evidence> = {}) =>
  judge({ questions, ledger, kills: [10_500], reordered: 0, strangers: 0, ...more });
const faultless = {
  lost: 0,
  duplicates: 0,
  uncertain: 0,
  unfounded: 0,
  reordered: 0,
  strangers: 0,
  miscounted: 0,
  unanswered: 0,
};

describe('the verdict on a platform after crashes', () => {
  it('finds no fault with answers in one piece and in several', () => {
    const questions = [question('one', [{}]), question('two', [{ piece: 0 }, { piece: 1 }])];
    const ledger = [row('one'), row('two'), row('two', { piece: 1 })];
    expect(verdictOf(questions, ledger)).toEqual({ ...faultless, asked: 2, answered: 2 });
  });

  it.each<[string, Question[], LedgerRow[], object]>([
    ['a question without an answer', [question('one', [])], [row('one')], { answered: 0, lost: 1 }],
    ['an answer that arrived twice', [question('one', [{}, {}])], [row('one')], { duplicates: 1 }],
    [
      'a piece that arrived twice',
      [question('one', [{}, { piece: 1 }, { piece: 1 }])],
      [row('one')],
      { duplicates: 1 },
    ],
    ['a message that was stored twice', [question('one', [{}])], [row('one'), row('one')], { miscounted: 1 }],
    ['a message that was never stored', [question('one', [{}])], [], { miscounted: 1 }],
    [
      'one that ended as answered although a delivery is uncertain',
      [question('one', [{ confirmedAt: 10_600 }])],
      [row('one', { delivery: 'uncertain' })],
      { uncertain: 1, unanswered: 1 },
    ],
    ['one that failed', [question('one', [{}])], [row('one', { state: 'failed' })], { unanswered: 1 }],
    ['one that waits', [question('one', [{}])], [row('one', { state: 'received', piece: null })], { unanswered: 1 }],
  ])('finds %s', (_, questions, ledger, faults) => {
    expect(verdictOf(questions, ledger)).toEqual({ ...faultless, asked: 1, answered: 1, ...faults });
  });

  it('counts `uncertain` messages as uncertain and not as lost, whether they arrived or not', () => {
    const questions = [question('gone', []), question('there', [{ at: 10_499, confirmedAt: null }])];
    const ledger = ['gone', 'there'].map((id) => row(id, { state: 'uncertain', delivery: 'uncertain' }));
    expect(verdictOf(questions, ledger)).toEqual({ ...faultless, asked: 2, answered: 1, uncertain: 2 });
  });

  it.each<[string, number]>([
    ['before it', 8000],
    ['after it', 12_000],
  ])('doubts what is called uncertain while the only crash was long %s', (_, kill) => {
    const ledger = [row('one', { delivery: 'uncertain' })];
    const verdict = verdictOf([question('one', [{}])], ledger, { kills: [kill] });
    expect(verdict).toMatchObject({ uncertain: 1, unfounded: 1 });
  });

  it('passes on what the platform found by itself', () => {
    expect(verdictOf([], [], { reordered: 3, strangers: 4 })).toMatchObject({ reordered: 3, strangers: 4 });
  });
});
