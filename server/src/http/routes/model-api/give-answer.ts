import type { FastifyReply, FastifyRequest } from 'fastify';
import type { EvaluatedQuestion } from '../../../core/model-api/model-api.ts';
import { errorAnswer } from '../../error-mapping.ts';
import { modelApiError } from '../../model-api-errors.ts';
import type { AnswerForm } from './answer-form.ts';
import { EventStream } from './event-stream.ts';

/** How long an error may still have its own status, milliseconds; then the stream is opened without any text. */
const longestSilence = 5000;

/** Cancels the answer when the client disconnects. */
export function watchCaller(reply: FastifyReply, question: Pick<EvaluatedQuestion, 'leave'>): void {
  const { raw } = reply;
  const leave = () => {
    if (!raw.writableFinished) question.leave();
  };
  if (raw.destroyed) leave();
  else raw.once('close', leave);
}

/**
 * Streams the answer.
 * @throws ParleyError if it fails before anything was written
 */
export async function streamAnswer(
  question: EvaluatedQuestion,
  form: AnswerForm,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const stream = new EventStream(reply);
  let streamed = '';
  const open = () => {
    if (!stream.isOpen) stream.open(form.begin(), pump);
  };
  const pump = () => {
    const text = wholeCharacters(question.growing());
    if (stream.isFull || text.length <= streamed.length || !text.startsWith(streamed)) return;
    open();
    stream.write(form.delta(text.slice(streamed.length)));
    streamed = text;
  };
  question.onGrowth(pump);
  const silence = setTimeout(open, longestSilence);
  try {
    const answer = await question.answer;
    open();
    // Streamed text cannot be retracted. Filters ensure that it stays; if one does not, the text ends here.
    const isContinued = answer.text.startsWith(streamed);
    const rest = isContinued ? answer.text.slice(streamed.length) : '';
    const ending = isContinued ? answer : { ...answer, finish_reason: 'content_filter' as const };
    stream.end([...(rest === '' ? [] : form.delta(rest)), ...form.end(ending)]);
  } catch (error) {
    if (!stream.isOpen) throw error;
    const answer = errorAnswer(error, request.id);
    if (answer.body.reason === 'internal')
      request.log.error({ err: error, request_id: request.id }, 'unexpected fault');
    stream.end(form.failure(modelApiError(answer).body));
  } finally {
    clearTimeout(silence);
  }
}

/** The text without a trailing unpaired surrogate. */
function wholeCharacters(text: string): string {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff ? text.slice(0, -1) : text;
}
