import type { FastifyInstance } from 'fastify';
import { accountRoutes } from './accounts/routes.ts';
import { apiKeyRoutes } from './api-keys/routes.ts';
import { botRoutes } from './bots/routes.ts';
import { consoleRoutes } from './console/routes.ts';
import { documentationRoutes } from './documentation/routes.ts';
import { fileRoutes } from './files/routes.ts';
import { healthRoutes } from './health/routes.ts';
import { languageModelRoutes } from './language-models/routes.ts';
import { pipelineRoutes } from './pipelines/routes.ts';
import { providerRoutes } from './providers/routes.ts';
import type { TypedServer } from './route-plugin.ts';
import type { RouteOptions, RouteServices } from './route-services.ts';
import { systemRoutes } from './system/routes.ts';
import { webChatRoutes } from './web-chat/routes.ts';

export async function registerRoutes(server: FastifyInstance, services: RouteServices, options: RouteOptions) {
  const typed = server as unknown as TypedServer;
  await healthRoutes(typed, services);
  await systemRoutes(typed, services);
  await accountRoutes(typed, services, options);
  await apiKeyRoutes(typed, services);
  await pipelineRoutes(typed, services);
  await providerRoutes(typed, services);
  await languageModelRoutes(typed, services);
  await botRoutes(typed, services);
  await fileRoutes(typed, services);
  await webChatRoutes(typed, services);
  await documentationRoutes(typed, options);
  await consoleRoutes(typed, options);
}
