import type { DeliveryTarget } from '@parley/sdk';
import type { Message } from './message.ts';

/** The chat of a message. */
export function targetOf(
  message: Pick<Message, 'session_type' | 'session_id' | 'thread_id' | 'pipeline_uuid'>,
): DeliveryTarget {
  const { session_type, session_id, thread_id, pipeline_uuid } = message;
  return { session_type, session_id, thread_id, pipeline_uuid: pipeline_uuid || null };
}
