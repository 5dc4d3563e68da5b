import { useBlocker } from '@tanstack/react-router';
import { type ReactNode, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../components/ui/button.tsx';
import { Dialog } from '../../components/ui/dialog.tsx';

/**
 * For a secret that is shown once: leaving the page asks first, until the user has confirmed that it is saved.
 * @returns `warning` to be rendered, and the handler of the confirming button
 */
export function useSaveFirst(onSaved: () => void): { warning: ReactNode; confirm: () => void } {
  const { t } = useTranslation();
  const isSaved = useRef(false);
  const blocker = useBlocker({
    shouldBlockFn: () => !isSaved.current,
    enableBeforeUnload: () => !isSaved.current,
    withResolver: true,
  });
  const warning = blocker.status === 'blocked' && (
    <Dialog title={t('recovery.leave')} onClose={blocker.reset}>
      <p className="mt-2 text-muted-foreground">{t('recovery.leaveText')}</p>
      <div className="mt-6 flex flex-wrap justify-end gap-2">
        <Button variant="outline" onClick={blocker.reset}>
          {t('common.stay')}
        </Button>
        <Button variant="destructive" onClick={blocker.proceed}>
          {t('common.leaveConfirm')}
        </Button>
      </div>
    </Dialog>
  );
  return {
    warning,
    confirm: () => {
      isSaved.current = true;
      onSaved();
    },
  };
}
