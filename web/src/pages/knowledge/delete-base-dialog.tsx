import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { api } from '../../lib/api.ts';
import { notify } from '../../lib/notify.ts';
import type { KnowledgeBase } from './knowledge-queries.ts';

interface DeleteBaseDialogProps {
  base: KnowledgeBase;
  onDeleted?: () => void;
  onClose: () => void;
}

/** Deletes a knowledge base with its documents, with its name as confirmation. */
export function DeleteBaseDialog({ base, onDeleted, onClose }: DeleteBaseDialogProps) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  return (
    <ConfirmDialog
      title={t('knowledge.deleteTitle')}
      text={t('knowledge.deleteText', { count: base.document_count })}
      confirm={t('knowledge.delete')}
      name={base.name}
      onClose={onClose}
      action={async () => {
        const path = { knowledge_base_uuid: base.uuid };
        await api.delete('/api/v1/knowledge/bases/{knowledge_base_uuid}', { params: { path } });
        notify.done(t('common.deleted', { name: base.name }));
        onDeleted?.();
        // Leaves its page first, which would show that it does not exist.
        await queries.invalidateQueries({ queryKey: ['knowledge'], exact: true });
      }}
    />
  );
}
