import { queryOptions } from '@tanstack/react-query';
import { api } from './api.ts';

/** Public information about the server, including the progress of the guided start. */
export const systemInfoQuery = queryOptions({
  queryKey: ['system', 'info'],
  queryFn: () => api.get('/api/v1/system/info'),
});
