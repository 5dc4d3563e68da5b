import { ParleyApiError } from '@parley/client';
import { api } from '../../lib/api.ts';
import type { ChatMessage } from '../chat/conversation.ts';
import type { SessionType } from '../chat/use-conversation.ts';

/**
 * The id of a web chat message. A later part of an answer has none, and is found in the ledger by its timestamp and number.
 * @throws ParleyApiError `not_found` if it is not stored any more
 */
export async function findMessage(pipelineUuid: string, sessionType: SessionType, message: ChatMessage) {
  if (message.uuid !== undefined) return message.uuid;
  const next = new Date(new Date(message.timestamp).getTime() + 1).toISOString();
  const { messages } = await api.get('/api/v1/messages', {
    params: {
      query: {
        pipeline_uuid: pipelineUuid,
        session_type: sessionType,
        direction: message.role === 'user' ? 'inbound' : 'outbound',
        from: message.timestamp,
        to: next,
        limit: 50,
      },
    },
  });
  const found = messages.find(({ sequence }) => sequence === message.id);
  if (found === undefined) throw new ParleyApiError('Message not found', { status: 404, reason: 'not_found' });
  return found.uuid;
}
