import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { BackLink } from '../../components/back-link.tsx';
import { AdapterName } from '../../components/bots/adapter-name.tsx';
import { BotAccount } from '../../components/bots/bot-account.tsx';
import { type Bot, botQuery } from '../../components/bots/bot-queries.ts';
import { Page } from '../../components/page.tsx';
import { RecordPage } from '../../components/record-page.tsx';
import { Loaded } from '../../components/states/loaded.tsx';
import { useIsAdmin } from '../../lib/account.ts';
import { BotActivity } from './bot-activity.tsx';
import { BotProblem } from './bot-problem.tsx';
import { BotState } from './bot-state.tsx';
import { BotSwitch } from './bot-switch.tsx';
import { ConfigurationTab } from './configuration-tab.tsx';
import { ConversationsTab } from './conversations-tab.tsx';
import { EventLogTab } from './event-log-tab.tsx';
import { RoutingTab } from './routing-tab.tsx';
import { SendTab } from './send-tab.tsx';
import { useDeleteBot } from './use-delete-bot.ts';

const route = getRouteApi('/console/bots/$uuid');

/** One bot: connection status, settings and activity. */
export function BotPage() {
  const { t } = useTranslation();
  const { uuid } = route.useParams();
  const bot = useQuery(botQuery(uuid));
  const back = <BackLink to="/bots">{t('bots.toList')}</BackLink>;
  if (bot.data !== undefined) return <BotView key={uuid} bot={bot.data} back={back} />;
  return (
    <Page title={t('bots.bot')} back={back}>
      <Loaded query={bot}>{() => null}</Loaded>
    </Page>
  );
}

function BotView({ bot, back }: { bot: Bot; back: React.ReactNode }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const isAdmin = useIsAdmin();
  const remove = useDeleteBot();
  const search = route.useSearch();
  const params = { uuid: bot.uuid };
  const allTabs = [
    { value: 'configuration', label: t('bots.configuration'), content: <ConfigurationTab bot={bot} /> },
    { value: 'routing', label: t('bots.routing'), content: <RoutingTab bot={bot} /> },
    { value: 'log', label: t('bots.log'), content: <EventLogTab bot={bot} /> },
    { value: 'conversations', label: t('bots.conversations'), content: <ConversationsTab bot={bot} /> },
    { value: 'send', label: t('bots.send'), content: <SendTab bot={bot} /> },
  ] as const;
  const tabs = isAdmin ? allTabs : allTabs.slice(2);
  const tab = tabs.find(({ value }) => value === search.tab)?.value ?? (isAdmin ? 'configuration' : 'log');
  return (
    <RecordPage
      title={bot.name}
      back={back}
      onOff={{ label: t('bots.enabled'), control: (id) => <BotSwitch bot={bot} id={id} /> }}
      facts={
        <>
          <AdapterName name={bot.adapter} />
          <BotAccount bot={bot} />
        </>
      }
      state={<BotState bot={bot} />}
      activity={<BotActivity bot={bot} />}
      tabs={{
        label: t('bots.tabs'),
        value: tab,
        onChange: (next) => void navigate({ to: '/bots/$uuid', params, search: { tab: next }, replace: true }),
        tabs,
      }}
      onDelete={() => {
        remove(bot);
        void navigate({ to: '/bots', ignoreBlocker: true });
      }}
    >
      <BotProblem bot={bot} />
    </RecordPage>
  );
}
