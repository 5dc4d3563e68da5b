import type { components } from '@parley/client';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';

/** The users and groups that a bot talked with last. */
export function knownSessionsQuery(bot: string) {
  return queryOptions({
    queryKey: ['messages', 'known', bot],
    queryFn: async () => {
      const query = { botId: bot, limit: 100, offset: 0 };
      return (await api.get('/api/v1/monitoring/sessions', { params: { query } })).sessions;
    },
  });
}

/** The name of a user or group; null if it is not known. */
export function nameOfSession({ user_name, group_name, session_id }: components['schemas']['MonitoredSession']) {
  return session_id.startsWith('group_') ? group_name : user_name;
}
