import type { RunnerContext, RunnerDelta } from '@parley/sdk';
import { ServiceRefusal } from './service-client.ts';

/**
 * Asks within the conversation that the service was last known to have, and once in a new one when it knows that one no
 * more.
 * @param ask is given what the service calls the conversation; null for a new one
 * @param isUnknown whether a refusal says that there is no such conversation
 */
export async function* inRememberedConversation(
  { memory, logger }: Pick<RunnerContext, 'memory' | 'logger'>,
  ask: (conversation: string | null) => AsyncIterable<RunnerDelta>,
  isUnknown: (refusal: ServiceRefusal) => boolean,
): AsyncGenerator<RunnerDelta> {
  const conversation = await memory.read();
  let isHeard = false;
  try {
    for await (const delta of ask(conversation)) {
      isHeard = true;
      yield delta;
    }
    return;
  } catch (error) {
    if (conversation === null || isHeard || !(error instanceof ServiceRefusal) || !isUnknown(error)) throw error;
    logger.warn({ error }, 'the service knows the conversation no more, a new one begins');
  }
  yield* ask(null);
}
