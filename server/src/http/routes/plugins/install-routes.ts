import { ParleyError } from '@parley/sdk';
import type { FastifyInstance, FastifyRequest, FastifySchemaCompiler } from 'fastify';
import type { InstallationRequest } from '../../../core/plugins/plugin-installations.ts';
import type { InstallChoice } from '../../../core/plugins/plugin-installer.ts';
import { answers, success } from '../../envelope.ts';
import { whileConnected } from '../../while-connected.ts';
import { acceptUploads, receiveFile, uploadHandling } from '../files/uploads.ts';
import type { TypedServer } from '../route-plugin.ts';
import type { RouteServices } from '../route-services.ts';
import { callerOf, idOf } from './routes.ts';
import {
  AssetsOf,
  InspectedPluginPackage,
  InstallAsset,
  InstallOffered,
  InstallQuery,
  PackageUpload,
  PluginAssets,
  PluginParams,
  PluginReleases,
  PluginTask,
  ReleasesOf,
} from './schema.ts';

const access = { credential: 'either', scope: 'admin', role: 'admin' } as const;
const consumes = ['multipart/form-data'];
const uploads = { access, idempotency: 'upload' } as const;

/** Packages of plugins: what is in them, and their installation. */
export async function pluginInstallRoutes(
  server: TypedServer,
  {
    pluginInstallations: installations,
    pluginDownloads: downloads,
  }: Pick<RouteServices, 'pluginInstallations' | 'pluginDownloads'>,
) {
  await server.register(async (scope) => {
    const typed = scope as unknown as TypedServer;
    await acceptUploads(typed);

    typed.post(
      '/api/v1/plugins/inspect',
      {
        ...uploadHandling,
        config: { ...uploads, audit: false },
        schema: {
          summary: 'Check and describe a package, and compare it with what is installed',
          description: 'Nothing of it is run, and nothing is kept.',
          consumes,
          body: PackageUpload,
          response: answers(InspectedPluginPackage, 400, 401, 403, 413, 415, 422),
        },
      },
      async (request) => {
        return success({
          package: await receiveFile(request, (_, content, verify) => installations.inspect(content, verify)),
        });
      },
    );

    typed.post(
      '/api/v1/plugins/install/local',
      {
        ...uploadHandling,
        validatorCompiler: (part) =>
          part.httpPart === 'body' ? uploadHandling.validatorCompiler() : compileOf(scope)(part),
        config: { ...uploads, audit: 'each' },
        schema: {
          summary: 'Install a package',
          description:
            'The package is checked, then a task installs it. Without consent, a new plugin does not run, and an update ' +
            'that asks for more than was consented to, or that has another signer, waits.',
          consumes,
          body: PackageUpload,
          querystring: InstallQuery,
          response: answers(PluginTask, 400, 401, 403, 413, 415, 422, 503),
        },
      },
      async (request) => {
        const installation = requestOf(request, request.query);
        const task_id = await receiveFile(request, (name, content, verify) =>
          installations.installUpload(name, content, installation, verify),
        );
        return success({ task_id });
      },
    );
  });

  server.post(
    '/api/v1/plugins/install/github',
    {
      config: { access, audit: 'each' },
      schema: {
        summary: 'Install a file of a release',
        body: InstallAsset,
        response: answers(PluginTask, 400, 401, 403, 422, 503),
      },
    },
    async (request) => {
      const { asset_url, owner = '', repo = '', release_tag = '', ...choice } = request.body;
      const asset = { asset_url, owner, repo, release_tag };
      return success({ task_id: await installations.installAsset(asset, requestOf(request, choice)) });
    },
  );

  server.post(
    '/api/v1/plugins/install/marketplace',
    {
      config: { access, audit: 'each' },
      schema: {
        summary: 'Install a plugin of the catalogue',
        body: InstallOffered,
        response: answers(PluginTask, 400, 401, 403, 503),
      },
    },
    async (request) => {
      const { plugin_author, plugin_name, plugin_version = '', ...choice } = request.body;
      const id = `${plugin_author}/${plugin_name}`;
      const task_id = await installations.installFromCatalogue(id, plugin_version, requestOf(request, choice));
      return success({ task_id });
    },
  );

  server.post(
    '/api/v1/plugins/:author/:name/upgrade',
    {
      config: { access, audit: 'each' },
      schema: {
        summary: 'Update a plugin to the newest version of the catalogue',
        params: PluginParams,
        response: answers(PluginTask, 401, 403, 404, 503),
      },
    },
    async (request) => success({ task_id: await installations.upgrade(idOf(request.params), requestOf(request, {})) }),
  );

  server.post(
    '/api/v1/plugins/github/releases',
    {
      config: { access, audit: false },
      schema: {
        summary: 'List the latest releases of a repository at GitHub',
        body: ReleasesOf,
        response: answers(PluginReleases, 400, 401, 403, 422, 499, 502),
      },
    },
    async (request, reply) => {
      const found = /github\.com\/([^/?#\s]+)\/([^/?#\s]+)/.exec(request.body.repo_url);
      if (found === null) throw new ParleyError('invalid_request', 'Invalid GitHub repository URL');
      const [, owner = '', name = ''] = found;
      const repo = name.replace(/\.git$/, '');
      return success({ releases: await downloads.releases(owner, repo, whileConnected(reply)), owner, repo });
    },
  );

  server.post(
    '/api/v1/plugins/github/release-assets',
    {
      config: { access, audit: false },
      schema: {
        summary: 'List the files of a release at GitHub',
        body: AssetsOf,
        response: answers(PluginAssets, 400, 401, 403, 422, 499, 502),
      },
    },
    async (request, reply) => {
      const { owner, repo, release_id } = request.body;
      return success({ assets: await downloads.releaseAssets(owner, repo, String(release_id), whileConnected(reply)) });
    },
  );
}

/** Validates what is no body as everywhere. */
function compileOf(server: FastifyInstance): FastifySchemaCompiler<unknown> {
  if (server.validatorCompiler === undefined) throw new Error('the server validates nothing');
  return server.validatorCompiler as FastifySchemaCompiler<unknown>;
}

/** An installation in the name of the caller, which is recorded once it was made. */
function requestOf(request: FastifyRequest, choice: InstallChoice): InstallationRequest {
  return {
    choice,
    by: callerOf(request),
    installed: async ({ id, ...outcome }) => {
      const { consent = false } = choice;
      await request.recordAct('plugin.install', id, { ...outcome, consent }).catch((error: unknown) => {
        // The plugin is installed all the same.
        request.log.error({ error }, 'the audit log is incomplete');
      });
    },
  };
}
