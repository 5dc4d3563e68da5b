import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Plus, Webhook as WebhookIcon } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Page } from '../../components/page.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { Empty } from '../../components/states/empty.tsx';
import { Loaded } from '../../components/states/loaded.tsx';
import { ActionMenu } from '../../components/ui/action-menu.tsx';
import { ButtonLink } from '../../components/ui/button-link.tsx';
import { useRowDialog } from '../../lib/use-row-dialog.ts';
import { DeleteWebhookDialog } from './delete-webhook-dialog.tsx';
import { type Webhook, webhooksQuery } from './webhook-queries.ts';
import { WebhookState } from './webhook-state.tsx';
import { WebhookSwitch } from './webhook-switch.tsx';

/** Outgoing webhooks. */
export function WebhooksPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const webhooks = useQuery(webhooksQuery);
  const [leaving, setLeaving, endLeaving] = useRowDialog<Webhook>();
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
    { key: 'url', heading: t('webhooks.url'), cell: ({ url }) => <span className="break-all">{url}</span> },
    { key: 'state', heading: t('common.state'), cell: (webhook) => <WebhookState webhook={webhook} /> },
    { key: 'created', heading: t('common.created'), cell: ({ created_at }) => <RelativeTime timestamp={created_at} /> },
    { key: 'enabled', heading: t('webhooks.enabled'), cell: (webhook) => <WebhookSwitch webhook={webhook} /> },
  ];

  return (
    <Page
      title={t('webhooks.title')}
      introduction={t('webhooks.introduction')}
      actions={webhooks.data !== undefined && webhooks.data.length > 0 && newWebhook}
    >
      <Loaded query={webhooks}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty icon={WebhookIcon} title={t('webhooks.empty')} text={t('webhooks.emptyText')}>
              {newWebhook}
            </Empty>
          ) : (
            <DataTable
              label={t('webhooks.title')}
              columns={columns}
              rows={rows}
              rowKey={({ id }) => String(id)}
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
                  onDelete={() => setLeaving(webhook)}
                />
              )}
            />
          )
        }
      </Loaded>
      {leaving && <DeleteWebhookDialog webhook={leaving} onClose={endLeaving} />}
    </Page>
  );
}
