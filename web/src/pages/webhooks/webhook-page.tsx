import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { BackLink } from '../../components/back-link.tsx';
import { Page } from '../../components/page.tsx';
import { RecordPage } from '../../components/record-page.tsx';
import { Loaded } from '../../components/states/loaded.tsx';
import { NotFound } from '../../components/states/not-found.tsx';
import { Alert } from '../../components/ui/alert.tsx';
import { DeliveriesTab } from './deliveries-tab.tsx';
import { useDeleteWebhook } from './use-delete-webhook.ts';
import { WebhookConfiguration } from './webhook-configuration.tsx';
import { type Webhook, webhookQuery } from './webhook-queries.ts';
import { WebhookState } from './webhook-state.tsx';
import { WebhookSwitch } from './webhook-switch.tsx';
import { WebhookTest } from './webhook-test.tsx';

const route = getRouteApi('/console/webhooks/$id');

/** One webhook: deliveries and configuration. */
export function WebhookPage() {
  const { t } = useTranslation();
  const id = Number(route.useParams().id);
  const isNumber = Number.isSafeInteger(id) && id > 0;
  const webhook = useQuery({ ...webhookQuery(id), enabled: isNumber });
  const back = <BackLink to="/webhooks">{t('webhooks.toList')}</BackLink>;
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
  const remove = useDeleteWebhook();
  const { tab = 'deliveries' } = route.useSearch();
  const params = { id: String(webhook.id) };
  return (
    <RecordPage
      title={webhook.name}
      back={back}
      onOff={{ label: t('webhooks.enabled'), control: (id) => <WebhookSwitch webhook={webhook} id={id} /> }}
      facts={<span className="min-w-0 break-all">{webhook.url}</span>}
      state={<WebhookState webhook={webhook} />}
      tabs={{
        label: t('webhooks.tabs'),
        value: tab,
        onChange: (next) => void navigate({ to: '/webhooks/$id', params, search: { tab: next }, replace: true }),
        tabs: [
          { value: 'deliveries', label: t('webhooks.deliveries'), content: <DeliveriesTab webhook={webhook} /> },
          {
            value: 'configuration',
            label: t('webhooks.configuration'),
            content: <WebhookConfiguration webhook={webhook} />,
          },
        ],
      }}
      onDelete={() => {
        remove(webhook);
        void navigate({ to: '/webhooks', ignoreBlocker: true });
      }}
    >
      {webhook.disabled_reason !== null && !webhook.enabled && (
        <Alert className="mb-5">
          <p className="font-medium">{t(`webhooks.${webhook.disabled_reason}`)}</p>
          <p>{t('webhooks.goneText')}</p>
        </Alert>
      )}
      <WebhookTest webhook={webhook} />
    </RecordPage>
  );
}
