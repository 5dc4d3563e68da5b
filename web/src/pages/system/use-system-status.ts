import type { components } from '@parley/client';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';

export type SystemStatus = components['schemas']['SystemStatus'];
export type StorageSize = components['schemas']['StorageSize'];
export type EffectiveSetting = components['schemas']['EffectiveSetting'];

/** Polling interval, milliseconds: storage is measured each time. */
const interval = 60_000;

/** Process, storage and settings. */
export function useSystemStatus() {
  return useQuery({
    queryKey: ['system', 'status'],
    queryFn: () => api.get('/api/v1/system/status'),
    refetchInterval: interval,
  });
}
