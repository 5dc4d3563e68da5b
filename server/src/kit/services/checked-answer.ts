import { ParleyError, type RunnerContext, type RunnerDelta, type RunnerRequest } from '@parley/sdk';

/** Text of one answer with what was thought aloud, characters. */
const longestText = 1_000_000;
/** Attachments of one answer, and characters of their base64 together. */
const maximumAttachments = 10;
const maximumAttachmentCharacters = 28_000_000;

/**
 * Holds the answer of a service elsewhere to what every answer must be: it says something, and not without end. Empty
 * pieces are passed over, attachments that are too many or too large are left out.
 * @param name what errors call the service
 * @throws ParleyError `provider_failed` for an empty answer and for one that is too long; the signal's reason when it is
 *   aborted; else what the answer itself throws
 */
export async function* checkedAnswer(
  name: string,
  { signal }: Pick<RunnerRequest, 'signal'>,
  { logger }: Pick<RunnerContext, 'logger'>,
  answer: () => AsyncIterable<RunnerDelta>,
): AsyncGenerator<RunnerDelta> {
  signal.throwIfAborted();
  let length = 0;
  let saidSomething = false;
  let attachments = 0;
  let attachmentCharacters = 0;
  try {
    for await (const delta of answer()) {
      if (delta.type !== 'model_call') signal.throwIfAborted();
      if (delta.type === 'text' || delta.type === 'reasoning') {
        if (delta.text === '') continue;
        length += delta.text.length;
        if (length > longestText) {
          throw new ParleyError('provider_failed', `The answer of ${name} is longer than it may be.`);
        }
        saidSomething ||= delta.type === 'text' && delta.text.trim() !== '';
      }
      if (delta.type === 'attachment') {
        const { base64 } = delta.element as { base64?: string | null };
        attachments += 1;
        attachmentCharacters += base64?.length ?? 0;
        if (attachments > maximumAttachments || attachmentCharacters > maximumAttachmentCharacters) {
          logger.warn({ service: name, attachments, attachmentCharacters }, 'a file of an answer is left out');
          continue;
        }
        saidSomething = true;
      }
      yield delta;
    }
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
  signal.throwIfAborted();
  if (!saidSomething) throw new ParleyError('provider_failed', `${name} gave an empty answer.`);
}
