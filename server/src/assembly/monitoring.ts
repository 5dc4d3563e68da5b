import type { Logger } from '@parley/sdk';
import type { Config } from '../config/index.ts';
import type { BotStore } from '../core/bots/bot-store.ts';
import { FeedbackService } from '../core/feedback/feedback-service.ts';
import { forgetOldEmbeddingCalls } from '../core/monitoring/embedding-call.ts';
import { MonitoringService } from '../core/monitoring/monitoring-service.ts';
import { createRollupKeeper } from '../core/monitoring/rollup-keeper.ts';
import { KyselyEmbeddingCallStore } from '../storage/monitoring/kysely-embedding-call-store.ts';
import { KyselyFeedbackStore } from '../storage/monitoring/kysely-feedback-store.ts';
import { openMonitoring } from '../storage/monitoring/open-monitoring.ts';
import type { Storage } from '../storage/storage.ts';

export interface MonitoringParts {
  config: Config;
  logger: Logger;
  bots: Pick<BotStore, 'byUuid'>;
}

/** Observes events, and stores what only monitoring needs. */
export async function createMonitoring(storage: Storage, { config, logger, bots }: MonitoringParts) {
  const { reader, rollups } = await openMonitoring(storage);
  storage.onClose(() => reader.close());
  const embeddingCalls = new KyselyEmbeddingCallStore(storage.database);
  const days = config.monitoringRetentionDays;
  const feedback = new FeedbackService(new KyselyFeedbackStore(storage.database), { bots, retentionDays: days });
  return {
    monitoring: new MonitoringService(reader),
    rollupKeeper: createRollupKeeper(rollups, { logger }),
    feedback,
    embeddingCalls,
    chores: {
      feedback: (limit: number) => feedback.prune(limit),
      'calls of embedding models': (limit: number) => forgetOldEmbeddingCalls(embeddingCalls, days, limit),
    },
  };
}
