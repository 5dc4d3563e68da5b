import { getRouteApi } from '@tanstack/react-router';
import { MessagesSquare } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Page } from '../../components/page.tsx';
import { Empty } from '../../components/states/empty.tsx';
import { Loading } from '../../components/states/loading.tsx';
import { NotFound } from '../../components/states/not-found.tsx';
import { Failure } from '../../components/states/page-failure.tsx';
import { Button } from '../../components/ui/button.tsx';
import { ConversationThread } from './conversation-thread.tsx';
import { ListLink } from './list-link.tsx';
import { sessionOf } from './message-queries.ts';
import { useMessageList } from './use-message-list.ts';
import { useBotNames } from './use-names.ts';

const route = getRouteApi('/console/messages/conversation');

/** All messages of a bot with a user or a group, in order. */
export function ConversationPage() {
  const { t } = useTranslation();
  const { bot, session } = route.useSearch();
  if (bot === undefined || session === undefined) {
    return (
      <Page title={t('messages.conversation.title')} back={<ListLink />}>
        <NotFound />
      </Page>
    );
  }
  return <Conversation key={`${bot} ${session}`} bot={bot} session={session} />;
}

function Conversation({ bot, session }: { bot: string; session: string }) {
  const { t } = useTranslation();
  const { botName } = useBotNames();
  const end = useRef<HTMLDivElement>(null);
  const who = sessionOf(session);
  const list = useMessageList(`${bot} ${session}`, () => ({ bot_uuid: bot, ...who }));
  const messages = list.rows?.toReversed();
  const name = botName(bot);
  const called = messages?.at(-1)?.session_name ?? who.session_id;
  const other = who.session_type === 'group' ? t('messages.groupNamed', { name: called }) : called;
  // Starts at the end.
  const hasMessages = messages !== undefined;
  useEffect(() => {
    if (hasMessages) end.current?.scrollIntoView({ block: 'end' });
  }, [hasMessages]);

  return (
    <Page title={t('messages.conversation.with', { name: other, bot: name })} back={<ListLink />}>
      {messages === undefined &&
        (list.query.isError ? (
          <Failure error={list.query.error} onRetry={() => void list.query.refetch()} />
        ) : (
          <Loading />
        ))}
      {messages?.length === 0 && (
        <Empty
          icon={MessagesSquare}
          title={t('messages.conversation.empty')}
          text={t('messages.conversation.emptyText')}
        />
      )}
      {messages !== undefined && messages.length > 0 && (
        <>
          {list.hasMore && (
            <div className="mb-4 flex justify-center">
              <Button variant="outline" size="small" disabled={list.isLoadingMore} onClick={list.more}>
                {t(list.isLoadingMore ? 'common.loading' : 'messages.conversation.earlier')}
              </Button>
            </div>
          )}
          <ConversationThread messages={messages} botName={name} />
          <div ref={end} />
        </>
      )}
    </Page>
  );
}
