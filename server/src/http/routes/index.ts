import type { FastifyInstance } from 'fastify';
import type { AccountService } from '../../core/accounts/account-service.ts';
import type { ApiKeyService } from '../../core/accounts/api-key-service.ts';
import type { Authenticator } from '../../core/accounts/authenticator.ts';
import type { BotService } from '../../core/bots/bot-service.ts';
import type { WebChat } from '../../core/conversations/web-chat.ts';
import type { FileService } from '../../core/files/file-service.ts';
import type { MessageSender } from '../../core/messages/message-sender.ts';
import type { LanguageModelService } from '../../core/models/language-model-service.ts';
import type { ProviderService } from '../../core/models/provider-service.ts';
import type { PipelineService } from '../../core/pipelines/pipeline-service.ts';
import type { SystemInfoService } from '../../core/system/system-info.ts';
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
import { systemRoutes } from './system/routes.ts';
import { webChatRoutes } from './web-chat/routes.ts';

/** What routes call; each takes what it uses. */
export interface RouteServices {
  authenticator: Authenticator;
  accounts: AccountService;
  apiKeys: ApiKeyService;
  pipelines: PipelineService;
  providers: ProviderService;
  languageModels: LanguageModelService;
  bots: BotService;
  files: FileService;
  messages: MessageSender;
  webChat: WebChat;
  systemInfo: SystemInfoService;
  /** Whether requests can be served: storage reachable, bots started, not stopping. */
  isReady: () => Promise<boolean>;
}

export interface RouteOptions {
  host: string;
  publicUrl: string | null;
  /** `/parley` when the service lives under a path, else empty. */
  basePath: string;
  /** The token that the first account needs over the network. */
  setupToken: string;
  /** Folder of the built console; null when it was not built. */
  consoleDirectory: string | null;
  /** The API description, as the file holds it. */
  openApiDocument: string;
}

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
