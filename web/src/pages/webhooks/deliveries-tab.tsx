import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { Send } from 'lucide-react';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Badge } from '../../components/badge.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { MoreRows } from '../../components/more-rows.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { Empty } from '../../components/states/empty.tsx';
import { Loaded } from '../../components/states/loaded.tsx';
import { Button } from '../../components/ui/button.tsx';
import { Label } from '../../components/ui/label.tsx';
import { Select } from '../../components/ui/select.tsx';
import { DeliveryDialog } from './delivery-dialog.tsx';
import { DeliveryState } from './delivery-state.tsx';
import { deliveryStates, type DeliveryState as State } from './routes.ts';
import { type Delivery, deliveriesQuery, type Webhook } from './webhook-queries.ts';

const route = getRouteApi('/console/webhooks/$id');

/** Deliveries of a webhook, newest first. */
export function DeliveriesTab({ webhook }: { webhook: Webhook }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { state, delivery } = route.useSearch();
  const field = useId();
  const log = useInfiniteQuery(deliveriesQuery(webhook.id, state));
  const go = (search: { state?: State | undefined; delivery?: string | undefined }) => {
    const { state: wanted, delivery: opened } = { state, delivery, ...search };
    void navigate({
      to: '/webhooks/$id',
      params: { id: String(webhook.id) },
      search: { ...(wanted && { state: wanted }), ...(opened && { delivery: opened }) },
      replace: true,
    });
  };

  const columns: Column<Delivery>[] = [
    {
      key: 'created',
      heading: t('webhooks.when'),
      isTitle: true,
      cell: ({ created_at }) => <RelativeTime timestamp={created_at} />,
    },
    { key: 'event', heading: t('webhooks.event'), cell: ({ event_type }) => t(`webhooks.events.${event_type}`) },
    { key: 'state', heading: t('common.state'), cell: (row) => <StateCell delivery={row} /> },
    { key: 'attempts', heading: t('webhooks.attempts'), align: 'end', cell: ({ attempts }) => attempts },
    {
      key: 'problem',
      heading: t('webhooks.problem'),
      cell: ({ error }) => (error === null ? '–' : <span className="break-words text-destructive">{error}</span>),
    },
  ];

  return (
    <>
      <div className="mb-4 w-56 space-y-1.5">
        <Label htmlFor={field}>{t('webhooks.filter')}</Label>
        <Select
          id={field}
          value={state ?? ''}
          onChange={(event) => go({ state: deliveryStates.find((one) => one === event.target.value) })}
        >
          <option value="">{t('webhooks.allStates')}</option>
          {deliveryStates.map((one) => (
            <option key={one} value={one}>
              {t(`webhooks.deliveryStates.${one}`)}
            </option>
          ))}
        </Select>
      </div>
      <Loaded query={log}>
        {({ pages }) => {
          const rows = pages.flatMap(({ deliveries }) => deliveries);
          if (rows.length === 0) {
            return state === undefined ? (
              <Empty icon={Send} title={t('webhooks.noDeliveries')} text={t('webhooks.noDeliveriesText')} />
            ) : (
              <p className="text-muted-foreground">{t('webhooks.noneFound')}</p>
            );
          }
          return (
            <>
              <DataTable
                label={t('webhooks.deliveries')}
                columns={columns}
                rows={rows}
                rowKey={({ uuid }) => uuid}
                actions={({ uuid }) => (
                  <Button variant="ghost" size="small" onClick={() => go({ delivery: uuid })}>
                    {t('common.details')}
                  </Button>
                )}
              />
              <MoreRows query={log} />
            </>
          );
        }}
      </Loaded>
      {delivery !== undefined && (
        <DeliveryDialog webhook={webhook} uuid={delivery} onClose={() => go({ delivery: undefined })} />
      )}
    </>
  );
}

function StateCell({ delivery }: { delivery: Delivery }) {
  const { t } = useTranslation();
  const { state, next_attempt_at, skip_pipeline } = delivery;
  return (
    <span className="inline-flex flex-col items-start gap-1 max-md:items-end">
      <span className="flex flex-wrap gap-1">
        <DeliveryState state={state} />
        {skip_pipeline && <Badge tone="warning">{t('webhooks.skipped')}</Badge>}
      </span>
      {state === 'pending' && (
        <span className="text-xs text-muted-foreground">
          {next_attempt_at === null ? (
            t('webhooks.waitsForEarlier')
          ) : (
            <>
              {t('webhooks.nextTry')} <RelativeTime timestamp={next_attempt_at} />
            </>
          )}
        </span>
      )}
    </span>
  );
}
