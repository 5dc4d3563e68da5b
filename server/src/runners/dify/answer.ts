import type { RunnerDelta } from '@parley/sdk';
import type { RememberConversation } from '../../kit/services/conversation-session.ts';
import type { ServiceAnswer } from '../../kit/services/service-answer.ts';
import { chatDeltas } from './chat-events.ts';
import { type WorkflowOptions, workflowDeltas } from './workflow-events.ts';

/**
 * The answer of an application.
 * @param remember stores Dify's id of the conversation; null for workflows, which have none
 * @throws ParleyError when Dify reports a failure, or the stream ends before the answer is complete
 */
export function answerDeltas(
  response: ServiceAnswer,
  options: WorkflowOptions,
  remember: RememberConversation | null,
): AsyncGenerator<RunnerDelta> {
  return remember === null ? workflowDeltas(response, options) : chatDeltas(response, { ...options, remember });
}
