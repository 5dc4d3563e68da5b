import { createHash } from 'node:crypto';
import { ParleyError, type RunnerMemory } from '@parley/sdk';
import type { AnsweredMessage, ConversationStore } from './conversation-store.ts';

const longestState = 10_000;

/**
 * The memory of a runner for a conversation, valid while its configuration is the same: another application has another
 * conversation.
 */
export function runnerMemory(
  conversations: Pick<ConversationStore, 'runnerState' | 'saveRunnerState'>,
  message: AnsweredMessage,
  runner: string,
  config: Record<string, unknown>,
): RunnerMemory {
  const config_hash = createHash('sha256').update(JSON.stringify(config)).digest('base64url');
  return {
    read: async () => {
      const stored = await conversations.runnerState(message.conversation_uuid);
      return stored?.runner === runner && stored.config_hash === config_hash ? stored.state : null;
    },
    write: async (state) => {
      if (state.length > longestState) throw new ParleyError('too_large', 'A runner remembers too much');
      await conversations.saveRunnerState(message, { runner, config_hash, state });
    },
  };
}
