import { ParleyError } from '@parley/sdk';
import Type from 'typebox';
import { maximumProgressBytes } from '../../../core/system/wizard.ts';
import { answers, done, Nothing, success } from '../../envelope.ts';
import type { TypedServer } from '../route-plugin.ts';
import type { RouteServices } from '../route-services.ts';
import { EndWizard, PluginSystemStatus, ReplicaList, SystemInfo, SystemStatus, WizardProgress } from './schema.ts';

/** The guided start and the settings concern the whole installation. */
const access = { credential: 'either', scope: 'admin', role: 'admin' } as const;

export async function systemRoutes(
  server: TypedServer,
  {
    systemInfo,
    systemStatus,
    replicaViews,
    wizard,
  }: Pick<RouteServices, 'systemInfo' | 'systemStatus' | 'replicaViews' | 'wizard'>,
) {
  server.get(
    '/api/v1/system/info',
    {
      config: { access: 'open', recognizes: { credential: 'either', scope: 'read', role: 'member' } },
      schema: { summary: 'Version and settings of the server', response: answers(SystemInfo) },
    },
    async ({ principal }) => success(await systemInfo.read(principal !== null)),
  );

  server.post(
    '/api/v1/system/wizard/completed',
    {
      config: { access, audit: 'system.end-wizard' },
      schema: {
        summary: 'Store that the guided start was completed or skipped',
        body: EndWizard,
        response: answers(Nothing, 400, 401, 403),
      },
    },
    async (request) => done(wizard.end(request.body?.status ?? 'completed')),
  );

  server.put(
    '/api/v1/system/wizard/progress',
    {
      bodyLimit: maximumProgressBytes,
      config: { access, audit: false },
      schema: {
        summary: 'Store the progress of the guided start',
        description: `Any object of at most ${maximumProgressBytes} bytes; replaces the previous one.`,
        body: WizardProgress,
        response: answers(Nothing, 400, 401, 403, 413),
      },
    },
    async (request) => done(wizard.saveProgress(request.body)),
  );

  server.get(
    '/api/v1/system/status',
    {
      config: { access },
      schema: {
        summary: 'Process, storage usage, and effective settings',
        response: answers(SystemStatus, 401, 403),
      },
    },
    async () => success(await systemStatus.read()),
  );

  server.get(
    '/api/v1/system/replicas',
    {
      config: { access },
      schema: {
        summary: 'Processes that share the database, and those that ended within a day',
        response: answers(ReplicaList, 401, 403),
      },
    },
    async () => success(await replicaViews.list()),
  );

  server.get(
    '/api/v1/system/status/plugin-system',
    {
      config: { access: { credential: 'either', scope: 'read', role: 'member' } },
      schema: { summary: 'Whether plugins can be used', response: answers(PluginSystemStatus, 401, 403) },
    },
    // Each plugin has a process of its own, so there is no runtime that could be lost.
    async () => success({ is_enable: true, is_connected: true, plugin_connector_error: 'ok' }),
  );

  for (const path of ['exec', 'plugin/action']) {
    server.post(
      `/api/v1/system/debug/${path}`,
      {
        // The body is neither parsed nor executed.
        onRequest: refuse,
        config: { access: { credential: 'user', scope: 'admin', role: 'admin' }, audit: false },
        schema: {
          summary: 'Always rejected: the server executes no request content',
          response: { 401: Type.Ref('ErrorResponse'), 403: Type.Ref('ErrorResponse') },
        },
      },
      refuse,
    );
  }
}

async function refuse(): Promise<never> {
  throw new ParleyError('forbidden', 'Forbidden');
}
