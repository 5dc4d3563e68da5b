import { useMutation } from '@tanstack/react-query';
import { CircleCheck, CircleX, Send } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../components/ui/button.tsx';
import { api } from '../../lib/api.ts';
import { errorText } from '../../lib/error-text.ts';
import type { Webhook } from './webhook-queries.ts';

/** Sends a signed ping now, and shows what the address made of it. */
export function WebhookTest({ webhook }: { webhook: Webhook }) {
  const { t } = useTranslation();
  const test = useMutation({
    mutationFn: () => api.post('/api/v1/webhooks/{id}/test', { params: { path: { id: webhook.id } } }),
  });
  const result = test.isPending ? undefined : test.data;
  return (
    <div className="mb-6 flex flex-wrap items-start gap-x-4 gap-y-2">
      <Button variant="outline" size="small" disabled={test.isPending} onClick={() => test.mutate()}>
        <Send aria-hidden />
        {t('webhooks.test')}
      </Button>
      <div role="status" className="min-w-0 flex-1 basis-60 pt-1.5 text-sm empty:hidden">
        {test.isPending && <p className="text-muted-foreground">{t('webhooks.testing')}</p>}
        {test.isError && <p className="text-destructive">{errorText(test.error, t)}</p>}
        {result?.delivered === true && (
          <p className="flex items-start gap-2 text-good">
            <CircleCheck aria-hidden className="mt-0.5 size-4 shrink-0" />
            {t('webhooks.testDelivered', { milliseconds: result.milliseconds, status: result.status ?? '' })}
          </p>
        )}
        {result?.delivered === false && (
          <p className="flex items-start gap-2 text-destructive">
            <CircleX aria-hidden className="mt-0.5 size-4 shrink-0" />
            <span className="min-w-0">
              {t('webhooks.testFailed')} <span className="break-words text-muted-foreground">{result.error}</span>
            </span>
          </p>
        )}
        {result?.answer && (
          <details className="mt-1">
            <summary className="w-fit cursor-pointer rounded py-0.5 text-muted-foreground">
              {t('webhooks.answer')}
            </summary>
            <pre className="mt-1 max-h-48 overflow-auto rounded-xl border bg-muted p-3 text-xs break-all whitespace-pre-wrap">
              {result.answer}
            </pre>
          </details>
        )}
      </div>
    </div>
  );
}
