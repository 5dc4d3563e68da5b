import type { FastifyRequest } from 'fastify';
import { principalName } from '../../../core/accounts/authenticator.ts';
import { formFields } from '../../../core/forms/form-fields.ts';
import { contributionNames } from '../../../core/plugins/package/inspect-package.ts';
import { settingsSchema } from '../../../core/plugins/plugin-settings.ts';
import { processOf } from '../../../core/plugins/plugins-of-replicas.ts';
import { referencePlugin } from '../../../core/plugins/reference-plugin.ts';
import { authorOf, callerOf as peerCallerOf, principalOf } from '../../access.ts';
import { actorOf } from '../../audit.ts';
import { answers, Nothing, success } from '../../envelope.ts';
import { taggedAnswers, withTag } from '../../record-tags.ts';
import { whileConnected } from '../../while-connected.ts';
import type { TypedServer } from '../route-plugin.ts';
import type { RouteServices } from '../route-services.ts';
import {
  ConsentToPlugin,
  EnablePlugin,
  GrantToPlugin,
  OrderPlugins,
  PluginAnswer,
  PluginConfig,
  PluginConfigBody,
  PluginDebugInfo,
  PluginFailureRule,
  PluginIsolationAnswer,
  PluginList,
  PluginLog,
  PluginLogQuery,
  PluginParams,
  PluginReadme,
  PluginReadmeQuery,
  PluginStateAnswer,
  PluginTask,
  RemoveQuery,
} from './schema.ts';

const reads = { access: { credential: 'either', scope: 'read', role: 'member' } } as const;
/** Plugins read messages and cost money, so only admins decide about them. */
const decides = { credential: 'either', scope: 'admin', role: 'admin' } as const;
const changes = { access: decides, audit: 'each' } as const;
const path = '/api/v1/plugins/:author/:name';

