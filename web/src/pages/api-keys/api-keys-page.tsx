import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { KeyRound, Plus, Trash2 } from 'lucide-react';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { Badge } from '../../components/badge.tsx';
import type { Column } from '../../components/data-table.tsx';
import { DeleteDialog } from '../../components/delete-dialog.tsx';
import { changedSearch, pageQuery, type SearchChange, searchedText } from '../../components/lists/list-search.ts';
import { RecordList } from '../../components/lists/record-list.tsx';
import { Page } from '../../components/page.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { Empty } from '../../components/states/empty.tsx';
import { ActionMenu } from '../../components/ui/action-menu.tsx';
import { ButtonLink } from '../../components/ui/button-link.tsx';
import { Select } from '../../components/ui/select.tsx';
import { api } from '../../lib/api.ts';
import { number } from '../../lib/number-text.ts';
import { useMoney } from '../../lib/price-currency.ts';
import { useRowDialog } from '../../lib/use-row-dialog.ts';
import { type ApiKey, type ApiKeyFilter, apiKeysPageQuery, apiKeyUsageQuery, scopes } from './api-key-queries.ts';
import { expiryState } from './expiry.ts';
import { type ApiKeysSearch, type apiKeyOrders, keyStates } from './routes.ts';

const route = getRouteApi('/console/api-keys');
const fallbackOrder = 'created_at';

