import Type from 'typebox';
import {
  CostShare,
  FeedbackStatistics,
  Figures,
  MessageAnalysis,
  Series,
  SessionAnalysis,
} from '../../../core/monitoring/monitoring.ts';
import type { MonitoringService } from '../../../core/monitoring/monitoring-service.ts';
import { answers, success } from '../../envelope.ts';
import type { TypedServer } from '../route-plugin.ts';
import { reads } from './access.ts';
import { exportRecords, exportTypes } from './export.ts';
import { filterOf, recordFilterOf, valuesOf } from './filters.ts';
import {
  CostQuery,
  ExportAnswer,
  ExportQuery,
  FilterQuery,
  MessageParams,
  SeriesQuery,
  SessionAnalysisQuery,
  SessionParams,
} from './schema.ts';

const error = Type.Ref('ErrorResponse');
const refusals = { 400: error, 401: error, 403: error };

/** Aggregates: details of a message or session, metrics, and exports. */
export async function analysisRoutes(server: TypedServer, monitoring: MonitoringService) {
  server.get(
    '/api/v1/monitoring/messages/:message_id/details',
    {
      config: reads,
      schema: {
        summary: 'A message with its model calls',
        params: MessageParams,
        response: answers(MessageAnalysis, 401, 403, 404),
      },
    },
    async ({ params }) => success(await monitoring.message(params.message_id.toLowerCase())),
  );

  server.get(
    '/api/v1/monitoring/sessions/:session_id/analysis',
    {
      config: reads,
      schema: {
        summary: 'Statistics of a session',
        description: 'Several bots may have sessions with the same id; without `botId`, the latest active one.',
        params: SessionParams,
        querystring: SessionAnalysisQuery,
        response: answers(SessionAnalysis, 400, 401, 403),
      },
    },
    async ({ params, query }) => success(await monitoring.session(params.session_id, filterOf(query))),
  );

  server.get(
    '/api/v1/monitoring/feedback/stats',
    {
      config: reads,
      schema: {
        summary: 'Feedback statistics',
        querystring: FilterQuery,
        response: answers(FeedbackStatistics, 400, 401, 403),
      },
    },
    async ({ query }) => success(await monitoring.feedback(filterOf(query))),
  );

  server.get(
    '/api/v1/monitoring/figures',
    {
      config: reads,
      schema: {
        summary: 'Metrics of a time range, for comparison with another',
        querystring: FilterQuery,
        response: answers(Figures, 400, 401, 403),
      },
    },
    async ({ query }) => success(await monitoring.figures(filterOf(query))),
  );

  server.get(
    '/api/v1/monitoring/series',
    {
      config: reads,
      schema: {
        summary: 'A metric over time',
        description: 'Without `startTime`, the last 24 hours or 30 days. At most 1000 points.',
        querystring: SeriesQuery,
        response: answers(Series, 400, 401, 403),
      },
    },
    async ({ query }) => {
      const { metric, interval, model } = query;
      const filter = { ...filterOf(query), models: valuesOf(model) };
      return success(await monitoring.series({ metric, interval, filter }));
    },
  );

  server.get(
    '/api/v1/monitoring/costs',
    {
      config: reads,
      schema: {
        summary: 'Model costs',
        querystring: CostQuery,
        response: answers(Type.Object({ costs: Type.Array(CostShare) }), 400, 401, 403),
      },
    },
    async ({ query }) => {
      const filter = { ...filterOf(query), models: valuesOf(query.model) };
      return success({ costs: await monitoring.costs(query.groupBy, filter) });
    },
  );

  server.get(
    '/api/v1/monitoring/export',
    {
      config: reads,
      // HEAD would read all records.
      exposeHeadRoute: false,
      schema: {
        summary: 'Export records',
        querystring: ExportQuery,
        response: { 200: ExportAnswer, ...refusals },
      },
    },
    async ({ query }, reply) => {
      const { type: kind, format, limit } = query;
      const { contentType, extension } = exportTypes[format];
      const file = await exportRecords(monitoring, { kind, filter: recordFilterOf(query), limit, format });
      const name = `monitoring-${kind}-${Math.floor(Date.now() / 1000)}.${extension}`;
      return reply
        .header('content-disposition', `attachment; filename="${name}"`)
        .type(contentType)
        .send(file as never);
    },
  );
}
