import { ParleyError } from '@parley/sdk';
import { answers, success } from '../../envelope.ts';
import type { TypedServer } from '../route-plugin.ts';
import {
  PluginAnswer,
  PluginConfig,
  PluginDebugInfo,
  PluginList,
  PluginParams,
  PluginReadme,
  PluginReadmeQuery,
} from './schema.ts';

const config = { access: { credential: 'either', scope: 'read', role: 'member' } } as const;

function noPlugin(): never {
  throw new ParleyError('not_found', 'plugin not found');
}

/** Plugin routes for clients of the reference system; there are no plugins yet. */
export async function pluginRoutes(server: TypedServer) {
  server.get(
    '/api/v1/plugins',
    {
      config,
      schema: { summary: 'List plugins; none can be installed yet', response: answers(PluginList, 401, 403) },
    },
    async () => success({ plugins: [] }),
  );

  server.get(
    '/api/v1/plugins/debug-info',
    {
      config: { access: { credential: 'either', scope: 'admin', role: 'admin' } },
      schema: {
        summary: 'Where plugins under development connect; not available yet',
        response: answers(PluginDebugInfo, 401, 403),
      },
    },
    // A URL without a listener would make developers search for an error of their own.
    async () => success({ debug_url: '', plugin_debug_key: '' }),
  );

  server.get(
    '/api/v1/plugins/:author/:name',
    {
      config,
      schema: {
        summary: 'Read a plugin; there is none yet',
        params: PluginParams,
        response: answers(PluginAnswer, 401, 403, 404),
      },
    },
    noPlugin,
  );

  server.get(
    '/api/v1/plugins/:author/:name/config',
    {
      config,
      schema: {
        summary: 'Read the configuration of a plugin; there is none yet',
        params: PluginParams,
        response: answers(PluginConfig, 401, 403, 404),
      },
    },
    noPlugin,
  );

  server.get(
    '/api/v1/plugins/:author/:name/readme',
    {
      config,
      schema: {
        summary: 'Read the readme of a plugin; there is none yet',
        params: PluginParams,
        querystring: PluginReadmeQuery,
        response: answers(PluginReadme, 401, 403, 404),
      },
    },
    noPlugin,
  );
}
