import type { RunnerContext, RunnerDelta } from '@parley/sdk';
import { newUuid } from '../../lib/uuid.ts';
import { ServiceRefusal } from './service-client.ts';

/** Called with the service's conversation id, possibly repeatedly; null while unknown. */
export type RememberConversation = (conversation: string | null) => Promise<void>;

/**
 * Calls a service within its last known conversation, and once more in a new one when the service no longer knows it.
 * @param ask receives the service's conversation id (null for a new one), and reports the current one
 * @param isUnknown whether an error means that there is no such conversation
 */
export async function* inRememberedConversation(
  { memory, logger }: Pick<RunnerContext, 'memory' | 'logger'>,
  ask: (conversation: string | null, remember: RememberConversation) => AsyncIterable<RunnerDelta>,
  isUnknown: (refusal: ServiceRefusal) => boolean,
): AsyncGenerator<RunnerDelta> {
  const conversation = await memory.read();
  const askIn = (conversation: string | null) => {
    let known = conversation;
    return ask(conversation, async (current) => {
      if (current === null || current === known) return;
      known = current;
      await memory.write(current);
    });
  };
  let isHeard = false;
  try {
    for await (const delta of askIn(conversation)) {
      isHeard = true;
      yield delta;
    }
    return;
  } catch (error) {
    if (conversation === null || isHeard || !(error instanceof ServiceRefusal) || !isUnknown(error)) throw error;
    logger.warn({ error }, 'the service no longer knows the conversation, starting a new one');
  }
  yield* askIn(null);
}

/** Passes deltas on after storing the service's conversation id. */
export async function* remembering(
  deltas: AsyncIterable<RunnerDelta>,
  conversation: () => string | null,
  remember: RememberConversation,
): AsyncGenerator<RunnerDelta> {
  for await (const delta of deltas) {
    await remember(conversation());
    yield delta;
  }
  await remember(conversation());
}

/** A conversation id for a service that assigns none, created with the first message. */
export async function ownConversation(memory: RunnerContext['memory']): Promise<string> {
  const known = await memory.read();
  if (known !== null) return known;
  const made = newUuid();
  await memory.write(made);
  return made;
}