/** Installed plugins: what they are, and what an operator decides about each. */
export async function pluginRoutes(
  server: TypedServer,
  {
    plugins,
    pluginsOfReplicas,
    pluginInstaller,
    pluginSchedules,
    pluginContributions,
  }: Pick<
    RouteServices,
    'plugins' | 'pluginsOfReplicas' | 'pluginInstaller' | 'pluginSchedules' | 'pluginContributions'
  >,
) {
  server.get(
    '/api/v1/plugins',
    {
      config: reads,
      schema: {
        summary: 'List the installed plugins, in the order in which their listeners are called',
        response: answers(PluginList, 401, 403),
      },
    },
    async (request) => {
      const states = await pluginsOfReplicas.states(peerCallerOf(request));
      const listed = plugins.list().map((shown) => {
        const { id, installed, waiting } = shown.plugin;
        return {
          ...referencePlugin(shown),
          version: installed.manifest.version,
          label: installed.manifest.label,
          contributions: contributionNames(installed.manifest) as Record<string, string[]>,
          update_version: waiting?.manifest.version ?? null,
          process: processOf(states.of(id)),
          clash: pluginContributions.clashOf(id),
        };
      });
      return success({ plugins: listed });
    },
  );

  server.get(
    '/api/v1/plugins/debug-info',
    {
      config: { access: decides },
      schema: {
        summary: 'Where plugins under development connect; not available',
        response: answers(PluginDebugInfo, 401, 403),
      },
    },
    // A URL without a listener would make developers search for an error of their own.
    async () => success({ debug_url: '', plugin_debug_key: '' }),
  );

  server.get(
    '/api/v1/plugins/isolation',
    {
      config: reads,
      schema: {
        summary: 'What isolates plugins on this system',
        response: answers(PluginIsolationAnswer, 401, 403),
      },
    },
    async () => success(await plugins.isolation()),
  );

  server.put(
    '/api/v1/plugins/order',
    {
      config: changes,
      schema: {
        summary: 'Set the order in which listeners of plugins are called',
        body: OrderPlugins,
        response: answers(Nothing, 400, 401, 403),
      },
    },
    async (request) => {
      const { order } = request.body;
      await plugins.setOrder(order);
      await request.recordAct('plugin.order', '', { order });
      return success({});
    },
  );

  server.get(
    path,
    {
      config: reads,
      schema: {
        summary: 'Read a plugin',
        params: PluginParams,
        response: answers(PluginAnswer, 401, 403, 404),
      },
    },
    async ({ params }) => {
      const id = idOf(params);
      const shown = plugins.get(id);
      const { installed, waiting } = shown.plugin;
      return success({
        plugin: referencePlugin(shown),
        details: plugins.view(id),
        manifest: installed.manifest,
        update_manifest: waiting?.manifest ?? null,
        form: formFields(settingsSchema(installed.manifest)),
      });
    },
  );

  server.delete(
    path,
    {
      config: changes,
      schema: {
        summary: 'Uninstall a plugin',
        description:
          'Starts a task that ends its process and deletes its files. Its settings and what it stored stay for another ' +
          'installation, unless they are deleted as well. 409 `in_use` while knowledge bases or pipelines use it.',
        params: PluginParams,
        querystring: RemoveQuery,
        response: answers(PluginTask, 400, 401, 403, 404, 409, 503),
      },
    },
    async (request) => {
      const id = idOf(request.params);
      const withData = request.query.delete_data?.toLowerCase() === 'true';
      const task_id = await plugins.uninstall(id, withData);
      await request.recordAct('plugin.remove', id, { delete_data: withData });
      return success({ task_id });
    },
  );

  server.get(
    `${path}/config`,
    {
      config: reads,
      schema: {
        summary: 'Read the settings of a plugin',
        params: PluginParams,
        response: taggedAnswers(PluginConfig, 401, 403, 404),
      },
    },
    async (request, reply) => success({ config: withTag(reply, plugins.settings(idOf(request.params))) }),
  );

  server.put(
    `${path}/config`,
    {
      config: { ...changes, conditional: true },
      schema: {
        summary: 'Replace the settings of a plugin',
        params: PluginParams,
        body: PluginConfigBody,
        response: answers(Nothing, 400, 401, 403, 404),
      },
    },
    (request) =>
      change(request, 'configure', (id) =>
        plugins.configure(id, request.body, authorOf(request), request.expectedTags),
      ),
  );

  server.post(
    `${path}/consent`,
    {
      config: changes,
      schema: {
        summary: 'Consent to the permissions of the installed version, or of the update that waits',
        description:
          'The update then takes the place of the installed version, once its start was tried. What the response to ' +
          '`GET` shows for the version with the digest is what is consented to.',
        params: PluginParams,
        body: ConsentToPlugin,
        response: answers(Nothing, 400, 401, 403, 404, 409, 499, 502, 503, 504),
      },
    },
    (request, reply) =>
      change(request, 'consent', (id) =>
        pluginInstaller.consent(id, { ...request.body, by: callerOf(request) }, whileConnected(reply)),
      ),
  );

  server.delete(
    `${path}/update`,
    {
      config: changes,
      schema: {
        summary: 'Discard the update that waits for consent',
        params: PluginParams,
        response: answers(Nothing, 401, 403, 404, 409),
      },
    },
    (request) => change(request, 'discard-update', (id) => pluginInstaller.discardUpdate(id)),
  );

  server.post(
    `${path}/rollback`,
    {
      config: changes,
      schema: {
        summary: 'Return to the version before',
        params: PluginParams,
        response: answers(Nothing, 401, 403, 404, 409, 499, 502, 503, 504),
      },
    },
    (request, reply) => change(request, 'roll-back', (id) => pluginInstaller.rollback(id, whileConnected(reply))),
  );

  server.put(
    `${path}/enabled`,
    {
      config: changes,
      schema: {
        summary: 'Enable or disable a plugin',
        params: PluginParams,
        body: EnablePlugin,
        response: answers(Nothing, 400, 401, 403, 404, 409),
      },
    },
    (request) => change(request, 'update', (id) => plugins.setEnabled(id, request.body.enabled)),
  );

  server.put(
    `${path}/grants`,
    {
      config: changes,
      schema: {
        summary: 'Choose the bots, models and knowledge bases that a plugin may use',
        description: 'They count as far as the plugin has the permission for each kind.',
        params: PluginParams,
        body: GrantToPlugin,
        response: answers(Nothing, 400, 401, 403, 404),
      },
    },
    (request) => change(request, 'grant', (id) => plugins.setGrants(id, request.body)),
  );

  server.put(
    `${path}/on-failure`,
    {
      config: changes,
      schema: {
        summary: 'Choose what becomes of a message when a listener of the plugin fails',
        params: PluginParams,
        body: PluginFailureRule,
        response: answers(Nothing, 400, 401, 403, 404),
      },
    },
    (request) => change(request, 'update', (id) => plugins.setOnFailure(id, request.body.on_failure)),
  );

  server.get(
    `${path}/state`,
    {
      config: reads,
      schema: {
        summary: 'The processes of a plugin on all replicas, and its schedules',
        params: PluginParams,
        response: answers(PluginStateAnswer, 401, 403, 404),
      },
    },
    async (request) => {
      const id = idOf(request.params);
      plugins.get(id);
      const { of, unreachable_replicas } = await pluginsOfReplicas.states(peerCallerOf(request));
      const replicas = of(id);
      return success({
        process: processOf(replicas),
        replicas,
        unreachable_replicas,
        clash: pluginContributions.clashOf(id),
        schedules: await pluginSchedules.statesOf(id),
      });
    },
  );

  server.get(
    `${path}/logs`,
    {
      // A plugin may log what users wrote.
      config: { access: decides },
      schema: {
        summary: 'The latest lines of the log of a plugin, on all replicas',
        params: PluginParams,
        querystring: PluginLogQuery,
        response: answers(PluginLog, 400, 401, 403, 404),
      },
    },
    async (request) => {
      const { params, query } = request;
      return success(await pluginsOfReplicas.log(idOf(params), query.limit, peerCallerOf(request)));
    },
  );

  server.get(
    `${path}/readme`,
    {
      config: reads,
      schema: {
        summary: 'Read the readme of a plugin',
        params: PluginParams,
        querystring: PluginReadmeQuery,
        response: answers(PluginReadme, 401, 403, 404, 409),
      },
    },
    async ({ params, query }) => success({ readme: await plugins.readme(idOf(params), query.language) }),
  );

  /** Makes a change of an installed plugin, and records it. */
  async function change(
    request: FastifyRequest,
    verb: string,
    work: (id: string) => Promise<void>,
  ): Promise<{ code: 0; msg: 'ok'; data: Record<string, never> }> {
    // The routes have these parameters.
    const id = idOf(request.params as { author: string; name: string });
    plugins.get(id);
    await request.recordChange(`plugin.${verb}`, id, async () => {
      await work(id);
      return true;
    });
    return success({});
  }
}

/** `author/name` */
export function idOf({ author, name }: { author: string; name: string }): string {
  return `${author}/${name}`;
}

/** The name of the caller, for the record of a consent. */
export function callerOf(request: FastifyRequest): string {
  const { name } = actorOf(request.principal);
  return name === '' ? principalName(principalOf(request)) : name;
}
