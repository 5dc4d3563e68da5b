import { queryOptions } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { type Explanation, isUnderWay } from './explanation.ts';

/** How often a message that is under way is looked at: changes of its state are told of, calls of tools are not. */
const pace = 1500;

/** What became of a message. Read anew when the server tells of a change, and while the message is under way. */
export function explanationQuery(uuid: string) {
  return queryOptions({
    queryKey: ['messages', uuid, 'explanation'],
    queryFn: () =>
      api.get('/api/v1/messages/{message_uuid}/explain', {
        params: { path: { message_uuid: uuid } },
      }) as Promise<Explanation>,
    refetchInterval: ({ state }) => (state.data !== undefined && isUnderWay(state.data) ? pace : false),
  });
}
