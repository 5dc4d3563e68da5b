import type { MonitoringFilter, RecordFilter } from '../../../core/monitoring/monitoring-reader.ts';
import { queryTimestamp } from '../../query-timestamp.ts';

type Texts = string | string[] | undefined;

/** Filters of the monitoring routes. */
interface FilterQuery {
  botId?: Texts;
  pipelineId?: Texts;
  startTime?: string;
  endTime?: string;
}

interface RecordQuery extends FilterQuery {
  sessionId?: Texts;
  knowledgeBaseId?: string;
  isActive?: string;
  feedbackType?: number;
  messageId?: Texts;
}

/** @throws ParleyError `invalid_request` for an invalid timestamp */
export function filterOf({ botId, pipelineId, startTime, endTime }: FilterQuery): MonitoringFilter {
  return {
    bots: valuesOf(botId)?.map((uuid) => uuid.toLowerCase()),
    pipelines: valuesOf(pipelineId)?.map((uuid) => uuid.toLowerCase()),
    from: queryTimestamp('startTime', inUtc(startTime)),
    to: queryTimestamp('endTime', inUtc(endTime)),
  };
}

/** @throws ParleyError `invalid_request` for an invalid timestamp */
export function recordFilterOf(query: RecordQuery): RecordFilter {
  const { sessionId, knowledgeBaseId, isActive, feedbackType, messageId } = query;
  return {
    ...filterOf(query),
    sessions: valuesOf(sessionId),
    knowledge_base: knowledgeBaseId === '' ? undefined : knowledgeBaseId,
    is_active: isActive === undefined ? undefined : isActive === 'true',
    feedback_type: feedbackType,
    messages: valuesOf(messageId)?.map((uuid) => uuid.toLowerCase()),
  };
}

/** The values of a filter; undefined without values, for everything. */
export function valuesOf(texts: Texts): string[] | undefined {
  const values = [texts ?? []].flat().filter((text) => text !== '');
  return values.length === 0 ? undefined : [...new Set(values)];
}

/** Parses a timestamp without an offset as UTC. */
function inUtc(timestamp: string | undefined): string | undefined {
  if (timestamp === undefined || !/[T ]/i.test(timestamp)) return timestamp;
  return /(Z|[+-]\d\d(:?\d\d)?)$/i.test(timestamp) ? timestamp : `${timestamp}Z`;
}
