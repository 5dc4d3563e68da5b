import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { PanelLeft, SquarePen } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FailureAlert } from '../../components/failure/failure-alert.tsx';
import { Alert } from '../../components/ui/alert.tsx';
import { Button } from '../../components/ui/button.tsx';
import { Drawer } from '../../components/ui/drawer.tsx';
import { Select } from '../../components/ui/select.tsx';
import { accountQuery } from '../../lib/account.ts';
import { api } from '../../lib/api.ts';
import { tabItems } from '../../lib/tab-items.ts';
import { useTitle } from '../../lib/use-title.ts';
import { ChatHeader } from './chat-header.tsx';
import { type ChatPlace, keepPlace, keptPlace, newConversationName } from './chat-place.ts';
import { ConversationList } from './conversation-list.tsx';
import { ConversationView } from './conversation-view.tsx';
import { conversationKeys } from './kept-messages.ts';
import type { ChatSearch } from './routes.ts';

const route = getRouteApi('/console/chat');

interface Partner {
  uuid: string;
  name: string;
  isDefault: boolean;
  /** Of a bot with the pipeline. */
  botName: string | undefined;
}

/** The pipelines, and the names of their bots. */
async function findPartners(): Promise<Partner[]> {
  const [{ pipelines }, { bots }] = await Promise.all([api.get('/api/v1/pipelines'), api.get('/api/v1/platform/bots')]);
  return pipelines.map(({ uuid, name, is_default: isDefault }) => {
    const bot = bots.find((candidate) => candidate.enable && candidate.use_pipeline_uuid === uuid);
    return { uuid, name, isDefault, botName: isDefault ? bot?.name : name };
  });
}

/** The conversation that the address names, else the one that was open last, else the first one of the default pipeline. */
function placeOf(search: ChatSearch, partners: readonly Partner[]): ChatPlace | null {
  const isKnown = (uuid: string | undefined) => partners.some((partner) => partner.uuid === uuid);
  const fallback = partners.find(({ isDefault }) => isDefault)?.uuid;
  const kept = keptPlace();
  if (search.pipeline === undefined && kept !== null && isKnown(kept.pipeline)) {
    return { ...kept, ...search };
  }
  const pipeline = isKnown(search.pipeline) ? search.pipeline : fallback;
  return pipeline === undefined ? null : { pipeline, conversation: search.conversation ?? 'default' };
}

/** Chats with pipelines. */
export function ChatPage() {
  const { t } = useTranslation();
  useTitle(t('chat.title'));
  const search = route.useSearch();
  // What was open last belongs to the account.
  const account = useQuery(accountQuery);
  const partners = useQuery({ queryKey: ['pipelines', 'partners'], queryFn: findPartners });
  const isReady = partners.data !== undefined && account.data !== undefined;
  const place = isReady ? placeOf(search, partners.data) : null;

  return (
    <div className="flex min-h-0 flex-1 basis-0 overflow-hidden">
      {isReady && place !== null ? (
        <Chat place={place} partners={partners.data} />
      ) : (
        <div className="flex min-w-0 flex-1 flex-col">
          <ChatHeader />
          <div className="m-auto w-full max-w-md p-4">
            {partners.isError && (
              <>
                <FailureAlert error={partners.error} />
                <Button variant="outline" className="mt-4 w-full" onClick={() => partners.refetch()}>
                  {t('chat.retry')}
                </Button>
              </>
            )}
            {isReady && <Alert variant="notice">{t('chat.noPipeline')}</Alert>}
          </div>
        </div>
      )}
    </div>
  );
}

function Chat({ place, partners }: { place: ChatPlace; partners: readonly Partner[] }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [isListOpen, setListOpen] = useState(false);
  const { pipeline, conversation } = place;
  const partner = partners.find(({ uuid }) => uuid === pipeline);
  const names = new Map(partners.map(({ uuid, name }) => [uuid, name]));

  useEffect(() => keepPlace({ pipeline, conversation }), [pipeline, conversation]);

  const begin = (uuid: string) =>
    navigate({ to: '/chat', search: { pipeline: uuid, conversation: newConversationName() } });

  /** Another pipeline answers in a conversation of its own, to which unsent text moves. */
  const choose = (uuid: string) => {
    const name = newConversationName();
    const [from, to] = [place, { pipeline: uuid, conversation: name }].map(
      (one) => conversationKeys(one.pipeline, 'person', nameOf(one.conversation)).text,
    ) as [string, string];
    const text = tabItems.read(from);
    if (text !== undefined) {
      tabItems.write(to, text);
      tabItems.remove(from);
    }
    void navigate({ to: '/chat', search: { pipeline: uuid, conversation: name } });
  };

  const list = (onOpen?: () => void) => (
    <ConversationList
      place={place}
      pipelines={names}
      {...(onOpen !== undefined && { onOpen })}
      onDeleted={() => void begin(pipeline)}
    />
  );
  const newButton = (
    <Button
      variant="ghost"
      size="icon"
      aria-label={t('clear.open')}
      title={t('clear.open')}
      onClick={() => void begin(pipeline)}
    >
      <SquarePen aria-hidden />
    </Button>
  );

  return (
    <>
      <aside aria-label={t('chat.conversations')} className="hidden w-72 shrink-0 flex-col border-r xl:flex">
        <h2 className="flex h-15 shrink-0 items-center px-5 text-sm font-semibold">{t('chat.conversations')}</h2>
        {list()}
      </aside>
      {isListOpen && (
        <Drawer
          label={t('chat.conversations')}
          header={(close) => (
            <div className="flex h-15 shrink-0 items-center justify-between border-b px-5">
              <h2 className="font-semibold">{t('chat.conversations')}</h2>
              <Button variant="outline" size="small" onClick={close}>
                {t('chat.closeConversations')}
              </Button>
            </div>
          )}
          onClose={() => setListOpen(false)}
        >
          {list(() => setListOpen(false))}
        </Drawer>
      )}
      <section aria-label={t('chat.title')} className="flex min-w-0 flex-1 flex-col">
        <ConversationView
          pipelineUuid={pipeline}
          {...nameOf(conversation)}
          botName={partner?.botName}
          takesFocus
          header={() => (
            <ChatHeader
              botName={partner?.botName}
              start={
                <Button
                  variant="ghost"
                  size="icon"
                  className="xl:hidden"
                  aria-label={t('chat.openConversations')}
                  title={t('chat.openConversations')}
                  onClick={() => setListOpen(true)}
                >
                  <PanelLeft aria-hidden />
                </Button>
              }
            >
              {partners.length > 1 && (
                <Select
                  aria-label={t('chat.pipeline')}
                  value={pipeline}
                  onChange={(event) => choose(event.target.value)}
                  className="w-36 sm:w-56"
                >
                  {partners.map(({ uuid, name }) => (
                    <option key={uuid} value={uuid}>
                      {name}
                    </option>
                  ))}
                </Select>
              )}
              {newButton}
            </ChatHeader>
          )}
        />
      </section>
    </>
  );
}

/** The first conversation has no name for the server, as for programs. */
function nameOf(conversation: string): { conversation?: string } {
  return conversation === 'default' ? {} : { conversation };
}
