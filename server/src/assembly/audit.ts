import type { Config } from '../config/index.ts';
import { AuditLog } from '../core/audit/audit-log.ts';
import { AuditedRecords, type ReadRecord } from '../core/audit/audited-records.ts';
import type { ExtensionRegistries } from '../core/extensions/extension-registries.ts';
import type { RouteServices } from '../http/routes/route-services.ts';
import { KyselyAuditStore } from '../storage/audit/kysely-audit-store.ts';
import type { Storage } from '../storage/storage.ts';

type AuditedServices = Pick<
  RouteServices,
  | 'providers'
  | 'models'
  | 'modelPrices'
  | 'pipelines'
  | 'bots'
  | 'webhooks'
  | 'accountDirectory'
  | 'apiKeys'
  | 'mcpServers'
>;

export interface AuditParts extends AuditedServices {
  config: Config;
  extensions: ExtensionRegistries;
  /** Of knowledge bases and what belongs to them. */
  knowledgeRecords: Record<string, ReadRecord>;
}

/** The audit log, and what reads the records that it is about. */
export function createAudit({ database }: Storage, { config, extensions, knowledgeRecords, ...services }: AuditParts) {
  const { providers, models, modelPrices, pipelines, bots, webhooks, accountDirectory, apiKeys, mcpServers } = services;
  const auditedRecords = new AuditedRecords(
    {
      provider: (uuid) => providers.get(uuid),
      'language-model': (uuid) => models.llm.get(uuid),
      'embedding-model': (uuid) => models['text-embedding'].get(uuid),
      'rerank-model': (uuid) => models.rerank.get(uuid),
      'model-price': (name) => modelPrices.get(name),
      pipeline: (uuid) => pipelines.get(uuid),
      bot: (uuid) => bots.get(uuid),
      webhook: (id) => webhooks.get(Number(id)),
      account: (uuid) => accountDirectory.get(uuid),
      'api-key': (id) => apiKeys.get(Number(id)),
      'mcp-server': (id) => mcpServers.get(id),
      ...knowledgeRecords,
    },
    extensions,
  );
  const auditLog = new AuditLog(new KyselyAuditStore(database), { retentionDays: config.auditRetentionDays });
  return { auditLog, auditedRecords };
}
