import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useDeletion } from '../../components/lists/use-deletion.ts';
import { api } from '../../lib/api.ts';
import { notify } from '../../lib/notify.ts';
import { saveFile } from '../../lib/save-file.ts';
import { isUnderWay, type KnowledgeDocument } from './knowledge-queries.ts';

/** Actions of the documents of a base. */
export function useDocumentActions(base: string) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const hold = useDeletion();
  const refresh = async () => {
    await queries.invalidateQueries({ queryKey: ['knowledge', base] });
    await queries.invalidateQueries({ queryKey: ['knowledge', 'page'] });
  };
  const path = (file: string) => ({ params: { path: { knowledge_base_uuid: base, file_uuid: file } } });
  const act = useMutation({
    mutationFn: ({ verb, file }: { verb: 'retry' | 'reindex' | 'cancel'; file: string }): Promise<unknown> =>
      verb === 'retry'
        ? api.post('/api/v1/knowledge/bases/{knowledge_base_uuid}/files/{file_uuid}/retry', path(file))
        : verb === 'reindex'
          ? api.post('/api/v1/knowledge/bases/{knowledge_base_uuid}/files/{file_uuid}/reindex', path(file))
          : api.post('/api/v1/knowledge/bases/{knowledge_base_uuid}/files/{file_uuid}/cancel', path(file)),
    onError: notify.failed,
    onSettled: refresh,
  });
  return {
    isBusy: act.isPending,
    retry: (file: string) => act.mutate({ verb: 'retry', file }),
    reindex: (file: string) => act.mutate({ verb: 'reindex', file }),
    cancel: (file: string) => act.mutate({ verb: 'cancel', file }),
    remove: ({ uuid, file_name }: KnowledgeDocument) =>
      hold({
        keys: [`documents/${uuid}`],
        text: t('knowledge.removed', { name: file_name }),
        send: (keepalive) =>
          api.delete('/api/v1/knowledge/bases/{knowledge_base_uuid}/files/{file_uuid}', { ...path(uuid), keepalive }),
        refresh,
      }),
    download: ({ uuid, file_name }: KnowledgeDocument) =>
      saveFile(`/api/v1/knowledge/bases/${base}/files/${uuid}/content`, file_name).catch(notify.failed),
  };
}

/** Actions for the current stage of a document. */
export function possibleWith(document: KnowledgeDocument) {
  const { stage } = document;
  return {
    canRetry: stage === 'failed' || stage === 'cancelled',
    canReindex: stage === 'ready',
    canCancel: isUnderWay(document),
  };
}
