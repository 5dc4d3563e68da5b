import type { ModelAnswer } from '../../../core/model-api/model-question.ts';
import type { ModelApiError } from '../../model-api-errors.ts';
import type { Frame } from './event-stream.ts';

/** How one of the two protocols tells an answer. */
export interface AnswerForm {
  /** The whole of it. */
  whole(answer: ModelAnswer): object;
  /** What comes before all text. */
  begin(): Frame[];
  /** A piece of the text. */
  delta(text: string): Frame[];
  /** What comes after all text. */
  end(answer: ModelAnswer): Frame[];
  /** What is told of a failure instead. */
  failure(error: ModelApiError): Frame[];
}

/** The question that an answer is for. */
export interface AnsweredQuestion {
  uuid: string;
  /** ISO 8601 UTC. */
  created_at: string;
}

export function secondsOf(timestamp: string): number {
  return Math.floor(Date.parse(timestamp) / 1000);
}
