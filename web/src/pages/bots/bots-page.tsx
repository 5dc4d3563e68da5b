import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Bot as BotIcon, Copy, Plus, X } from 'lucide-react';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { AdapterName } from '../../components/bots/adapter-name.tsx';
import { BotAccount } from '../../components/bots/bot-account.tsx';
import {
  adaptersQuery,
  type Bot,
  type BotFilter,
  botStates,
  botsPageQuery,
  lastMessageQuery,
  pipelineChoiceQuery,
} from '../../components/bots/bot-queries.ts';
import type { Column } from '../../components/data-table.tsx';
import { changedSearch, pageQuery, type SearchChange, searchedText } from '../../components/lists/list-search.ts';
import { RecordList } from '../../components/lists/record-list.tsx';
import { Page } from '../../components/page.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { Empty } from '../../components/states/empty.tsx';
import { ActionMenu } from '../../components/ui/action-menu.tsx';
import { Button } from '../../components/ui/button.tsx';
import { ButtonLink } from '../../components/ui/button-link.tsx';
import { Select } from '../../components/ui/select.tsx';
import { useIsAdmin } from '../../lib/account.ts';
import { api } from '../../lib/api.ts';
import { classNames } from '../../lib/class-names.ts';
import { reasonText } from '../../lib/error-text.ts';
import { localized } from '../../lib/i18n.ts';
import { StartCard } from '../guided-start/start-card.tsx';
import { BotState } from './bot-state.tsx';
import { BotSwitch } from './bot-switch.tsx';
import type { BotsSearch, botOrders } from './routes.ts';
import { useCopyBot } from './use-copy-bot.ts';
import { useDeleteBot } from './use-delete-bot.ts';

const route = getRouteApi('/console/bots');
const fallbackOrder = 'created_at';

type Change = SearchChange<BotsSearch>;

/** The bots with their connection status. */
export function BotsPage() {
  const { t } = useTranslation();
  const navigate = route.useNavigate();
  const queries = useQueryClient();
  const search = route.useSearch();
  const { q, state, adapter, pipeline } = search;
  const filter: BotFilter = {
    ...searchedText(q),
    ...(state && { state }),
    ...(adapter !== undefined && { adapter }),
    ...(pipeline !== undefined && { pipeline_uuid: pipeline }),
  };
  const bots = useQuery(botsPageQuery({ ...filter, ...pageQuery<(typeof botOrders)[number]>(search, fallbackOrder) }));
  const remove = useDeleteBot();
  const isAdmin = useIsAdmin();
  const change = useCallback(
    (next: Change) => void navigate({ search: (now) => changedSearch(now, next), replace: true }),
    [navigate],
  );
  const newBot = isAdmin && (
    <ButtonLink to="/bots/new">
      <Plus aria-hidden />
      {t('bots.new')}
    </ButtonLink>
  );

  const columns: Column<Bot>[] = [
    {
      key: 'name',
      heading: t('bots.bot'),
      order: 'name',
      isTitle: true,
      cell: (bot) => (
        <>
          <Link
            to="/bots/$uuid"
            params={{ uuid: bot.uuid }}
            className="rounded wrap-anywhere underline-offset-4 hover:underline"
          >
            {bot.name}
          </Link>
          <span className="block text-sm font-normal text-muted-foreground empty:hidden">
            <BotAccount bot={bot} />
          </span>
        </>
      ),
    },
    {
      key: 'adapter',
      heading: t('bots.platform'),
      order: 'adapter',
      cell: (bot) => <AdapterName name={bot.adapter} />,
    },
    { key: 'state', heading: t('common.state'), cell: (bot) => <StateCell bot={bot} /> },
    {
      key: 'pipeline',
      heading: t('bots.pipeline'),
      order: 'pipeline',
      cell: (bot) => bot.use_pipeline_name ?? <Faint>{t('bots.noPipeline')}</Faint>,
    },
    { key: 'activity', heading: t('bots.lastActivity'), cell: (bot) => <LastActivity uuid={bot.uuid} /> },
  ];
  const switches: Column<Bot> = {
    key: 'enable',
    heading: t('bots.enabled'),
    order: 'enable',
    cell: (bot) => <BotSwitch bot={bot} />,
    className: '[&_input]:align-middle',
  };
  const open = (uuid: string) => void navigate({ to: '/bots/$uuid', params: { uuid } });
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
      onDelete={() => remove(bot)}
    />
  );
  const { rows = [], total = 0 } = bots.data ?? {};
  const isAll = Object.keys(filter).length === 0 && rows.length === total;

  return (
    <Page
      title={t('bots.title')}
      introduction={t('bots.introduction')}
      actions={bots.data !== undefined && !(isAll && total === 0) && newBot}
    >
      {bots.data !== undefined && isAll && !rows.some(isOnMessenger) && <StartCard className="mb-6" />}
      <RecordList
        label={t('bots.title')}
        noun="bots"
        query={bots}
        columns={isAdmin ? [...columns, switches] : columns}
        idOf={({ uuid }) => uuid}
        nameOf={({ name }) => name}
        search={search}
        fallbackOrder={fallbackOrder}
        onSearch={change}
        onClear={() => void navigate({ to: '/bots', search: {} })}
        filter={filter}
        filters={<Filters search={search} onChange={change} />}
        empty={
          <Empty icon={BotIcon} title={t('bots.empty')} text={t('bots.emptyText')}>
            {newBot}
          </Empty>
        }
        exported={{ path: '/api/v1/platform/bots/export', file: 'bots' }}
        {...(isAdmin && {
          actions,
          bulk: {
            actions: ['enable', 'disable', 'delete'],
            send: (body, keepalive) => api.post('/api/v1/platform/bots/bulk', { body: body as never, keepalive }),
            refresh: () => queries.invalidateQueries({ queryKey: ['bots'] }),
            deleteText: t('bots.deleteText'),
          },
        })}
      />
    </Page>
  );
}

