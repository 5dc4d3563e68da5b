import type { components } from '@parley/client';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';

export type SystemStatus = components['schemas']['SystemStatus'];
export type StorageSize = components['schemas']['StorageSize'];
export type EffectiveSetting = components['schemas']['EffectiveSetting'];

/** How often it is asked for while it is looked at, milliseconds: what is stored is measured each time. */
const interval = 60_000;

/** The process, what it stores and its settings. */
export function useSystemStatus() {
  return useQuery({
    queryKey: ['system', 'status'],
    queryFn: () => api.get('/api/v1/system/status'),
    refetchInterval: interval,
  });
}
