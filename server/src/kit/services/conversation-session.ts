import type { RunnerContext, RunnerDelta } from '@parley/sdk';
import { newUuid } from '../../lib/uuid.ts';
import { ServiceRefusal } from './service-client.ts';

/** To be told what the service calls the conversation, as often as it says so; null where it has not yet. */
export type RememberConversation = (conversation: string | null) => Promise<void>;

/**
 * Asks within the conversation that the service was last known to have, and once in a new one when it knows that one no
 * more.
 * @param ask is given what the service calls the conversation (null for a new one), and says what it calls it then
 * @param isUnknown whether a refusal says that there is no such conversation
 */
export async function* inRememberedConversation(
  { memory, logger }: Pick<RunnerContext, 'memory' | 'logger'>,
  ask: (conversation: string | null, remember: RememberConversation) => AsyncIterable<RunnerDelta>,
  isUnknown: (refusal: ServiceRefusal) => boolean,
): AsyncGenerator<RunnerDelta> {
  const conversation = await memory.read();
  const askIn = (conversation: string | null) => {
    let known = conversation;
    return ask(conversation, async (told) => {
      if (told === null || told === known) return;
      known = told;
      await memory.write(told);
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
    logger.warn({ error }, 'the service knows the conversation no more, a new one begins');
  }
  yield* askIn(null);
}

/** Passes on what is said, after what the service calls the conversation by then is remembered. */
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

/** What a conversation is called for a service that names none itself: a name of ours, made at its first message. */
export async function ownConversation(memory: RunnerContext['memory']): Promise<string> {
  const known = await memory.read();
  if (known !== null) return known;
  const made = newUuid();
  await memory.write(made);
  return made;
}
