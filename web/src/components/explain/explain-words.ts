import i18next, { type TFunction } from 'i18next';
import { reasonWords } from '../../lib/error-text.ts';
import { inWords } from '../../lib/in-words.ts';
import type { english } from '../../locales/en/index.ts';
import type { Explanation, Source } from './explanation.ts';

type Words = (typeof english)['explain'];
type Group = 'outcomes' | 'stepOutcomes' | 'steps' | 'details' | 'values' | 'toolStates' | 'summaries';

/** A term of the server in the user's language; null if it has no translation. */
function wordOf<Name extends Group>(group: Name, word: string, t: TFunction): string | null {
  const key = `explain.${group}.${word}` as `explain.${Name}.${keyof Words[Name] & string}`;
  return i18next.exists(key) ? (t as (key: string) => string)(key) : null;
}

/** The state of a message or of a delivery. */
export function outcomeWords(outcome: string, t: TFunction): string {
  return wordOf('outcomes', outcome, t) ?? inWords(outcome);
}

/** The outcome of a step. */
export function stepOutcomeWords(outcome: string, t: TFunction): string {
  return wordOf('stepOutcomes', outcome, t) ?? inWords(outcome);
}

/** The name of a step. Steps that this console does not know are shown by their own name. */
export function stepWords(name: string, t: TFunction): string {
  return wordOf('steps', name, t) ?? inWords(name);
}

export function detailWords(name: string, t: TFunction): string {
  return wordOf('details', name, t) ?? inWords(name);
}

/** The value of a detail. Most are user texts, which are shown unchanged. */
export function valueWords(value: string, t: TFunction): string {
  return wordOf('values', value, t) ?? value;
}

export function toolStateWords(state: string, t: TFunction): string {
  return wordOf('toolStates', state, t) ?? inWords(state);
}

/** The outcome of a message in one sentence; the server's English summary is more exact. */
export function summaryOf(explanation: Explanation, t: TFunction, language: string): string {
  if (language.startsWith('en')) return explanation.summary;
  const { outcome, message } = explanation;
  const reason = explanation.waiting?.reason ?? (explanation.reason === 'answered' ? null : explanation.reason);
  const cause = reason === null ? null : reasonWords(reason, t);
  // These sentences are complete.
  if (
    outcome === 'stopped' &&
    cause !== null &&
    ['merged', 'command', 'command_denied', 'answer_stopped'].includes(reason ?? '')
  ) {
    return cause;
  }
  switch (outcome) {
    case 'received':
      return cause === null ? t('explain.summaries.received') : t('explain.summaries.receivedBecause', { cause });
    case 'stopped':
      return cause === null ? t('explain.summaries.stopped') : t('explain.summaries.stoppedBecause', { cause });
    case 'failed':
      if (message.direction === 'inbound') {
        return cause === null ? t('explain.summaries.failed') : t('explain.summaries.failedBecause', { cause });
      }
      return cause === null ? t('explain.summaries.notSent') : t('explain.summaries.notSentBecause', { cause });
    default:
      return wordOf('summaries', outcome, t) ?? outcomeWords(outcome, t);
  }
}

/** The source of a passage: file, page and headings. */
export function sourceWords(source: Source, t: TFunction): string {
  const { page, page_end } = source;
  const pages =
    page === null
      ? null
      : page_end === null || page_end === page
        ? t('explain.page', { page })
        : t('explain.pages', { from: page, to: page_end });
  return [source.file_name, pages, source.heading_path.join(' › ')].filter(Boolean).join(' · ');
}
