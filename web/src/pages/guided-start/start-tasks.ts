import { queryOptions } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';

/** What an installation needs until it is of use, in order. */
export const startTasks = ['message', 'model', 'platform', 'knowledge', 'colleague', 'prices'] as const;
export type StartTask = (typeof startTasks)[number];

/** Records that are read: more than every installation begins with. */
const limit = 20;

/** Which tasks are done, by the records that there are. For admins. */
export const startTasksQuery = queryOptions({
  queryKey: ['dashboard', 'start-tasks'],
  queryFn: async (): Promise<Record<StartTask, boolean>> => {
    const params = { query: { limit } };
    const [{ messages }, { models }, { bots }, { bases }, { accounts }, { model_prices }] = await Promise.all([
      api.get('/api/v1/messages', { params: { query: { limit: 1 } } }),
      api.get('/api/v1/provider/models/llm', { params }),
      api.get('/api/v1/platform/bots', { params }),
      api.get('/api/v1/knowledge/bases', {
        params: { query: { sort_by: 'document_count', sort_order: 'DESC', limit: 1 } },
      }),
      api.get('/api/v1/accounts'),
      api.get('/api/v1/provider/model-prices'),
    ]);
    return {
      message: messages.length > 0,
      model: models.some(({ provider }) => provider !== undefined && provider?.requester !== 'demo'),
      // Every installation has the web chat.
      platform: bots.some(({ adapter }) => adapter !== 'websocket'),
      knowledge: bases.some(({ document_count }) => document_count > 0),
      colleague: accounts.length > 1,
      prices: model_prices.length > 0,
    };
  },
});

const keyOf = (user: string) => `start-tasks-dismissed:${user}`;

/** The accounts of this browser that do not want to see the tasks any more. Kept when they sign out. */
export const dismissedTasks = {
  has: (user: string): boolean => read(keyOf(user)) !== null,
  add(user: string): void {
    try {
      localStorage.setItem(keyOf(user), '1');
    } catch {
      // Without storage they are shown again after a reload.
    }
  },
};

function read(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}
