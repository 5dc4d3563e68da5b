import { useTranslation } from 'react-i18next';
import { DeleteDialog, type DeletionProps } from '../../components/delete-dialog.tsx';
import { api } from '../../lib/api.ts';
import type { KnowledgeBase } from './knowledge-queries.ts';

/** Deletes a knowledge base with its documents, with its name as confirmation. */
export function DeleteBaseDialog({ base, ...ends }: { base: KnowledgeBase } & DeletionProps) {
  const { t } = useTranslation();
  return (
    <DeleteDialog
      title={t('knowledge.deleteTitle')}
      text={t('knowledge.deleteText', { count: base.document_count })}
      confirm={t('knowledge.delete')}
      name={base.name}
      remove={() =>
        api.delete('/api/v1/knowledge/bases/{knowledge_base_uuid}', {
          params: { path: { knowledge_base_uuid: base.uuid } },
        })
      }
      refresh={(queries) => queries.invalidateQueries({ queryKey: ['knowledge'], exact: true })}
      {...ends}
    />
  );
}
