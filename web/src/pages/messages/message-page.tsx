import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { MessagesSquare } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ExplainTimeline } from '../../components/explain/explain-timeline.tsx';
import { Page, Section } from '../../components/page.tsx';
import { Loaded } from '../../components/states/loaded.tsx';
import { ButtonLink } from '../../components/ui/button-link.tsx';
import { classNames } from '../../lib/class-names.ts';
import { exactTime } from '../../lib/number-text.ts';
import { ListLink } from './list-link.tsx';
import { MessageContent } from './message-content.tsx';
import { MessageFeedback } from './message-feedback.tsx';
import { type Message, messageQuery } from './message-queries.ts';
import { MessageState } from './message-state.tsx';
import { writerOf } from './message-words.ts';
import { useBotNames, usePipelineNames } from './use-names.ts';

const route = getRouteApi('/console/messages/$uuid');

/** One message with its answer and trace. */
export function MessagePage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { uuid } = route.useParams();
  const { botName } = useBotNames();
  const query = useQuery(messageQuery(uuid));
  const message = query.data?.message;
  const question = message?.direction === 'outbound' ? query.data?.reply_to : message;
  const writer = question && writerOf(question, botName(question.bot_uuid));

  return (
    <Page
      key={uuid}
      title={
        message === undefined
          ? t('messages.message')
          : writer === undefined || writer === null
            ? t('messages.story.unasked', { bot: botName(message.bot_uuid) })
            : t('messages.story.title', { name: writer })
      }
      back={<ListLink />}
      actions={
        message !== undefined && (
          <ButtonLink
            variant="outline"
            size="small"
            to="/messages/conversation"
            search={{ bot: message.bot_uuid, session: `${message.session_type}_${message.session_id}` }}
          >
            <MessagesSquare aria-hidden />
            {t('messages.story.conversation')}
          </ButtonLink>
        )
      }
    >
      <Loaded query={query}>
        {(found) => {
          const { answer, reply_to } = found;
          const asked = found.message.direction === 'inbound' ? found.message : reply_to;
          const said = found.message.direction === 'outbound' ? found.message : (answer?.message ?? null);
          const name = botName(found.message.bot_uuid);
          return (
            <div className="grid gap-8 lg:grid-cols-[minmax(0,1fr)_18rem]">
              <div className="min-w-0">
                <ul aria-label={t('messages.story.texts')} className="space-y-3">
                  {asked !== null && <Bubble message={asked} botName={name} isChosen={asked.uuid === uuid} />}
                  {said !== null && <Bubble message={said} botName={name} isChosen={said.uuid === uuid} />}
                </ul>
                <Section title={t('messages.story.way')}>
                  <ExplainTimeline
                    messageUuid={uuid}
                    onOpenMessage={(other) => void navigate({ to: '/messages/$uuid', params: { uuid: other } })}
                  />
                </Section>
              </div>
              <aside className="min-w-0 space-y-8">
                <Facts message={found.message} />
                {said !== null && <MessageFeedback answer={said.uuid} question={asked?.uuid ?? null} />}
              </aside>
            </div>
          );
        }}
      </Loaded>
    </Page>
  );
}

function Bubble({ message, botName, isChosen }: { message: Message; botName: string; isChosen: boolean }) {
  const { t, i18n } = useTranslation();
  return (
    <li
      aria-current={isChosen}
      className={classNames('rounded-2xl border bg-card p-4', isChosen && 'border-ring/60 ring-1 ring-ring/30')}
    >
      <div className="mb-2 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
        <span className="min-w-0 font-medium break-words">{writerOf(message, botName)}</span>
        <span className="text-muted-foreground">{t(`messages.directions.${message.direction}`)}</span>
        <time dateTime={message.created_at} className="text-xs text-muted-foreground">
          {exactTime(message.created_at, i18n.language)}
        </time>
        <span className="ml-auto" role="status">
          <MessageState message={message} />
        </span>
      </div>
      <MessageContent message={message} opensSources />
    </li>
  );
}

/** Bot, pipeline and conversation of a message. */
function Facts({ message }: { message: Message }) {
  const { t } = useTranslation();
  const { botName, bots } = useBotNames();
  const { pipelineName } = usePipelineNames();
  const { bot_uuid, session_type, session_id, session_name, thread_id } = message;
  const rows: readonly (readonly [label: string, value: ReactNode])[] = [
    [
      t('messages.bot'),
      bots.some(({ uuid }) => uuid === bot_uuid) ? (
        <Link
          key="bot"
          to="/bots/$uuid"
          params={{ uuid: bot_uuid }}
          className="rounded font-medium text-primary underline underline-offset-4"
        >
          {botName(bot_uuid)}
        </Link>
      ) : (
        botName(bot_uuid)
      ),
    ],
    [t('messages.pipeline'), pipelineName(message.pipeline_uuid)],
    [t(`messages.types.${session_type}`), session_name === null ? session_id : `${session_name} (${session_id})`],
    ...(thread_id === '' ? [] : [[t('messages.story.thread'), thread_id] as const]),
    // In a private chat, the session is the sender.
    ...(message.sender_id === session_id ? [] : [[t('messages.story.sender'), message.sender_id] as const]),
    [t('messages.story.place'), message.sequence],
    ...(message.platform_message_id === null
      ? []
      : [[t('messages.story.platformId'), message.platform_message_id] as const]),
    [t('messages.story.id'), message.uuid],
  ];
  return (
    <section aria-labelledby="message-facts">
      <h2 id="message-facts" className="mb-3 font-semibold">
        {t('common.details')}
      </h2>
      <dl className="space-y-2.5 text-sm">
        {rows.map(([label, value]) => (
          <div key={label}>
            <dt className="text-xs text-muted-foreground">{label}</dt>
            <dd className="break-all">{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
