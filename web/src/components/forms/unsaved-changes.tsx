import { useBlocker } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';

/** Asks before what was typed is lost by leaving the page. */
export function UnsavedChanges({ when }: { when: boolean }) {
  const { t } = useTranslation();
  const blocker = useBlocker({ shouldBlockFn: () => when, enableBeforeUnload: when, withResolver: true });
  if (blocker.status !== 'blocked') return null;
  return (
    <Dialog title={t('common.leave')} onClose={blocker.reset}>
      <p className="mt-2 text-muted-foreground">{t('common.leaveText')}</p>
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
}
