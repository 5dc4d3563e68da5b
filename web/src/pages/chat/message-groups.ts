import type { ChatMessage } from './conversation.ts';

/** Messages in a row that are all part of the conversation, or all replaced. */
export interface MessageGroup {
  isReplaced: boolean;
  messages: ChatMessage[];
}

/** The messages of a conversation in their order, those of replaced branches together. */
export function messageGroups(messages: readonly ChatMessage[]): MessageGroup[] {
  const groups: MessageGroup[] = [];
  for (const message of messages) {
    const isReplaced = message.is_replaced === true;
    const last = groups.at(-1);
    if (last?.isReplaced === isReplaced) last.messages.push(message);
    else groups.push({ isReplaced, messages: [message] });
  }
  return groups;
}

/** The question whose answer may be written again: the last one, when it has ended. */
export function lastQuestion(messages: readonly ChatMessage[]): ChatMessage | undefined {
  const question = messages.findLast(({ role }) => role === 'user');
  return question?.is_pending || question?.is_replaced ? undefined : question;
}
