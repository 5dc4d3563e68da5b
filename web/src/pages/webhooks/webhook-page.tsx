import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { Trash2 } from 'lucide-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Page } from '../../components/page.tsx';
import { Loaded } from '../../components/states/loaded.tsx';
import { NotFound } from '../../components/states/not-found.tsx';
import { Alert } from '../../components/ui/alert.tsx';
import { Button } from '../../components/ui/button.tsx';
import { Label } from '../../components/ui/label.tsx';
import { Tabs } from '../../components/ui/tabs.tsx';
import { DeleteWebhookDialog } from './delete-webhook-dialog.tsx';
import { DeliveriesTab } from './deliveries-tab.tsx';
import { WebhookConfiguration } from './webhook-configuration.tsx';
import { type Webhook, webhookQuery } from './webhook-queries.ts';
import { WebhookState } from './webhook-state.tsx';
import { WebhookSwitch } from './webhook-switch.tsx';
import { WebhookTest } from './webhook-test.tsx';

const route = getRouteApi('/console/webhooks/$id');

/** One webhook: what was sent to it, and where it is. */
export function WebhookPage() {
  const { t } = useTranslation();
  const id = Number(route.useParams().id);
  const isNumber = Number.isSafeInteger(id) && id > 0;
  const webhook = useQuery({ ...webhookQuery(id), enabled: isNumber });
  const back = (
    <Link to="/webhooks" className="rounded text-muted-foreground underline-offset-4 hover:underline">
      {t('webhooks.toList')}
    </Link>
  );
  if (webhook.data !== undefined) return <ShownWebhook key={id} webhook={webhook.data} back={back} />;
  return (
    <Page title={t('webhooks.webhook')} back={back}>
      {isNumber ? <Loaded query={webhook}>{() => null}</Loaded> : <NotFound />}
    </Page>
  );
}

function ShownWebhook({ webhook, back }: { webhook: Webhook; back: React.ReactNode }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { tab = 'deliveries' } = route.useSearch();
  const [isLeaving, setLeaving] = useState(false);
  const field = useId();
  return (
    <Page
      title={webhook.name}
      back={back}
      actions={
        <>
          <WebhookSwitch webhook={webhook} id={field} />
          <Label htmlFor={field}>{t('webhooks.enabled')}</Label>
          <Button variant="outline" size="small" className="ml-2" onClick={() => setLeaving(true)}>
            <Trash2 aria-hidden />
            {t('common.delete')}
          </Button>
        </>
      }
    >
      <div className="-mt-4 mb-5 flex flex-wrap items-center gap-x-4 gap-y-2 text-sm text-muted-foreground">
        <span className="min-w-0 break-all">{webhook.url}</span>
        <span role="status">
          <WebhookState webhook={webhook} />
        </span>
      </div>
      {webhook.disabled_reason !== null && !webhook.enabled && (
        <Alert className="mb-5">
          <p className="font-medium">{t(`webhooks.${webhook.disabled_reason}`)}</p>
          <p>{t('webhooks.goneText')}</p>
        </Alert>
      )}
      <WebhookTest webhook={webhook} />
      <Tabs
        label={t('webhooks.tabs')}
        value={tab}
        onChange={(next) =>
          void navigate({
            to: '/webhooks/$id',
            params: { id: String(webhook.id) },
            search: { tab: next },
            replace: true,
          })
        }
        tabs={[
          { value: 'deliveries', label: t('webhooks.deliveries'), content: <DeliveriesTab webhook={webhook} /> },
          {
            value: 'configuration',
            label: t('webhooks.configuration'),
            content: <WebhookConfiguration webhook={webhook} />,
          },
        ]}
      />
      {isLeaving && (
        <DeleteWebhookDialog
          webhook={webhook}
          onDeleted={() => navigate({ to: '/webhooks', ignoreBlocker: true })}
          onClose={() => setLeaving(false)}
        />
      )}
    </Page>
  );
}
