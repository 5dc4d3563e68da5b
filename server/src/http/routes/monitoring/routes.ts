import { ParleyError } from '@parley/sdk';
import Type from 'typebox';
import { answers, success } from '../../envelope.ts';
import type { TypedServer } from '../route-plugin.ts';
import { exportColumns } from './export-columns.ts';
import {
  DataQuery,
  EmbeddingCallQuery,
  ExportAnswer,
  ExportQuery,
  FeedbackQuery,
  FeedbackStatistics,
  FilterQuery,
  MessageDetails,
  MessageParams,
  MessageQuery,
  MonitoredEmbeddingCalls,
  MonitoredErrors,
  MonitoredFeedbacks,
  MonitoredLlmCalls,
  MonitoredMessages,
  MonitoredSessions,
  MonitoringData,
  MonitoringOverview,
  PageQuery,
  SessionAnalysis,
  SessionParams,
  SessionQuery,
} from './schema.ts';

const tags = ['monitoring'];
const config = { access: { credential: 'either', scope: 'read' } } as const;

/** Most records of one answer. */
const maximumRecords = 1000;

/** Of nothing, everything went well. */
const overview = {
  total_messages: 0,
  llm_calls: 0,
  embedding_calls: 0,
  model_calls: 0,
  success_rate: 100,
  active_sessions: 0,
};

function emptyPage({ limit, offset }: { limit: number; offset: number }) {
  return { total: 0, limit: Math.min(limit, maximumRecords), offset };
}

const error = Type.Ref('ErrorResponse');
const refusals = { 400: error, 401: error, 403: error };

const summaryOf = (what: string) => `${what}; nothing is recorded yet`;

/** What clients read of monitoring, which records nothing yet. */
export async function monitoringRoutes(server: TypedServer) {
  server.get(
    '/api/v1/monitoring/overview',
    {
      config,
      schema: {
        tags,
        summary: summaryOf('Figures'),
        querystring: FilterQuery,
        response: answers(MonitoringOverview, 400, 401, 403),
      },
    },
    async () => success(overview),
  );

  server.get(
    '/api/v1/monitoring/messages',
    {
      config,
      schema: {
        tags,
        summary: summaryOf('Messages'),
        querystring: MessageQuery,
        response: answers(MonitoredMessages, 400, 401, 403),
      },
    },
    async ({ query }) => success({ messages: [], ...emptyPage(query) }),
  );

  server.get(
    '/api/v1/monitoring/messages/:message_id/details',
    {
      config,
      schema: {
        tags,
        summary: summaryOf('A message with its model calls'),
        params: MessageParams,
        response: answers(MessageDetails, 401, 403, 404),
      },
    },
    async () => {
      throw new ParleyError('not_found', 'message not found');
    },
  );

  server.get(
    '/api/v1/monitoring/llm-calls',
    {
      config,
      schema: {
        tags,
        summary: summaryOf('Calls of language models'),
        querystring: PageQuery,
        response: answers(MonitoredLlmCalls, 400, 401, 403),
      },
    },
    async ({ query }) => success({ llm_calls: [], ...emptyPage(query) }),
  );

  server.get(
    '/api/v1/monitoring/embedding-calls',
    {
      config,
      schema: {
        tags,
        summary: summaryOf('Calls of embedding models'),
        querystring: EmbeddingCallQuery,
        response: answers(MonitoredEmbeddingCalls, 400, 401, 403),
      },
    },
    async ({ query }) => success({ embedding_calls: [], ...emptyPage(query) }),
  );

  server.get(
    '/api/v1/monitoring/sessions',
    {
      config,
      schema: {
        tags,
        summary: summaryOf('Sessions'),
        querystring: SessionQuery,
        response: answers(MonitoredSessions, 400, 401, 403),
      },
    },
    async ({ query }) => success({ sessions: [], ...emptyPage(query) }),
  );

  server.get(
    '/api/v1/monitoring/sessions/:session_id/analysis',
    {
      config,
      schema: {
        tags,
        summary: summaryOf('What a session was made of'),
        params: SessionParams,
        response: answers(SessionAnalysis, 401, 403),
      },
    },
    async ({ params }) => success({ session_id: params.session_id, found: false }),
  );

  server.get(
    '/api/v1/monitoring/errors',
    {
      config,
      schema: {
        tags,
        summary: summaryOf('Errors'),
        querystring: PageQuery,
        response: answers(MonitoredErrors, 400, 401, 403),
      },
    },
    async ({ query }) => success({ errors: [], ...emptyPage(query) }),
  );

  server.get(
    '/api/v1/monitoring/data',
    {
      config,
      schema: {
        tags,
        summary: summaryOf('Figures and the newest records of every kind'),
        querystring: DataQuery,
        response: answers(MonitoringData, 400, 401, 403),
      },
    },
    async () =>
      success({
        overview,
        messages: [],
        llmCalls: [],
        embeddingCalls: [],
        sessions: [],
        errors: [],
        totalCount: { messages: 0, llmCalls: 0, embeddingCalls: 0, sessions: 0, errors: 0 },
      }),
  );

  server.get(
    '/api/v1/monitoring/export',
    {
      config,
      schema: {
        tags,
        summary: summaryOf('Records as a table'),
        querystring: ExportQuery,
        response: { 200: ExportAnswer, ...refusals },
      },
    },
    async ({ query }, reply) => {
      const name = `monitoring-${query.type}-${Math.floor(Date.now() / 1000)}.csv`;
      return (
        reply
          .header('content-disposition', `attachment; filename="${name}"`)
          .type('text/csv; charset=utf-8')
          .serializer(String)
          // Spreadsheets know the encoding by the mark.
          .send(`\uFEFF${exportColumns[query.type].join(',')}\n` as never)
      );
    },
  );

  server.get(
    '/api/v1/monitoring/feedback',
    {
      config,
      schema: {
        tags,
        summary: summaryOf('What people said about answers'),
        querystring: FeedbackQuery,
        response: answers(MonitoredFeedbacks, 400, 401, 403),
      },
    },
    async ({ query }) => success({ feedback: [], ...emptyPage(query) }),
  );

  server.get(
    '/api/v1/monitoring/feedback/stats',
    {
      config,
      schema: {
        tags,
        summary: summaryOf('How content people are'),
        querystring: FilterQuery,
        response: answers(FeedbackStatistics, 400, 401, 403),
      },
    },
    async () => success({ total_feedback: 0, total_likes: 0, total_dislikes: 0, satisfaction_rate: 0, by_bot: [] }),
  );
}
