import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { notify } from '../lib/notify.ts';
import { ConfirmDialog } from './confirm-dialog.tsx';

export interface DeletionProps {
  /** Leaves the page of the record. */
  onDeleted?: () => unknown;
  onClose: () => void;
}

interface DeleteDialogProps extends DeletionProps {
  title: string;
  /** What will be lost. */
  text: string;
  /** Label of the button. */
  confirm: string;
  /** Name of the record, to type for confirmation. */
  name: string;
  remove: () => Promise<unknown>;
  refresh: (queries: QueryClient) => Promise<void>;
}

/** Deletes a record, with its name as confirmation. */
export function DeleteDialog({ remove, refresh, onDeleted, ...dialog }: DeleteDialogProps) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  return (
    <ConfirmDialog
      {...dialog}
      action={async () => {
        await remove();
        notify.done(t('common.deleted', { name: dialog.name }));
        // Leaves its page first, which would show that it does not exist.
        await onDeleted?.();
        await refresh(queries);
      }}
    />
  );
}