function Filters({ search, onChange }: { search: BotsSearch; onChange: (change: Change) => void }) {
  const { t } = useTranslation();
  const adapters = useQuery(adaptersQuery).data?.adapters ?? [];
  const pipelines = useQuery({ ...pipelineChoiceQuery, enabled: search.pipeline !== undefined }).data ?? [];
  const { state, adapter, pipeline } = search;
  return (
    <>
      <Select
        className="w-44"
        aria-label={t('common.state')}
        value={state ?? ''}
        onChange={({ target: { value } }) =>
          onChange({ state: botStates.find((one) => one === value), page: undefined })
        }
      >
        <option value="">{t('bots.allStates')}</option>
        {botStates.map((one) => (
          <option key={one} value={one}>
            {t(`botStates.${one}`)}
          </option>
        ))}
      </Select>
      <Select
        className="w-44"
        aria-label={t('bots.platform')}
        value={adapter ?? ''}
        onChange={({ target: { value } }) => onChange({ adapter: value || undefined, page: undefined })}
      >
        <option value="">{t('bots.allPlatforms')}</option>
        {adapters.map(({ name, label }) => (
          <option key={name} value={name}>
            {localized(label)}
          </option>
        ))}
        {adapter !== undefined && !adapters.some(({ name }) => name === adapter) && (
          <option value={adapter}>{adapter}</option>
        )}
      </Select>
      {pipeline !== undefined && (
        <Button
          variant="outline"
          className="font-normal"
          aria-label={t('bots.anyPipeline')}
          title={t('bots.anyPipeline')}
          onClick={() => onChange({ pipeline: undefined, page: undefined })}
        >
          <span className="max-w-48 truncate">
            {pipelines.find(({ uuid }) => uuid === pipeline)?.name ?? t('bots.pipeline')}
          </span>
          <X aria-hidden />
        </Button>
      )}
    </>
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
