import { useTranslation } from 'react-i18next';
import type { useDraft } from '../../lib/use-draft.ts';
import { FailureAlert } from '../failure/failure-alert.tsx';
import { Alert } from '../ui/alert.tsx';
import { Button } from '../ui/button.tsx';
import { ConflictNotice } from './conflict-notice.tsx';
import { UnsavedChanges } from './unsaved-changes.tsx';

interface SaveBarProps {
  draft: Pick<
    // biome-ignore lint/suspicious/noExplicitAny: whatever is edited
    ReturnType<typeof useDraft<any, any>>,
    | 'isDirty'
    | 'isSaving'
    | 'error'
    | 'conflict'
    | 'restored'
    | 'save'
    | 'overwrite'
    | 'takeTheirs'
    | 'discard'
    | 'forget'
  >;
  /** The draft belongs to the page, not to one of its tabs. */
  acrossTabs?: boolean;
  /** What the form calls a field, where the page does not show all of them at once. */
  labelOf?: (path: string) => string | null;
  /** A more specific error than that of the server. */
  failure?: string;
  /** What the button is called. Default: to save. */
  saveLabel?: string;
  /** Replaces saving as the main action. */
  mainAction?: React.ReactNode;
  /** Additional actions, for example a preview of the changes. */
  children?: React.ReactNode;
}

/** Stays visible while there are changes: saves or discards them, and shows errors. */
export function SaveBar({
  draft,
  acrossTabs = false,
  labelOf,
  failure,
  saveLabel,
  mainAction,
  children,
}: SaveBarProps) {
  const { t } = useTranslation();
  return (
    <>
      <UnsavedChanges when={draft.isDirty} acrossTabs={acrossTabs} onLeave={draft.forget} />
      <div className="sticky bottom-0 z-10 -mx-4 mt-8 space-y-3 border-t bg-background/95 px-4 py-3 backdrop-blur sm:-mx-6 sm:px-6 lg:-mx-8 lg:px-8">
        {draft.conflict !== null && (
          <ConflictNotice
            differences={draft.conflict}
            labelOf={labelOf}
            isSaving={draft.isSaving}
            onOverwrite={draft.overwrite}
            onTakeTheirs={draft.takeTheirs}
          />
        )}
        {draft.restored !== 'no' && draft.conflict === null && (
          <Alert variant="notice">{t(draft.restored === 'yes' ? 'common.restored' : 'common.restoredOutdated')}</Alert>
        )}
        {draft.error !== null &&
          (failure === undefined ? <FailureAlert error={draft.error} /> : <Alert>{failure}</Alert>)}
        <div className="flex flex-wrap items-center gap-2">
          {mainAction}
          <Button
            variant={mainAction === undefined ? 'primary' : 'outline'}
            onClick={draft.save}
            disabled={!draft.isDirty || draft.isSaving}
          >
            {draft.isSaving ? t('common.saving') : (saveLabel ?? t('common.save'))}
          </Button>
          {draft.isDirty && (
            <Button variant="ghost" onClick={draft.discard} disabled={draft.isSaving}>
              {t('common.discard')}
            </Button>
          )}
          {children}
          <span role="status" className="ml-auto text-sm text-muted-foreground max-sm:sr-only">
            {draft.isDirty && t('common.unsaved')}
          </span>
        </div>
      </div>
    </>
  );
}
