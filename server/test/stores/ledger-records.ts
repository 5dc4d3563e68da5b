import type { MessageChain, MessageEvent } from '@parley/sdk';
import type { ConversationKey } from '../../src/core/conversations/conversation.ts';
import { newUuid } from '../../src/lib/uuid.ts';

export const plain = (text: string): MessageChain => [{ type: 'Plain', text }];

/** A conversation of a user; `over` changes it. */
export function conversationKey(over: Partial<ConversationKey> = {}): ConversationKey {
  return {
    bot_uuid: '00000000-0000-7000-8000-00000000b001',
    pipeline_uuid: '00000000-0000-7000-8000-00000000c001',
    session_type: 'person',
    session_id: 'ada',
    thread_id: '',
    ...over,
  };
}

/** A message of a user in {@link conversationKey}. */
export function messageEvent(text: string, over: Partial<MessageEvent> = {}): MessageEvent {
  return {
    platform_message_id: newUuid(),
    session_type: 'person',
    session_id: 'ada',
    sender_id: 'ada',
    sender_name: 'Ada',
    message_chain: plain(text),
    ...over,
  };
}
