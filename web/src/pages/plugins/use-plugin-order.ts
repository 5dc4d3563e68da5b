import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { api } from '../../lib/api.ts';
import { notify } from '../../lib/notify.ts';
import { movedItem } from './moved-item.ts';

/**
 * The order of plugins, shown as it is changed and stored at once.
 * @param stored ids in the order of the server
 */
export function usePluginOrder(stored: readonly string[]) {
  const queries = useQueryClient();
  const [changed, setChanged] = useState<readonly string[] | null>(null);
  const latest = useRef(changed);
  latest.current = changed;
  const save = useMutation({
    // One after the other: the last one counts.
    scope: { id: 'plugin-order' },
    mutationFn: (order: readonly string[]) => api.put('/api/v1/plugins/order', { body: { order: [...order] } }),
    onError: notify.failed,
    onSettled: async (_data, _error, order) => {
      await queries.invalidateQueries({ queryKey: ['plugins'], exact: true });
      if (latest.current === order) setChanged(null);
    },
  });
  // Those that came or went meanwhile are where the server has them.
  const isCurrent = changed?.length === stored.length && changed.every((id) => stored.includes(id));
  const order = isCurrent && changed !== null ? changed : stored;
  return {
    order,
    /** Shows a plugin at another place. @returns the order to store */
    place(id: string, to: number): readonly string[] {
      const next = movedItem(order, id, to);
      setChanged(next);
      return next;
    },
    store: (next: readonly string[]) => save.mutate(next),
  };
}
