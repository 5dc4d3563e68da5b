import { useMutation, useQueryClient } from '@tanstack/react-query';
import { RotateCw } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../lib/api.ts';
import { FailureAlert } from '../failure/failure-alert.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import type { Explanation } from './explanation.ts';

interface RetryDeliveryProps {
  messageUuid: string;
  delivery: Explanation['deliveries'][number];
}

/** Retries a failed or uncertain part, after a warning if it may appear twice. */
export function RetryDelivery({ messageUuid, delivery: { piece, state } }: RetryDeliveryProps) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const [isOpen, setIsOpen] = useState(false);
  const retry = useMutation({
    mutationFn: () =>
      api.post('/api/v1/messages/{message_uuid}/deliveries/{part}/retry', {
        params: { path: { message_uuid: messageUuid, part: piece } },
      }),
    onSuccess: () => setIsOpen(false),
    onSettled: () => queries.invalidateQueries({ queryKey: ['messages'] }),
  });
  const close = () => {
    setIsOpen(false);
    retry.reset();
  };
  const part = t('explain.piece', { number: piece + 1 });
  return (
    <>
      <Button
        variant="outline"
        size="small"
        aria-label={t('explain.retry.label', { part })}
        onClick={() => setIsOpen(true)}
      >
        <RotateCw aria-hidden />
        {t('explain.retry.open')}
      </Button>
      {isOpen && (
        <Dialog title={t('explain.retry.title', { part })} onClose={close}>
          <p className="mt-2 text-pretty text-muted-foreground">
            {t(state === 'uncertain' ? 'explain.retry.uncertainText' : 'explain.retry.failedText')}
          </p>
          {retry.isError && <FailureAlert className="mt-4" error={retry.error} />}
          <div className="mt-6 flex flex-wrap justify-end gap-2">
            <Button variant="outline" onClick={close}>
              {t('common.cancel')}
            </Button>
            <Button disabled={retry.isPending} onClick={() => retry.mutate()}>
              {t('explain.retry.confirm')}
            </Button>
          </div>
        </Dialog>
      )}
    </>
  );
}
