import { useTranslation } from 'react-i18next';
import { dateFormat } from '../../lib/formats.ts';
import { ConversationMessage } from './conversation-message.tsx';
import type { Message } from './message-queries.ts';

interface ConversationThreadProps {
  /** Oldest first. */
  messages: readonly Message[];
  botName: string;
}

/** Messages of a bot with a user or a group in order, with notes where the day or the conversation changes. */
export function ConversationThread({ messages, botName }: ConversationThreadProps) {
  const { t, i18n } = useTranslation();
  const dayOf = (timestamp: string) => dateFormat(i18n.language, { dateStyle: 'full' }).format(new Date(timestamp));
  return (
    <ol aria-label={t('messages.tabs.messages')} className="space-y-3">
      {messages.map((message, index) => {
        const before = messages[index - 1];
        const day = dayOf(message.created_at);
        const isNewConversation = before !== undefined && before.conversation_uuid !== message.conversation_uuid;
        const isNewDay = before === undefined || dayOf(before.created_at) !== day;
        return (
          <ConversationMessage
            key={message.uuid}
            message={message}
            botName={botName}
            day={isNewDay ? day : null}
            isNewConversation={isNewConversation}
          />
        );
      })}
    </ol>
  );
}
