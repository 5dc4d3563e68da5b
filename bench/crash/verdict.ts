import type { LedgerRow } from '../../server/test/long/ledger.ts';
import type { ArrivedAnswer, Question } from '../fakes/messenger.ts';

/** What a platform saw, once everything came to rest. */
export interface Evidence {
  questions: readonly Question[];
  /** The ledger's rows of these questions. */
  ledger: readonly LedgerRow[];
  /** When the service was killed, as `performance.now()` counts. */
  kills: readonly number[];
  /** What the platform found by itself. */
  reordered: number;
  strangers: number;
}

/** What became of the messages of one platform. Everything but `asked`, `answered` and `uncertain` ought to be 0. */
export interface Verdict {
  asked: number;
  /** Questions with an answer on the platform. */
  answered: number;
  /** Questions without an answer on the platform, of which the ledger does not say that nobody knows. */
  lost: number;
  /** Messages on the platform beyond the first of each piece of an answer. */
  duplicates: number;
  /** Messages of which the ledger says that nobody knows whether they arrived. */
  uncertain: number;
  /** Of those, the ones that had arrived, without the service being killed anywhere near that. */
  unfounded: number;
  /** Answers that came after the answer to a later question of their conversation. */
  reordered: number;
  /** Messages that answer no question, or another one than they say. */
  strangers: number;
  /** Questions that the ledger has more than once, or not at all. */
  miscounted: number;
  /** Questions that the ledger has neither as answered nor, where a delivery is uncertain, as uncertain. */
  unanswered: number;
}

/** Time in which a service stores what it was told, and in which a message arrives, with much to spare; milliseconds. */
const settlingMilliseconds = 1000;

/** Compares what the platform saw with what the ledger says. */
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

/** Whether a message was under way at a moment. */
function isAround(kill: number, { at, confirmedAt }: ArrivedAnswer): boolean {
  return kill > at - settlingMilliseconds && kill < (confirmedAt ?? at) + settlingMilliseconds;
}
