import { type PipelineMessage, textOfChain } from '@parley/sdk';

/** Variables of a message and its chat. */
type MessageInPlace = Pick<
  PipelineMessage,
  | 'session_type'
  | 'session_id'
  | 'sender_id'
  | 'sender_name'
  | 'facts'
  | 'conversation_uuid'
  | 'created_at'
  | 'message_chain'
>;

/** What prompts and services that write answers may use of a message. */
export function variablesOf(message: MessageInPlace): Record<string, string> {
  return {
    launcher_type: message.session_type,
    launcher_id: message.session_id,
    sender_id: message.sender_id,
    sender_name: message.sender_name,
    group_name: message.facts.group_name ?? '',
    session_id: `${message.session_type}_${message.session_id}`,
    conversation_id: message.conversation_uuid,
    msg_create_time: String(Math.floor(Date.parse(message.created_at) / 1000)),
    user_message_text: textOfChain(message.message_chain),
  };
}
