import { AuditLog } from '../core/audit/audit-log.ts';
import { AuditedRecords, type ReadRecord } from '../core/audit/audited-records.ts';
import { KyselyAuditStore } from '../storage/audit/kysely-audit-store.ts';
import type { Storage } from '../storage/storage.ts';
import type { createAccess } from './access.ts';
import type { createAlerts } from './alerts.ts';
import type { createBots } from './bots.ts';
import type { createMcp } from './mcp.ts';
import type { createModels } from './models.ts';
import type { Created, SharedParts } from './parts.ts';
import type { createPipelines } from './pipelines.ts';
import type { createPlugins } from './plugins.ts';
import type { createWebhooks } from './webhooks.ts';

type AuditParts = Pick<SharedParts, 'config' | 'extensions'> &
  Created<typeof createAccess> &
  Created<typeof createModels> &
  Created<typeof createMcp> &
  Pick<Created<typeof createPlugins>, 'plugins'> &
  Created<typeof createPipelines> &
  Created<typeof createBots> &
  Created<typeof createWebhooks> &
  Pick<Created<typeof createAlerts>, 'alerts'> & {
    /** Of knowledge bases and what belongs to them. */
    knowledgeRecords: Record<string, ReadRecord>;
  };

/** The audit log, and what reads the records that it is about. */
export function createAudit({ database }: Storage, { config, extensions, knowledgeRecords, ...services }: AuditParts) {
  const {
    providers,
    models,
    modelPrices,
    priceCurrency,
    pipelines,
    bots,
    webhooks,
    accountDirectory,
    apiKeys,
    mcpServers,
    plugins,
    alerts,
  } = services;
  const auditedRecords = new AuditedRecords(
    {
      provider: (uuid) => providers.get(uuid),
      'language-model': (uuid) => models.llm.get(uuid),
      'embedding-model': (uuid) => models['text-embedding'].get(uuid),
      'rerank-model': (uuid) => models.rerank.get(uuid),
      'model-price': (name) => modelPrices.get(name),
      'price-currency': () => priceCurrency.get(),
      pipeline: (uuid) => pipelines.get(uuid),
      bot: (uuid) => bots.get(uuid),
      webhook: (id) => webhooks.get(Number(id)),
      'alert-rule': (uuid) => alerts.rule(uuid),
      'alert-target': (uuid) => alerts.target(uuid),
      account: (uuid) => accountDirectory.get(uuid),
      'api-key': (id) => apiKeys.get(Number(id)),
      'mcp-server': (id) => mcpServers.get(id),
      plugin: (id) => plugins.audited(id),
      ...knowledgeRecords,
    },
    extensions,
  );
  const auditLog = new AuditLog(new KyselyAuditStore(database), { retentionDays: config.auditRetentionDays });
  return { auditLog, auditedRecords };
}
