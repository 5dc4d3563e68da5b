import type { IncomingMessage } from 'node:http';
import type { ModelKind } from '@parley/sdk';
import type { AccountAdministration } from '../../core/accounts/account-administration.ts';
import type { AccountDirectory } from '../../core/accounts/account-directory.ts';
import type { AccountService } from '../../core/accounts/account-service.ts';
import type { ApiKeyService } from '../../core/accounts/api-key-service.ts';
import type { Authenticator } from '../../core/accounts/authenticator.ts';
import type { ConnectedCallers } from '../../core/accounts/connected-callers.ts';
import type { FirstAccount } from '../../core/accounts/first-account.ts';
import type { IdentityService } from '../../core/accounts/identity-service.ts';
import type { SecondFactorService } from '../../core/accounts/second-factor-service.ts';
import type { SessionService } from '../../core/accounts/session-service.ts';
import type { AlertService } from '../../core/alerts/alert-service.ts';
import type { AuditLog } from '../../core/audit/audit-log.ts';
import type { AuditedRecords } from '../../core/audit/audited-records.ts';
import type { AdapterCatalog } from '../../core/bots/adapter-catalog.ts';
import type { BotService } from '../../core/bots/bot-service.ts';
import type { TakeSocket } from '../../core/bots/bot-sockets.ts';
import type { BotWebhooks } from '../../core/bots/bot-webhooks.ts';
import type { SharedLogins } from '../../core/bots/shared-logins.ts';
import type { StateEvents } from '../../core/events/state-events.ts';
import type { FeedbackService } from '../../core/feedback/feedback-service.ts';
import type { FileService } from '../../core/files/file-service.ts';
import type { IdempotencyService } from '../../core/idempotency/idempotency-service.ts';
import type { AttachmentTexts } from '../../core/knowledge/attachment-texts.ts';
import type { CollectionService } from '../../core/knowledge/collection-service.ts';
import type { DocumentPageImages } from '../../core/knowledge/document-page-images.ts';
import type { DocumentService } from '../../core/knowledge/document-service.ts';
import type { EngineCatalog } from '../../core/knowledge/engine-catalog.ts';
import type { EvaluationService } from '../../core/knowledge/evaluation-service.ts';
import type { GoldenQuestionService } from '../../core/knowledge/golden-question-service.ts';
import type { KnowledgeBaseService } from '../../core/knowledge/knowledge-base-service.ts';
import type { PassageContexts } from '../../core/knowledge/passage-context.ts';
import type { ReindexEvaluations } from '../../core/knowledge/reindex-evaluations.ts';
import type { RetrievalService } from '../../core/knowledge/retrieval-service.ts';
import type { RecentLogs } from '../../core/logs/recent-logs.ts';
import type { McpServerService } from '../../core/mcp/mcp-server-service.ts';
import type { McpToolRuns } from '../../core/mcp/mcp-tool-runs.ts';
import type { CitedPassages } from '../../core/messages/cited-passages.ts';
import type { DeliveryRetry } from '../../core/messages/delivery-retry.ts';
import type { MessageExplainer } from '../../core/messages/message-explanation.ts';
import type { MessageImages } from '../../core/messages/message-images.ts';
import type { MessageReader } from '../../core/messages/message-reader.ts';
import type { MessageSender } from '../../core/messages/message-sender.ts';
import type { ModelRequests } from '../../core/messages/model-requests.ts';
import type { ModelApi } from '../../core/model-api/model-api.ts';
import type { ModelCatalog } from '../../core/models/model-catalog.ts';
import type { ModelPriceService } from '../../core/models/model-price-service.ts';
import type { ModelService } from '../../core/models/model-service.ts';
import type { ModelTester } from '../../core/models/model-tester.ts';
import type { PriceCurrencyService } from '../../core/models/price-currency-service.ts';
import type { PriceSuggester } from '../../core/models/price-suggestions.ts';
import type { ProviderService } from '../../core/models/provider-service.ts';
import type { RequesterService } from '../../core/models/requester-service.ts';
import type { MonitoringService } from '../../core/monitoring/monitoring-service.ts';
import type { PipelineFiles } from '../../core/pipelines/pipeline-files.ts';
import type { PipelineService } from '../../core/pipelines/pipeline-service.ts';
import type { PipelineVersions } from '../../core/pipelines/pipeline-versions.ts';
import type { PluginContributions } from '../../core/plugins/contributions/plugin-contributions.ts';
import type { PageFrames } from '../../core/plugins/pages/page-frames.ts';
import type { PageRequests } from '../../core/plugins/pages/page-requests.ts';
import type { PluginDownloads } from '../../core/plugins/plugin-downloads.ts';
import type { PluginInstallations } from '../../core/plugins/plugin-installations.ts';
import type { PluginInstaller } from '../../core/plugins/plugin-installer.ts';
import type { PluginService } from '../../core/plugins/plugin-service.ts';
import type { PluginsOfReplicas } from '../../core/plugins/plugins-of-replicas.ts';
import type { PluginSchedules } from '../../core/plugins/schedules/plugin-schedules.ts';
import type { ExtensionChanges } from '../../core/records/extension-changes.ts';
import type { ReadVersions } from '../../core/records/record-versions.ts';
import type { ReplicaList } from '../../core/replicas/replica-view.ts';
import type { SensitiveWordService } from '../../core/sensitive-words/sensitive-word-service.ts';
import type { StatisticsService } from '../../core/statistics/statistics-service.ts';
import type { SystemInfoService } from '../../core/system/system-info.ts';
import type { SystemStatusService } from '../../core/system/system-status.ts';
import type { WizardService } from '../../core/system/wizard.ts';
import type { TaskService } from '../../core/tasks/task-service.ts';
import type { WebChat } from '../../core/web-chat/web-chat.ts';
import type { WebhookService } from '../../core/webhooks/webhook-service.ts';
import type { StorageError } from '../../lib/storage-error.ts';
import type { SessionCookieOptions } from '../session-cookie.ts';