/** API keys with their scopes and last use. */
export function ApiKeysPage() {
  const { t, i18n } = useTranslation();
  const navigate = route.useNavigate();
  const queries = useQueryClient();
  const search = route.useSearch();
  const filter: ApiKeyFilter = {
    ...searchedText(search.q),
    ...(search.state && { state: search.state }),
    ...(search.scope && { scope: search.scope }),
  };
  const keys = useQuery(
    apiKeysPageQuery({ ...filter, ...pageQuery<(typeof apiKeyOrders)[number]>(search, fallbackOrder) }),
  );
  const change = useCallback(
    (next: SearchChange<ApiKeysSearch>) => void navigate({ search: (now) => changedSearch(now, next), replace: true }),
    [navigate],
  );
  const [leaving, setLeaving, endLeaving] = useRowDialog<ApiKey>();
  const newKey = (
    <ButtonLink to="/api-keys/new">
      <Plus aria-hidden />
      {t('apiKeys.new')}
    </ButtonLink>
  );

  const usage = useQuery(apiKeyUsageQuery).data;
  const money = useMoney();
  const columns: Column<ApiKey>[] = [
    {
      key: 'name',
      heading: t('common.name'),
      order: 'name',
      isTitle: true,
      cell: ({ name, description }) => (
        <>
          <span className="break-words">{name}</span>
          {description !== '' && (
            <span className="block max-w-80 text-sm font-normal break-words text-muted-foreground">{description}</span>
          )}
        </>
      ),
    },
    {
      key: 'key',
      heading: t('apiKeys.key'),
      cell: ({ key }) => <code className="font-mono whitespace-nowrap">{key}</code>,
    },
    {
      key: 'scopes',
      heading: t('apiKeys.scopes'),
      cell: (key) => (
        <span className="flex flex-wrap gap-1">
          {scopes
            .filter((scope) => key.scopes.includes(scope))
            .map((scope) => (
              <Badge key={scope} tone={scope === 'admin' ? 'warning' : 'neutral'}>
                {t(`apiKeys.scopeNames.${scope}`)}
              </Badge>
            ))}
        </span>
      ),
    },
    {
      key: 'owner',
      heading: t('apiKeys.owner'),
      order: 'owner',
      cell: ({ account_name }) =>
        account_name === null ? (
          <span className="text-muted-foreground">{t('apiKeys.installation')}</span>
        ) : (
          <span className="break-all">{account_name}</span>
        ),
    },
    {
      key: 'used',
      heading: t('apiKeys.lastUsed'),
      order: 'last_used_at',
      cell: ({ last_used_at }) =>
        last_used_at === null ? (
          <span className="text-muted-foreground">{t('apiKeys.neverUsed')}</span>
        ) : (
          <RelativeTime timestamp={last_used_at} />
        ),
    },
    {
      key: 'usage',
      heading: t('apiKeys.recentUse'),
      cell: ({ id }) => {
        const used = usage?.get(id);
        if (used === undefined) return usage && <span className="text-muted-foreground">{t('common.none')}</span>;
        const [requests, tokens] = [used.requests, used.total_tokens].map((value) => number(value, i18n.language));
        return (
          <>
            {t('apiKeys.recentUseText', { requests, tokens })}
            {used.cost > 0 && <span className="block">{money(used.cost)}</span>}
          </>
        );
      },
    },
    {
      key: 'expires',
      heading: t('apiKeys.expires'),
      order: 'expires_at',
      cell: (key) => <Expiry timestamp={key.expires_at} />,
    },
  ];

  return (
    <Page
      title={t('apiKeys.title')}
      introduction={t('apiKeys.introduction')}
      actions={keys.data !== undefined && (keys.data.total > 0 || Object.keys(filter).length > 0) && newKey}
    >
      <RecordList
        label={t('apiKeys.title')}
        noun="api-keys"
        query={keys}
        columns={columns}
        idOf={({ id }) => id}
        nameOf={({ name }) => name}
        search={search}
        fallbackOrder={fallbackOrder}
        onSearch={change}
        onClear={() => void navigate({ to: '/api-keys', search: {} })}
        filter={filter}
        filters={
          <>
            <Select
              className="w-40"
              aria-label={t('common.state')}
              value={search.state ?? ''}
              onChange={({ target: { value } }) =>
                change({ state: keyStates.find((one) => one === value), page: undefined })
              }
            >
              <option value="">{t('bots.allStates')}</option>
              <option value="valid">{t('apiKeys.valid')}</option>
              <option value="expired">{t('apiKeys.expired')}</option>
            </Select>
            <Select
              className="w-48"
              aria-label={t('apiKeys.scopes')}
              value={search.scope ?? ''}
              onChange={({ target: { value } }) =>
                change({ scope: scopes.find((one) => one === value), page: undefined })
              }
            >
              <option value="">{t('apiKeys.allScopes')}</option>
              {scopes.map((scope) => (
                <option key={scope} value={scope}>
                  {t(`apiKeys.scopeNames.${scope}`)}
                </option>
              ))}
            </Select>
          </>
        }
        empty={
          <Empty icon={KeyRound} title={t('apiKeys.empty')} text={t('apiKeys.emptyText')}>
            {newKey}
          </Empty>
        }
        exported={{ path: '/api/v1/apikeys/export', file: 'api-keys' }}
        bulk={{
          actions: ['delete'],
          send: (body, keepalive) => api.post('/api/v1/apikeys/bulk', { body: body as never, keepalive }),
          refresh: () => queries.invalidateQueries({ queryKey: ['api-keys'] }),
          // A key that was disclosed must not be valid for some seconds more.
          alwaysAsks: true,
          deleteText: t('apiKeys.deleteText'),
        }}
        actions={(key) => (
          <ActionMenu
            subject={key.name}
            actions={[
              {
                label: t('apiKeys.delete'),
                icon: Trash2,
                destructive: true,
                onSelect: () => setLeaving(key),
              },
            ]}
          />
        )}
      />
      {leaving && (
        <DeleteDialog
          title={t('apiKeys.deleteTitle')}
          text={t('apiKeys.deleteText')}
          confirm={t('apiKeys.delete')}
          name={leaving.name}
          remove={() => api.delete('/api/v1/apikeys/{id}', { params: { path: { id: leaving.id } } })}
          refresh={(queries) => queries.invalidateQueries({ queryKey: ['api-keys'] })}
          onClose={endLeaving}
        />
      )}
    </Page>
  );
}

function Expiry({ timestamp }: { timestamp: string | null }) {
  const { t } = useTranslation();
  const state = expiryState(timestamp, Date.now());
  if (timestamp === null) return <span className="text-muted-foreground">{t('apiKeys.expiresNever')}</span>;
  return (
    <span className="inline-flex flex-wrap items-center gap-2">
      <RelativeTime timestamp={timestamp} />
      {state === 'expired' && <Badge tone="bad">{t('apiKeys.expired')}</Badge>}
      {state === 'soon' && <Badge tone="warning">{t('apiKeys.expiresSoon')}</Badge>}
    </span>
  );
}
