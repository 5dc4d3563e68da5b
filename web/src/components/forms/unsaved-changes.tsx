import { useBlocker } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';

interface UnsavedChangesProps {
  when: boolean;
  /** The input survives tab changes, so that only leaving the page asks. */
  acrossTabs?: boolean;
  /** Called when the user leaves without saving. */
  onLeave?: () => void;
}

/** Asks before unsaved input is lost by leaving the page. */
export function UnsavedChanges({ when, acrossTabs = false, onLeave }: UnsavedChangesProps) {
  const { t } = useTranslation();
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => when && !(acrossTabs && current.pathname === next.pathname),
    enableBeforeUnload: when,
    withResolver: true,
  });
  if (blocker.status !== 'blocked') return null;
  return (
    <Dialog title={t('common.leave')} onClose={blocker.reset}>
      <p className="mt-2 text-muted-foreground">{t('common.leaveText')}</p>
      <div className="mt-6 flex flex-wrap justify-end gap-2">
        <Button variant="outline" onClick={blocker.reset}>
          {t('common.stay')}
        </Button>
        <Button
          variant="destructive"
          onClick={() => {
            onLeave?.();
            blocker.proceed();
          }}
        >
          {t('common.leaveConfirm')}
        </Button>
      </div>
    </Dialog>
  );
}
