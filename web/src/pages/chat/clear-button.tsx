import { useMutation } from '@tanstack/react-query';
import { SquarePen } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FailureAlert } from '../../components/failure/failure-alert.tsx';
import { Button } from '../../components/ui/button.tsx';
import { Dialog } from '../../components/ui/dialog.tsx';

/** Resets the conversation, after confirmation. */
export function ClearButton({ disabled, onClear }: { disabled: boolean; onClear: () => Promise<void> }) {
  const { t } = useTranslation();
  const [asked, setAsked] = useState(false);
  const clear = useMutation({ mutationFn: onClear, onSuccess: () => setAsked(false) });
  const close = () => {
    setAsked(false);
    clear.reset();
  };
  return (
    <>
      <Button
        variant="ghost"
        size="icon"
        disabled={disabled}
        aria-label={t('clear.open')}
        title={t('clear.open')}
        onClick={() => setAsked(true)}
      >
        <SquarePen aria-hidden />
      </Button>
      {asked && (
        <Dialog title={t('clear.title')} onClose={close}>
          <p className="mt-2 leading-relaxed text-muted-foreground">{t('clear.text')}</p>
          {clear.isError && <FailureAlert className="mt-4" error={clear.error} />}
          <div className="mt-6 flex flex-wrap justify-end gap-2.5">
            <Button variant="outline" onClick={close}>
              {t('clear.cancel')}
            </Button>
            <Button disabled={clear.isPending} onClick={() => clear.mutate()}>
              {t('clear.confirm')}
            </Button>
          </div>
        </Dialog>
      )}
    </>
  );
}
