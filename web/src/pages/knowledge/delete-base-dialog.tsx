import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { DeleteDialog, type DeletionProps } from '../../components/delete-dialog.tsx';
import { HeldDeletion } from '../../components/lists/held-deletion.tsx';
import { api } from '../../lib/api.ts';
import { basesPageQuery, type KnowledgeBase } from './knowledge-queries.ts';

/** Documents of a base whose deletion can be undone instead of being confirmed, at most. */
const fewDocuments = 10;

/** Deletes a knowledge base with its documents; one that is large or in use with its name as confirmation. */
export function DeleteBaseDialog({ base, ...ends }: { base: KnowledgeBase } & DeletionProps) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const send = (keepalive: boolean) =>
    api.delete('/api/v1/knowledge/bases/{knowledge_base_uuid}', {
      params: { path: { knowledge_base_uuid: base.uuid } },
      keepalive,
    });
  const refresh = () => queries.invalidateQueries({ queryKey: ['knowledge'] });
  // The server refuses to delete one that pipelines use, which must not be said seconds later.
  const used = useQuery(basesPageQuery({ ids: base.uuid, used: true, limit: 1, offset: 0 }));
  if (used.isFetching) return null;
  if (base.document_count <= fewDocuments && used.data?.total === 0) {
    return (
      <HeldDeletion
        keys={[`knowledge/${base.uuid}`]}
        text={t('common.deleted', { name: base.name })}
        send={send}
        refresh={refresh}
        {...ends}
      />
    );
  }
  return (
    <DeleteDialog
      title={t('knowledge.deleteTitle')}
      text={t('knowledge.deleteText', { count: base.document_count })}
      confirm={t('knowledge.delete')}
      name={base.name}
      remove={() => send(false)}
      refresh={refresh}
      {...ends}
    />
  );
}
