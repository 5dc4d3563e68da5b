import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Plus, Webhook as WebhookIcon } from 'lucide-react';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import type { Column } from '../../components/data-table.tsx';
import { changedSearch, pageQuery, type SearchChange, searchedText } from '../../components/lists/list-search.ts';
import { RecordList } from '../../components/lists/record-list.tsx';
import { Page } from '../../components/page.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { Empty } from '../../components/states/empty.tsx';
import { ActionMenu } from '../../components/ui/action-menu.tsx';
import { ButtonLink } from '../../components/ui/button-link.tsx';
import { Select } from '../../components/ui/select.tsx';
import { api } from '../../lib/api.ts';
import type { WebhooksSearch, webhookOrders } from './routes.ts';
import { useDeleteWebhook } from './use-delete-webhook.ts';
import { type Webhook, type WebhookFilter, webhooksPageQuery } from './webhook-queries.ts';
import { WebhookState } from './webhook-state.tsx';
import { WebhookSwitch } from './webhook-switch.tsx';

const route = getRouteApi('/console/webhooks');
const fallbackOrder = 'created_at';

/** Outgoing webhooks. */
export function WebhooksPage() {
  const { t } = useTranslation();
  const navigate = route.useNavigate();
  const queries = useQueryClient();
  const search = route.useSearch();
  const filter: WebhookFilter = {
    ...searchedText(search.q),
    ...(search.enabled !== undefined && { enabled: search.enabled }),
  };
  const webhooks = useQuery(
    webhooksPageQuery({ ...filter, ...pageQuery<(typeof webhookOrders)[number]>(search, fallbackOrder) }),
  );
  const remove = useDeleteWebhook();
  const change = useCallback(
    (next: SearchChange<WebhooksSearch>) => void navigate({ search: (now) => changedSearch(now, next), replace: true }),
    [navigate],
  );
  const newWebhook = (
    <ButtonLink to="/webhooks/new">
      <Plus aria-hidden />
      {t('webhooks.new')}
    </ButtonLink>
  );

  const columns: Column<Webhook>[] = [
    {
      key: 'name',
      heading: t('webhooks.webhook'),
      order: 'name',
      isTitle: true,
      cell: ({ id, name, description }) => (
        <>
          <Link
            to="/webhooks/$id"
            params={{ id: String(id) }}
            className="rounded break-words underline-offset-4 hover:underline"
          >
            {name}
          </Link>
          {description !== '' && (
            <span className="block max-w-80 text-sm font-normal break-words text-muted-foreground">{description}</span>
          )}
        </>
      ),
    },
    {
      key: 'url',
      heading: t('webhooks.url'),
      order: 'url',
      cell: ({ url }) => <span className="break-all">{url}</span>,
    },
    { key: 'state', heading: t('common.state'), cell: (webhook) => <WebhookState webhook={webhook} /> },
    {
      key: 'created',
      heading: t('common.created'),
      order: 'created_at',
      cell: ({ created_at }) => <RelativeTime timestamp={created_at} />,
    },
    {
      key: 'enabled',
      heading: t('webhooks.enabled'),
      order: 'enabled',
      cell: (webhook) => <WebhookSwitch webhook={webhook} />,
      className: '[&_input]:align-middle',
    },
  ];

  return (
    <Page
      title={t('webhooks.title')}
      introduction={t('webhooks.introduction')}
      actions={webhooks.data !== undefined && (webhooks.data.total > 0 || Object.keys(filter).length > 0) && newWebhook}
    >
      <RecordList
        label={t('webhooks.title')}
        noun="webhooks"
        query={webhooks}
        columns={columns}
        idOf={({ id }) => id}
        nameOf={({ name }) => name}
        search={search}
        fallbackOrder={fallbackOrder}
        onSearch={change}
        onClear={() => void navigate({ to: '/webhooks', search: {} })}
        filter={filter}
        filters={
          <Select
            className="w-40"
            aria-label={t('common.state')}
            value={search.enabled === undefined ? '' : String(search.enabled)}
            onChange={({ target: { value } }) =>
              change({ enabled: value === '' ? undefined : value === 'true', page: undefined })
            }
          >
            <option value="">{t('bots.allStates')}</option>
            <option value="true">{t('webhooks.states.on')}</option>
            <option value="false">{t('webhooks.states.off')}</option>
          </Select>
        }
        empty={
          <Empty icon={WebhookIcon} title={t('webhooks.empty')} text={t('webhooks.emptyText')}>
            {newWebhook}
          </Empty>
        }
        exported={{ path: '/api/v1/webhooks/export', file: 'webhooks' }}
        bulk={{
          actions: ['enable', 'disable', 'delete'],
          send: (body, keepalive) => api.post('/api/v1/webhooks/bulk', { body: body as never, keepalive }),
          refresh: () => queries.invalidateQueries({ queryKey: ['webhooks'] }),
          deleteText: t('webhooks.deleteText'),
        }}
        actions={(webhook) => (
          <ActionMenu
            subject={webhook.name}
            onEdit={() =>
              void navigate({
                to: '/webhooks/$id',
                params: { id: String(webhook.id) },
                search: { tab: 'configuration' },
              })
            }
            onDelete={() => remove(webhook)}
          />
        )}
      />
    </Page>
  );
}
