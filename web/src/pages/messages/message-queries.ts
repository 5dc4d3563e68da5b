import type { components } from '@parley/client';
import { queryOptions } from '@tanstack/react-query';
import { windowOf } from '../../components/time-range/time-range.ts';
import { api } from '../../lib/api.ts';
import { withoutRepeatedReasons } from '../../lib/repeated-reasons.ts';
import type { MessagesSearch } from './messages-search.ts';

export type Message = components['schemas']['Message'];
export type Feedback = components['schemas']['MonitoredFeedback'];

/** Rows per page of the tables. */
export const tablePageSize = 50;

/** The filters of the list, for the API. Ranges that end now are relative to the time of the request. */
export function listQuery(search: MessagesSearch) {
  const { bot, pipeline, text, state, reason, direction, type, person } = search;
  return defined({
    bot_uuid: bot,
    pipeline_uuid: pipeline,
    text,
    state,
    reason,
    direction,
    session_type: type,
    sender_id: person,
    ...windowOf(search, Date.now()),
  });
}

/** The filters of tables and exports. */
export function recordQuery(search: MessagesSearch) {
  const { from, to } = windowOf(search, Date.now());
  return defined({ botId: search.bot, pipelineId: search.pipeline, startTime: from, endTime: to });
}

function pageOf({ page = 1 }: MessagesSearch) {
  return { limit: tablePageSize, offset: (page - 1) * tablePageSize };
}

export function defined<Fields extends object>(fields: Fields) {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Fields]?: Exclude<Fields[Name], undefined>;
  };
}

export function messageQuery(uuid: string) {
  return queryOptions({
    queryKey: ['messages', uuid],
    queryFn: () => api.get('/api/v1/messages/{message_uuid}', { params: { path: { message_uuid: uuid } } }),
  });
}

export function sessionsQuery(search: MessagesSearch) {
  return queryOptions({
    queryKey: ['messages', 'sessions', search],
    queryFn: () =>
      api.get('/api/v1/monitoring/sessions', { params: { query: { ...recordQuery(search), ...pageOf(search) } } }),
  });
}

export function errorsQuery(search: MessagesSearch) {
  return queryOptions({
    queryKey: ['messages', 'errors', search],
    queryFn: async () => {
      const query = { ...recordQuery(search), ...pageOf(search) };
      const { errors, ...rest } = await api.get('/api/v1/monitoring/errors', { params: { query } });
      return { errors: await withoutRepeatedReasons(errors), ...rest };
    },
  });
}

export function feedbackQuery(search: MessagesSearch) {
  const feedbackType = search.opinion === undefined ? undefined : search.opinion === 'like' ? 1 : 2;
  return queryOptions({
    queryKey: ['messages', 'feedback', search],
    queryFn: () => {
      const query = { ...recordQuery(search), ...defined({ feedbackType }), ...pageOf(search) };
      return api.get('/api/v1/monitoring/feedback', { params: { query } });
    },
  });
}

/** Feedback on a message or its answer. */
export function feedbackOfQuery(uuids: readonly string[]) {
  return queryOptions({
    queryKey: ['messages', 'feedback-of', ...uuids],
    queryFn: async (): Promise<Feedback[]> => {
      const query = { messageId: [...uuids], limit: 100, offset: 0 };
      return (await api.get('/api/v1/monitoring/feedback', { params: { query } })).feedback;
    },
  });
}

/** Splits a session id into type and id. */
export function sessionOf(sessionId: string): { session_type: 'person' | 'group'; session_id: string } {
  const isGroup = sessionId.startsWith('group_');
  return { session_type: isGroup ? 'group' : 'person', session_id: sessionId.replace(/^(person|group)_/, '') };
}
