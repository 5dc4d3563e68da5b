import { ParleyError, type RunnerContext, type RunnerDelta, type RunnerRequest } from '@parley/sdk';

/** Maximum text of one answer, including thoughts, characters. */
const longestText = 1_000_000;
/** Attachments of one answer, and characters of their base64 together. */
const maximumAttachments = 10;
const maximumAttachmentCharacters = 28_000_000;

/**
 * Validates the answer of an external service: it must not be empty or exceed limits. Empty chunks are skipped,
 * attachments beyond the limits omitted.
 * @param name of the service in errors
 * @throws ParleyError `provider_failed` for an empty answer and for one that is too long; the signal's reason when it
 *   is aborted; else errors of the answer itself
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
          throw new ParleyError('provider_failed', `The answer of ${name} is too long.`);
        }
        saidSomething ||= delta.type === 'text' && delta.text.trim() !== '';
      }
      if (delta.type === 'attachment') {
        const { base64 } = delta.element as { base64?: string | null };
        attachments += 1;
        attachmentCharacters += base64?.length ?? 0;
        if (attachments > maximumAttachments || attachmentCharacters > maximumAttachmentCharacters) {
          logger.warn({ service: name, attachments, attachmentCharacters }, 'omitted a file of an answer');
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
