import { Overview } from '../../../core/monitoring/monitoring.ts';
import type { RecordFilter } from '../../../core/monitoring/monitoring-reader.ts';
import type { MonitoringService } from '../../../core/monitoring/monitoring-service.ts';
import type { RecordKind } from '../../../core/monitoring/records.ts';
import { answers, success } from '../../envelope.ts';
import type { TypedServer } from '../route-plugin.ts';
import type { RouteServices } from '../route-services.ts';
import { reads } from './access.ts';
import { analysisRoutes } from './analysis-routes.ts';
import { filterOf, recordFilterOf } from './filters.ts';
import {
  DataQuery,
  EmbeddingCallQuery,
  FeedbackQuery,
  FilterQuery,
  MessageQuery,
  MonitoredEmbeddingCalls,
  MonitoredErrors,
  MonitoredFeedbacks,
  MonitoredLlmCalls,
  MonitoredMessages,
  MonitoredSessions,
  MonitoredToolCalls,
  MonitoringData,
  PageQuery,
  SessionQuery,
} from './schema.ts';

/** Maximum number of records in a response. */
const maximumRecords = 1000;

/** Records and overview of monitoring. */
export async function monitoringRoutes(server: TypedServer, { monitoring }: Pick<RouteServices, 'monitoring'>) {
  const page = pages(monitoring);

  server.get(
    '/api/v1/monitoring/overview',
    {
      config: reads,
      schema: {
        summary: 'Overview',
        querystring: FilterQuery,
        response: answers(Overview, 400, 401, 403),
      },
    },
    async ({ query }) => success(await monitoring.overview(filterOf(query))),
  );

  server.get(
    '/api/v1/monitoring/messages',
    {
      config: reads,
      schema: {
        summary: 'Inbound and outbound messages, newest first',
        querystring: MessageQuery,
        response: answers(MonitoredMessages, 400, 401, 403),
      },
    },
    async ({ query }) => {
      const { records, ...rest } = await page('messages', query);
      return success({ messages: records, ...rest });
    },
  );

  server.get(
    '/api/v1/monitoring/llm-calls',
    {
      config: reads,
      schema: {
        summary: 'Language model calls, newest first',
        querystring: PageQuery,
        response: answers(MonitoredLlmCalls, 400, 401, 403),
      },
    },
    async ({ query }) => {
      const { records, ...rest } = await page('llm-calls', query);
      return success({ llm_calls: records, ...rest });
    },
  );

  server.get(
    '/api/v1/monitoring/tool-calls',
    {
      config: reads,
      schema: {
        summary: 'Tool calls, newest first',
        querystring: PageQuery,
        response: answers(MonitoredToolCalls, 400, 401, 403),
      },
    },
    async ({ query }) => {
      const { records, ...rest } = await page('tool-calls', query);
      return success({ tool_calls: records, ...rest });
    },
  );

  server.get(
    '/api/v1/monitoring/embedding-calls',
    {
      config: reads,
      schema: {
        summary: 'Embedding model calls, newest first',
        querystring: EmbeddingCallQuery,
        response: answers(MonitoredEmbeddingCalls, 400, 401, 403),
      },
    },
    async ({ query }) => {
      const { records, ...rest } = await page('embedding-calls', query);
      return success({ embedding_calls: records, ...rest });
    },
  );

  server.get(
    '/api/v1/monitoring/sessions',
    {
      config: reads,
      schema: {
        summary: 'Users and groups that bots talked with, by their last activity',
        querystring: SessionQuery,
        response: answers(MonitoredSessions, 400, 401, 403),
      },
    },
    async ({ query }) => {
      const { records, ...rest } = await page('sessions', query);
      return success({ sessions: records, ...rest });
    },
  );

  server.get(
    '/api/v1/monitoring/errors',
    {
      config: reads,
      schema: {
        summary: 'Errors, newest first',
        description: 'Failed messages, model calls, tool calls and deliveries.',
        querystring: PageQuery,
        response: answers(MonitoredErrors, 400, 401, 403),
      },
    },
    async ({ query }) => {
      const { records, ...rest } = await page('errors', query);
      return success({ errors: records, ...rest });
    },
  );

  server.get(
    '/api/v1/monitoring/feedback',
    {
      config: reads,
      schema: {
        summary: 'Feedback, newest first',
        querystring: FeedbackQuery,
        response: answers(MonitoredFeedbacks, 400, 401, 403),
      },
    },
    async ({ query }) => {
      const { records, ...rest } = await page('feedback', query);
      return success({ feedback: records, ...rest });
    },
  );

  server.get(
    '/api/v1/monitoring/data',
    {
      config: reads,
      schema: {
        summary: 'Overview and the newest records of every type',
        querystring: DataQuery,
        response: answers(MonitoringData, 400, 401, 403),
      },
    },
    async ({ query }) => {
      const part = { ...query, offset: 0 };
      const [overview, messages, llmCalls, embeddingCalls, sessions, errors] = await Promise.all([
        monitoring.overview(filterOf(query)),
        page('messages', part),
        page('llm-calls', part),
        page('embedding-calls', part),
        page('sessions', part),
        page('errors', part),
      ]);
      return success({
        overview,
        messages: messages.records,
        llmCalls: llmCalls.records,
        embeddingCalls: embeddingCalls.records,
        sessions: sessions.records,
        errors: errors.records,
        totalCount: {
          messages: messages.total,
          llmCalls: llmCalls.total,
          embeddingCalls: embeddingCalls.total,
          sessions: sessions.total,
          errors: errors.total,
        },
      });
    },
  );

  await analysisRoutes(server, monitoring);
}

/** Reads a page of records, with the filters of a query. */
function pages(monitoring: MonitoringService) {
  return async <Kind extends RecordKind>(
    kind: Kind,
    query: Parameters<typeof recordFilterOf>[0] & { limit: number; offset: number },
  ) => {
    const filter: RecordFilter = recordFilterOf(query);
    const limit = Math.min(query.limit, maximumRecords);
    const { records, total } = await monitoring.page(kind, filter, { limit, offset: query.offset });
    return { records, total, limit, offset: query.offset };
  };
}