/** Opens the websockets that platforms request, after someone else has decided to accept them. */
export interface SocketServer {
  /**
   * Completes the handshake of an upgrade request.
   * @param head what came with the request after its headers
   * @param take gets the socket; not called when the handshake is invalid, which is answered
   */
  upgrade(request: IncomingMessage, head: Buffer, take: TakeSocket): void;
  /** Ends all sockets, in a few seconds. */
  close(): Promise<void>;
}

/** The services that routes call; each takes what it uses. */
export interface RouteServices {
  authenticator: Authenticator;
  readVersions: ReadVersions;
  extensionChanges: ExtensionChanges;
  connectedCallers: ConnectedCallers;
  accounts: AccountService;
  accountAdministration: AccountAdministration;
  accountDirectory: AccountDirectory;
  firstAccount: FirstAccount;
  secondFactors: SecondFactorService;
  identities: IdentityService;
  sessions: SessionService;
  apiKeys: ApiKeyService;
  auditLog: AuditLog;
  auditedRecords: AuditedRecords;
  idempotency: IdempotencyService;
  stateEvents: StateEvents;
  pipelines: PipelineService;
  pipelineVersions: PipelineVersions;
  pipelineFiles: PipelineFiles;
  providers: ProviderService;
  requesters: RequesterService;
  models: Record<ModelKind, ModelService>;
  modelTester: ModelTester;
  modelCatalog: ModelCatalog;
  modelPrices: ModelPriceService;
  priceSuggester: PriceSuggester;
  priceCurrency: PriceCurrencyService;
  bots: BotService;
  adapters: AdapterCatalog;
  logins: SharedLogins;
  botWebhooks: BotWebhooks;
  /** Opens websockets of platforms. */
  socketServer: SocketServer;
  mcpServers: McpServerService;
  mcpToolRuns: McpToolRuns;
  plugins: PluginService;
  pluginsOfReplicas: PluginsOfReplicas;
  pluginInstaller: PluginInstaller;
  pluginInstallations: PluginInstallations;
  pluginSchedules: PluginSchedules;
  pluginContributions: PluginContributions;
  pluginDownloads: PluginDownloads;
  pageFrames: PageFrames;
  pageRequests: PageRequests;
  knowledgeBases: KnowledgeBaseService;
  knowledgeDocuments: DocumentService;
  documentPages: DocumentPageImages;
  attachmentTexts: AttachmentTexts;
  passageContexts: PassageContexts;
  collections: CollectionService;
  retrieval: RetrievalService;
  engineCatalog: EngineCatalog;
  goldenQuestions: GoldenQuestionService;
  evaluations: EvaluationService;
  reindexEvaluations: ReindexEvaluations;
  files: FileService;
  messages: MessageSender;
  deliveryRetry: DeliveryRetry;
  messageReader: MessageReader;
  messageImages: MessageImages;
  messageExplainer: MessageExplainer;
  modelRequests: ModelRequests;
  citedPassages: CitedPassages;
  monitoring: MonitoringService;
  feedback: FeedbackService;
  webChat: WebChat;
  modelApi: ModelApi;
  systemInfo: SystemInfoService;
  systemStatus: SystemStatusService;
  /** The replicas, as this one sees them. */
  replicaViews: { list(): Promise<ReplicaList> };
  wizard: WizardService;
  tasks: TaskService;
  webhooks: WebhookService;
  alerts: AlertService;
  sensitiveWords: SensitiveWordService;
  statistics: StatisticsService;
  recentLogs: RecentLogs;
  /** Whether the service accepts requests: bots started, not stopping. */
  isServing: () => boolean;
  /** Whether it is about to stop, while other replicas go on: load balancers should choose these. */
  isDraining: () => boolean;
  /** Aborted when clients that stay connected have to connect to another replica. */
  leaving: AbortSignal;
  /** Writes a probe; returns why nothing can be stored, or null. */
  checkStorage: () => Promise<StorageError | null>;
  /** The last known reason why nothing can be stored; null if there is none. */
  storageTrouble: () => StorageError | null;
}

export interface RouteOptions extends SessionCookieOptions {
  host: string;
  /** `/parley` if the service has a base path, else empty. */
  basePath: string;
  /** Whether local requests may create the first account without the set-up token. */
  setupWithoutToken: boolean;
  /** Folder of the built console; null if it was not built. */
  consoleDirectory: string | null;
  /** File with the API description. */
  openApiFile: string;
}
