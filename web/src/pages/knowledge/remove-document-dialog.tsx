import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import type { KnowledgeDocument } from './knowledge-queries.ts';
import { useDocumentActions } from './use-document-actions.ts';

interface RemoveDocumentDialogProps {
  base: string;
  document: KnowledgeDocument;
  /** Called before data is refetched. */
  onRemoved?: () => void;
  onClose: () => void;
}

/** Deletes a document from its base, after confirmation. */
export function RemoveDocumentDialog({ base, document, onRemoved, onClose }: RemoveDocumentDialogProps) {
  const { t } = useTranslation();
  const { remove } = useDocumentActions(base);
  return (
    <ConfirmDialog
      title={t('knowledge.removeTitle')}
      text={t('knowledge.removeText', { name: document.file_name })}
      confirm={t('common.remove')}
      onClose={onClose}
      action={async () => {
        await remove(document);
        onRemoved?.();
      }}
    />
  );
}
