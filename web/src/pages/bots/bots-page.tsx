import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Bot as BotIcon, Copy, Plus } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { AdapterName } from '../../components/bots/adapter-name.tsx';
import { type Bot, botsQuery, lastMessageQuery } from '../../components/bots/bot-queries.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Page } from '../../components/page.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { Empty } from '../../components/states/empty.tsx';
import { Loaded } from '../../components/states/loaded.tsx';
import { ActionMenu } from '../../components/ui/action-menu.tsx';
import { ButtonLink } from '../../components/ui/button-link.tsx';
import { useIsAdmin } from '../../lib/account.ts';
import { classNames } from '../../lib/class-names.ts';
import { reasonText } from '../../lib/error-text.ts';
import { useRowDialog } from '../../lib/use-row-dialog.ts';
import { StartCard } from '../guided-start/start-card.tsx';
import { BotState } from './bot-state.tsx';
import { BotSwitch } from './bot-switch.tsx';
import { DeleteBotDialog } from './delete-bot-dialog.tsx';
import { useCopyBot } from './use-copy-bot.ts';

/** All bots with their connection status. */
export function BotsPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const bots = useQuery(botsQuery);
  const [leaving, setLeaving, endLeaving] = useRowDialog<Bot>();
  const isAdmin = useIsAdmin();
  const newBot = isAdmin && (
    <ButtonLink to="/bot/new">
      <Plus aria-hidden />
      {t('bots.new')}
    </ButtonLink>
  );

  const columns: Column<Bot>[] = [
    {
      key: 'name',
      heading: t('bots.bot'),
      isTitle: true,
      cell: (bot) => (
        <Link
          to="/bot/$uuid"
          params={{ uuid: bot.uuid }}
          className="rounded wrap-anywhere underline-offset-4 hover:underline"
        >
          {bot.name}
        </Link>
      ),
    },
    { key: 'adapter', heading: t('bots.platform'), cell: (bot) => <AdapterName name={bot.adapter} /> },
    { key: 'state', heading: t('common.state'), cell: (bot) => <StateCell bot={bot} /> },
    {
      key: 'pipeline',
      heading: t('bots.pipeline'),
      cell: (bot) => bot.use_pipeline_name ?? <Faint>{t('bots.noPipeline')}</Faint>,
    },
    { key: 'activity', heading: t('bots.lastActivity'), cell: (bot) => <LastActivity uuid={bot.uuid} /> },
  ];
  const switches: Column<Bot> = {
    key: 'enable',
    heading: t('bots.enabled'),
    cell: (bot) => <BotSwitch bot={bot} />,
    className: '[&_input]:align-middle',
  };
  const open = (uuid: string) => void navigate({ to: '/bot/$uuid', params: { uuid } });
  const copy = useCopyBot();
  const actions = (bot: Bot) => (
    <ActionMenu
      subject={bot.name}
      onEdit={() => open(bot.uuid)}
      actions={[
        {
          label: t('bots.copy'),
          icon: Copy,
          onSelect: () => copy.mutate(bot, { onSuccess: ({ uuid }) => open(uuid) }),
        },
      ]}
      onDelete={() => setLeaving(bot)}
    />
  );

  return (
    <Page
      title={t('bots.title')}
      introduction={t('bots.introduction')}
      actions={bots.data !== undefined && bots.data.bots.length > 0 && newBot}
    >
      <Loaded query={bots}>
        {({ bots: rows }) => (
          <>
            {!rows.some(isOnMessenger) && <StartCard className="mb-6" />}
            {rows.length === 0 ? (
              <Empty icon={BotIcon} title={t('bots.empty')} text={t('bots.emptyText')}>
                {newBot}
              </Empty>
            ) : (
              <DataTable
                label={t('bots.title')}
                columns={isAdmin ? [...columns, switches] : columns}
                rows={rows}
                rowKey={({ uuid }) => uuid}
                {...(isAdmin && { actions })}
              />
            )}
          </>
        )}
      </Loaded>
      {leaving && <DeleteBotDialog bot={leaving} onClose={endLeaving} />}
    </Page>
  );
}

/** Every installation has the web chat. */
function isOnMessenger({ adapter }: Bot): boolean {
  return adapter !== 'websocket';
}

function StateCell({ bot }: { bot: Bot }) {
  const { t } = useTranslation();
  const { state, error, error_reason } = bot.adapter_runtime_values;
  return (
    <span className="flex flex-col items-start gap-1 max-md:items-end">
      <BotState bot={bot} />
      {error !== null && (
        <span
          className={classNames('max-w-64 text-xs text-pretty', state === 'error' ? 'text-destructive' : 'text-notice')}
        >
          {reasonText(error_reason ?? '', t) ?? error}
        </span>
      )}
    </span>
  );
}

function LastActivity({ uuid }: { uuid: string }) {
  const { t } = useTranslation();
  const last = useQuery(lastMessageQuery(uuid));
  if (last.data === undefined) return null;
  return last.data === null ? <Faint>{t('bots.noActivity')}</Faint> : <RelativeTime timestamp={last.data} />;
}

function Faint({ children }: { children: string }) {
  return <span className="text-muted-foreground">{children}</span>;
}
