import { queryOptions } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';

/** The provider of each language model, by uuid. */
export const modelOwnersQuery = queryOptions({
  queryKey: ['models', 'owners'],
  staleTime: 60_000,
  queryFn: async () => {
    const { models } = await api.get('/api/v1/provider/models/llm');
    return new Map(models.map(({ uuid, provider_uuid }) => [uuid, provider_uuid]));
  },
});
