import { queryOptions } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { type Explanation, isUnderWay } from './explanation.ts';

/** Polling interval for messages in progress: state changes are events, tool calls are not. */
const pace = 1500;

/** The trace of a message. Refetched on events, and while the message is in progress. */
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
