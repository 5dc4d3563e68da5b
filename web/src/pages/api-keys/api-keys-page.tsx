import { useQuery } from '@tanstack/react-query';
import { KeyRound, Plus, Trash2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Badge } from '../../components/badge.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { DeleteDialog } from '../../components/delete-dialog.tsx';
import { Page } from '../../components/page.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { Empty } from '../../components/states/empty.tsx';
import { Loaded } from '../../components/states/loaded.tsx';
import { ActionMenu } from '../../components/ui/action-menu.tsx';
import { ButtonLink } from '../../components/ui/button-link.tsx';
import { api } from '../../lib/api.ts';
import { useRowDialog } from '../../lib/use-row-dialog.ts';
import { type ApiKey, apiKeysQuery, scopes } from './api-key-queries.ts';
import { expiryState } from './expiry.ts';

/** API keys with their scopes and last use. */
export function ApiKeysPage() {
  const { t } = useTranslation();
  const keys = useQuery(apiKeysQuery);
  const [leaving, setLeaving, endLeaving] = useRowDialog<ApiKey>();
  const newKey = (
    <ButtonLink to="/api-keys/new">
      <Plus aria-hidden />
      {t('apiKeys.new')}
    </ButtonLink>
  );

  const columns: Column<ApiKey>[] = [
    {
      key: 'name',
      heading: t('common.name'),
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
        <span className="flex flex-wrap gap-1 max-md:justify-end">
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
      cell: ({ last_used_at }) =>
        last_used_at === null ? (
          <span className="text-muted-foreground">{t('apiKeys.neverUsed')}</span>
        ) : (
          <RelativeTime timestamp={last_used_at} />
        ),
    },
    { key: 'expires', heading: t('apiKeys.expires'), cell: (key) => <Expiry timestamp={key.expires_at} /> },
  ];

  return (
    <Page
      title={t('apiKeys.title')}
      introduction={t('apiKeys.introduction')}
      actions={keys.data !== undefined && keys.data.length > 0 && newKey}
    >
      <Loaded query={keys}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty icon={KeyRound} title={t('apiKeys.empty')} text={t('apiKeys.emptyText')}>
              {newKey}
            </Empty>
          ) : (
            <DataTable
              label={t('apiKeys.title')}
              columns={columns}
              rows={rows}
              rowKey={({ id }) => String(id)}
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
          )
        }
      </Loaded>
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
    <span className="inline-flex flex-wrap items-center gap-2 max-md:justify-end">
      <RelativeTime timestamp={timestamp} />
      {state === 'expired' && <Badge tone="bad">{t('apiKeys.expired')}</Badge>}
      {state === 'soon' && <Badge tone="warning">{t('apiKeys.expiresSoon')}</Badge>}
    </span>
  );
}
