import { queryOptions } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';

/** What anybody may know about the server; how far the guided start is among it. */
export const systemInfoQuery = queryOptions({
  queryKey: ['system', 'info'],
  queryFn: () => api.get('/api/v1/system/info'),
});
