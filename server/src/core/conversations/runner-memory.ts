import { createHash } from 'node:crypto';
import { ParleyError, type RunnerMemory } from '@parley/sdk';
import type { ConversationStore } from './conversation-store.ts';

const longestState = 10_000;

/**
 * What a runner remembers of a conversation, as long as it is configured the same: whoever points it at another
 * application means another conversation there.
 */
export function runnerMemory(
  conversations: Pick<ConversationStore, 'runnerState' | 'saveRunnerState'>,
  conversationUuid: string,
  runner: string,
  config: Record<string, unknown>,
): RunnerMemory {
  const config_hash = createHash('sha256').update(JSON.stringify(config)).digest('base64url');
  return {
    read: async () => {
      const stored = await conversations.runnerState(conversationUuid);
      return stored?.runner === runner && stored.config_hash === config_hash ? stored.state : null;
    },
    write: async (state) => {
      if (state.length > longestState) throw new ParleyError('too_large', 'A runner remembers too much');
      await conversations.saveRunnerState(conversationUuid, { runner, config_hash, state });
    },
  };
}
