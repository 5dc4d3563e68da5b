import type { FastifyInstance } from 'fastify';
import type { ExtensionChanges } from '../core/records/extension-changes.ts';
import type { ReadVersions } from '../core/records/record-versions.ts';
import { versionsOf } from './request-versions.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Of an open route: whether its answer depends on plugins. */
    readsPlugins?: true;
  }
}

/**
 * Has requests see plugins, MCP servers and webhooks as they were stored when the request came, also by another replica.
 * Register after what declares the access of routes.
 */
export function followExtensions(server: FastifyInstance, changes: ExtensionChanges, readVersions: ReadVersions): void {
  server.addHook('onRequest', async (request) => {
    const { access, readsPlugins } = request.routeOptions.config;
    if (!changes.hasOthers || access === undefined || (access === 'open' && !readsPlugins)) return;
    await changes.follow((await versionsOf(request, readVersions)).extensions);
  });
}
