import { ParleyError } from '@parley/sdk';
import type { EngineView } from '../../../core/knowledge/engine-catalog.ts';
import { answers, success } from '../../envelope.ts';
import type { TypedServer } from '../route-plugin.ts';
import type { RouteServices } from '../route-services.ts';
import {
  DocumentParserList,
  EngineNameParams,
  EngineParams,
  KnowledgeEngineList,
  ParserQuery,
  SettingsFormAnswer,
} from './engine-schema.ts';

const config = { access: { credential: 'either', scope: 'read', role: 'member' } } as const;

const forms = [
  { path: 'creation-schema', field: 'creation_schema', purpose: 'of knowledge bases' },
  { path: 'retrieval-schema', field: 'retrieval_schema', purpose: 'of queries' },
] as const;

/** Knowledge engines and parsers. */
export async function engineRoutes(server: TypedServer, { engineCatalog }: Pick<RouteServices, 'engineCatalog'>) {
  server.get(
    '/api/v1/knowledge/engines',
    {
      config,
      schema: { summary: 'List knowledge engines', response: answers(KnowledgeEngineList, 401, 403) },
    },
    async () => success({ engines: engineCatalog.engines().map(toResponse) }),
  );

  for (const { path, field, purpose } of forms) {
    const summary = `The settings of a knowledge engine ${purpose}`;
    const response = answers(SettingsFormAnswer, 400, 401, 403, 404);
    server.get(
      `/api/v1/knowledge/engines/:plugin_id/${path}`,
      { config, schema: { summary, params: EngineParams, response } },
      async ({ params }) => success({ schema: toResponse(engineCatalog.engine(checked(params.plugin_id)))[field] }),
    );
    // The same with an unencoded slash.
    server.get(
      `/api/v1/knowledge/engines/:plugin_author/:plugin_name/${path}`,
      { config, schema: { summary, params: EngineNameParams, response } },
      async ({ params: { plugin_author, plugin_name } }) =>
        success({ schema: toResponse(engineCatalog.engine(checked(`${plugin_author}/${plugin_name}`)))[field] }),
    );
  }

  server.get(
    '/api/v1/knowledge/parsers',
    {
      config,
      schema: {
        summary: 'List parsers of documents',
        querystring: ParserQuery,
        response: answers(DocumentParserList, 400, 401, 403),
      },
    },
    async ({ query }) => success({ parsers: engineCatalog.parsers(query.mime_type || undefined) }),
  );
}

function toResponse({ creation_schema, retrieval_schema, ...engine }: EngineView) {
  return { ...engine, creation_schema: { schema: creation_schema }, retrieval_schema: { schema: retrieval_schema } };
}

function checked(pluginId: string): string {
  if (/^[^/]+\/[^/]+$/.test(pluginId)) return pluginId;
  throw new ParleyError('invalid_request', 'Invalid plugin_id format. Expected author/name.');
}
