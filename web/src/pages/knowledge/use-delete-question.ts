import { useQueryClient } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';

/** Deletes a golden question. */
export function useDeleteQuestion(base: string): (uuid: string) => Promise<void> {
  const queries = useQueryClient();
  return async (uuid) => {
    const path = { knowledge_base_uuid: base, question_uuid: uuid };
    await api.delete('/api/v1/knowledge/bases/{knowledge_base_uuid}/questions/{question_uuid}', { params: { path } });
    await queries.invalidateQueries({ queryKey: ['knowledge', base, 'questions'] });
  };
}
