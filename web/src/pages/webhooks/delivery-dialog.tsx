import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { RotateCw } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { FailureAlert } from '../../components/failure/failure-alert.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { Loaded } from '../../components/states/loaded.tsx';
import { Button } from '../../components/ui/button.tsx';
import { Dialog } from '../../components/ui/dialog.tsx';
import { api } from '../../lib/api.ts';
import { notify } from '../../lib/notify.ts';
import { DeliveryState } from './delivery-state.tsx';
import { deliveryQuery, type Webhook } from './webhook-queries.ts';

interface DeliveryDialogProps {
  webhook: Webhook;
  uuid: string;
  onClose: () => void;
}

/** One delivery with its attempts and responses. Finished ones can be sent again. */
export function DeliveryDialog({ webhook, uuid, onClose }: DeliveryDialogProps) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const found = useQuery(deliveryQuery(webhook.id, uuid));
  const again = useMutation({
    mutationFn: () =>
      api.post('/api/v1/webhooks/{id}/deliveries/{delivery_uuid}/redeliver', {
        params: { path: { id: webhook.id, delivery_uuid: uuid } },
      }),
    onSuccess: () => {
      notify.done(t('webhooks.redelivered'));
      return queries.invalidateQueries({ queryKey: ['messages', 'webhook-deliveries', webhook.id] });
    },
  });
  return (
    <Dialog title={t('webhooks.deliveryTitle')} width="wide" onClose={onClose}>
      <div className="mt-3">
        <Loaded query={found} rows={2}>
          {({ delivery, attempts }) => (
            <>
              <div className="mb-4 flex flex-wrap items-center gap-x-4 gap-y-2 text-sm text-muted-foreground">
                <DeliveryState state={delivery.state} />
                <RelativeTime timestamp={delivery.created_at} />
                <Link to="/messages/$uuid" params={{ uuid }} className="rounded underline underline-offset-4">
                  {t('webhooks.explain')}
                </Link>
              </div>
              <ol className="space-y-3">
                {attempts.map((attempt) => (
                  <li key={attempt.number} className="rounded-xl border p-3 text-sm">
                    <p className="flex flex-wrap gap-x-3 font-medium">
                      <span>{t('webhooks.attempt', { number: attempt.number })}</span>
                      <span className="font-normal text-muted-foreground">
                        <RelativeTime timestamp={attempt.started_at} />
                        {' · '}
                        {t('webhooks.milliseconds', { count: attempt.milliseconds })}
                        {' · '}
                        {t('webhooks.status')} {attempt.status ?? t('webhooks.noAnswer')}
                      </span>
                    </p>
                    {attempt.error !== null && <p className="mt-1 break-words text-destructive">{attempt.error}</p>}
                    {attempt.answer !== null && attempt.answer !== '' && (
                      <details className="mt-1">
                        <summary className="w-fit cursor-pointer rounded py-0.5 text-muted-foreground">
                          {t('webhooks.answer')}
                        </summary>
                        <pre className="mt-1 max-h-40 overflow-auto rounded-lg bg-muted p-2.5 text-xs break-all whitespace-pre-wrap">
                          {attempt.answer}
                        </pre>
                      </details>
                    )}
                  </li>
                ))}
              </ol>
              {again.isError && <FailureAlert className="mt-4" error={again.error} />}
              <div className="mt-6 flex flex-wrap justify-end gap-2">
                <Button variant="outline" onClick={onClose}>
                  {t('common.close')}
                </Button>
                {delivery.state !== 'pending' && (
                  <Button disabled={again.isPending} onClick={() => again.mutate()}>
                    <RotateCw aria-hidden />
                    {t('webhooks.redeliver')}
                  </Button>
                )}
              </div>
            </>
          )}
        </Loaded>
      </div>
    </Dialog>
  );
}
