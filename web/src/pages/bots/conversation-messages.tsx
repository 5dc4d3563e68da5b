import { useTranslation } from 'react-i18next';
import type { Bot } from '../../components/bots/bot-queries.ts';
import { Loading } from '../../components/states/loading.tsx';
import { Failure } from '../../components/states/page-failure.tsx';
import { Button } from '../../components/ui/button.tsx';
import { ConversationThread } from '../messages/conversation-thread.tsx';
import { sessionOf } from '../messages/message-queries.ts';
import { useMessageList } from '../messages/use-message-list.ts';

interface ConversationMessagesProps {
  bot: Bot;
  /** `person_<id>` or `group_<id>`. */
  session: string;
}

/** The messages of a conversation, latest last. */
export function ConversationMessages({ bot, session }: ConversationMessagesProps) {
  const { t } = useTranslation();
  const list = useMessageList(`${bot.uuid} ${session}`, () => ({ bot_uuid: bot.uuid, ...sessionOf(session) }));
  const messages = list.rows?.toReversed();
  if (messages === undefined) {
    if (!list.query.isError) return <Loading />;
    return <Failure error={list.query.error} onRetry={() => void list.query.refetch()} />;
  }
  return (
    <>
      {list.hasMore && (
        <div className="mb-4 text-center">
          <Button variant="outline" size="small" disabled={list.isLoadingMore} onClick={list.more}>
            {t(list.isLoadingMore ? 'common.loading' : 'messages.conversation.earlier')}
          </Button>
        </div>
      )}
      {messages.length === 0 && <p className="py-8 text-center text-muted-foreground">{t('bots.noMessages')}</p>}
      <ConversationThread messages={messages} botName={bot.name} />
    </>
  );
}
