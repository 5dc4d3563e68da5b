import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { Trash2 } from 'lucide-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AdapterName } from '../../components/bots/adapter-name.tsx';
import { type Bot, botQuery } from '../../components/bots/bot-queries.ts';
import { Page } from '../../components/page.tsx';
import { Loaded } from '../../components/states/loaded.tsx';
import { Button } from '../../components/ui/button.tsx';
import { Label } from '../../components/ui/label.tsx';
import { Tabs } from '../../components/ui/tabs.tsx';
import { BotProblem } from './bot-problem.tsx';
import { BotState } from './bot-state.tsx';
import { BotSwitch } from './bot-switch.tsx';
import { ConfigurationTab } from './configuration-tab.tsx';
import { ConversationsTab } from './conversations-tab.tsx';
import { DeleteBotDialog } from './delete-bot-dialog.tsx';
import { EventLogTab } from './event-log-tab.tsx';
import { RoutingTab } from './routing-tab.tsx';
import { SendTab } from './send-tab.tsx';

const route = getRouteApi('/console/bot/$uuid');

/** One bot: how its connection is, and everything that can be set and seen of it. */
export function BotPage() {
  const { t } = useTranslation();
  const { uuid } = route.useParams();
  const bot = useQuery(botQuery(uuid));
  const back = (
    <Link to="/bot" className="rounded text-muted-foreground underline-offset-4 hover:underline">
      {t('bots.toList')}
    </Link>
  );
  if (bot.data !== undefined) return <ShownBot key={uuid} bot={bot.data} back={back} />;
  return (
    <Page title={t('bots.bot')} back={back}>
      <Loaded query={bot}>{() => null}</Loaded>
    </Page>
  );
}

function ShownBot({ bot, back }: { bot: Bot; back: React.ReactNode }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { tab = 'configuration' } = route.useSearch();
  const [isLeaving, setLeaving] = useState(false);
  const field = useId();
  const account = bot.adapter_runtime_values.bot_account_id;
  return (
    <Page
      title={bot.name}
      back={back}
      actions={
        <>
          <BotSwitch bot={bot} id={field} />
          <Label htmlFor={field}>{t('bots.enabled')}</Label>
          <Button variant="outline" size="small" className="ml-2" onClick={() => setLeaving(true)}>
            <Trash2 aria-hidden />
            {t('common.delete')}
          </Button>
        </>
      }
    >
      <div className="-mt-4 mb-5 flex flex-wrap items-center gap-x-4 gap-y-2 text-sm text-muted-foreground">
        <AdapterName name={bot.adapter} />
        <span role="status">
          <BotState bot={bot} />
        </span>
        {account !== null && <span className="min-w-0 break-all">{t('bots.account', { id: account })}</span>}
      </div>
      <BotProblem bot={bot} />
      <Tabs
        label={t('bots.tabs')}
        value={tab}
        onChange={(next) =>
          void navigate({ to: '/bot/$uuid', params: { uuid: bot.uuid }, search: { tab: next }, replace: true })
        }
        tabs={[
          { value: 'configuration', label: t('bots.configuration'), content: <ConfigurationTab bot={bot} /> },
          { value: 'routing', label: t('bots.routing'), content: <RoutingTab bot={bot} /> },
          { value: 'log', label: t('bots.log'), content: <EventLogTab bot={bot} /> },
          { value: 'conversations', label: t('bots.conversations'), content: <ConversationsTab bot={bot} /> },
          { value: 'send', label: t('bots.send'), content: <SendTab bot={bot} /> },
        ]}
      />
      {isLeaving && (
        <DeleteBotDialog
          bot={bot}
          onDeleted={() => void navigate({ to: '/bot', ignoreBlocker: true })}
          onClose={() => setLeaving(false)}
        />
      )}
    </Page>
  );
}
