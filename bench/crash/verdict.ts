import type { LedgerRow } from '../../server/test/long/ledger.ts';
import type { ArrivedAnswer, Question } from '../fakes/messenger.ts';

/** Observations of a platform, after everything was finished. */
export interface Evidence {
  questions: readonly Question[];
  /** The ledger rows of these questions. */
  ledger: readonly LedgerRow[];
  /** Times of kills, in `performance.now()`. */
  kills: readonly number[];
  /** Errors that the platform detected. */
  reordered: number;
  strangers: number;
}

/** The result for the messages of one platform. Everything but `asked`, `answered` and `uncertain` must be 0. */
export interface Verdict {
  asked: number;
  /** Questions with an answer on the platform. */
  answered: number;
  /** Questions without an answer on the platform that are not `uncertain` in the ledger. */
  lost: number;
  /** Messages on the platform beyond the first of each part of an answer. */
  duplicates: number;
  /** Messages that are `uncertain` in the ledger. */
  uncertain: number;
  /** `uncertain` messages that arrived although the service was not killed around that time. */
  unfounded: number;
  /** Answers that arrived after the answer to a later question of their conversation. */
  reordered: number;
  /** Messages that answer no question, or the wrong one. */
  strangers: number;
  /** Questions that the ledger contains several times, or not at all. */
  miscounted: number;
  /** Questions that the ledger contains neither as answered nor, with an uncertain delivery, as uncertain. */
  unanswered: number;
}

/** Generous bound for storing a confirmation and for the arrival of a message, milliseconds. */
const settlingMs = 1000;

/** Compares the messages on the platform with the ledger. */
export function judge({ questions, ledger, kills, reordered, strangers }: Evidence): Verdict {
  const rows = Map.groupBy(ledger, ({ platform_message_id }) => platform_message_id);
  const verdict: Verdict = {
    asked: questions.length,
    answered: 0,
    lost: 0,
    duplicates: 0,
    uncertain: 0,
    unfounded: 0,
    reordered,
    strangers,
    miscounted: 0,
    unanswered: 0,
  };
  for (const { id, answers } of questions) {
    const known = rows.get(id) ?? [];
    const uncertain = known.filter(({ delivery }) => delivery === 'uncertain');
    const pieces = new Set(answers.map(({ piece }) => piece));
    if (answers.length > 0) verdict.answered += 1;
    else if (uncertain.length === 0) verdict.lost += 1;
    verdict.duplicates += answers.length - pieces.size;
    verdict.uncertain += uncertain.length;
    for (const { piece } of uncertain) {
      const arrived = answers.find((answer) => answer.piece === piece);
      if (arrived !== undefined && !kills.some((kill) => isAround(kill, arrived))) verdict.unfounded += 1;
    }
    if (new Set(known.map(({ piece }) => piece)).size !== known.length || known.length === 0) verdict.miscounted += 1;
    const end = uncertain.length === 0 ? 'answered' : 'uncertain';
    if (known.some(({ state }) => state !== end)) verdict.unanswered += 1;
  }
  return verdict;
}

/** Whether a message was in progress at a time. */
function isAround(kill: number, { at, confirmedAt }: ArrivedAnswer): boolean {
  return kill > at - settlingMs && kill < (confirmedAt ?? at) + settlingMs;
}
