import type { components } from '@parley/client';
import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';

export type ChatConversation = components['schemas']['ChatConversation'];

/** The conversations of the account, latest first. Read again when messages arrive. */
export function conversationsQuery(search: string) {
  return infiniteQueryOptions({
    queryKey: ['messages', 'chat-conversations', search],
    queryFn: ({ pageParam }) =>
      api.get('/api/v1/chat/conversations', {
        params: { query: { ...(search !== '' && { search }), ...(pageParam !== '' && { cursor: pageParam }) } },
      }),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }) => next_cursor,
    placeholderData: keepPreviousData,
  });
}

/** Name of a conversation for {@link useHeldKeys}. */
export function conversationKey(uuid: string): string {
  return `chat-conversations/${uuid}`;
}
