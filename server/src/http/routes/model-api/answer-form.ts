import type { ModelAnswer } from '../../../core/model-api/model-question.ts';
import type { ModelApiError } from '../../model-api-errors.ts';
import type { Frame } from './event-stream.ts';

/** The format of an answer in one of the two protocols. */
export interface AnswerForm {
  /** The complete answer. */
  complete(answer: ModelAnswer): object;
  /** Events before the text. */
  begin(): Frame[];
  /** A text chunk. */
  delta(text: string): Frame[];
  /** Events after the text. */
  end(answer: ModelAnswer): Frame[];
  /** Event of a failure. */
  failure(error: ModelApiError): Frame[];
}

/** The request of an answer. */
export interface AnsweredQuestion {
  uuid: string;
  /** ISO 8601 UTC. */
  created_at: string;
}

export function secondsOf(timestamp: string): number {
  return Math.floor(Date.parse(timestamp) / 1000);
}
