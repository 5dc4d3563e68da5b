import type { FastifyReply, FastifyRequest } from 'fastify';
import type { EvaluatedQuestion } from '../../../core/model-api/model-api.ts';
import { errorAnswer } from '../../error-mapping.ts';
import { modelApiError } from '../../model-api-errors.ts';
import type { AnswerForm } from './answer-form.ts';
import { EventStream } from './event-stream.ts';

/** How long an error may still have a status of its own, milliseconds; then the stream is opened without any text. */
const longestSilence = 5000;

/** Gives the answer up when the program goes away. */
export function watchCaller(reply: FastifyReply, asked: Pick<EvaluatedQuestion, 'leave'>): void {
  const { raw } = reply;
  const leave = () => {
    if (!raw.writableFinished) asked.leave();
  };
  if (raw.destroyed) leave();
  else raw.once('close', leave);
}

/**
 * Gives the answer as it grows.
 * @throws ParleyError when there is none and nothing was written yet
 */
export async function streamAnswer(
  asked: EvaluatedQuestion,
  form: AnswerForm,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const stream = new EventStream(reply);
  let shown = '';
  const open = () => {
    if (!stream.isOpen) stream.open(form.begin(), pump);
  };
  const pump = () => {
    const text = wholeCharacters(asked.growing());
    if (stream.isFull || text.length <= shown.length || !text.startsWith(shown)) return;
    open();
    stream.write(form.delta(text.slice(shown.length)));
    shown = text;
  };
  asked.onGrowth(pump);
  const silence = setTimeout(open, longestSilence);
  try {
    const answer = await asked.answer;
    open();
    // What was shown cannot be taken back. Filters see to it that it stays; where one does not, the text ends here.
    const isContinued = answer.text.startsWith(shown);
    const rest = isContinued ? answer.text.slice(shown.length) : '';
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

/** Without the first half of a character whose second half is still to come. */
function wholeCharacters(text: string): string {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff ? text.slice(0, -1) : text;
}
