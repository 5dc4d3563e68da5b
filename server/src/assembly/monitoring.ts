import { FeedbackService } from '../core/feedback/feedback-service.ts';
import { forgetOldEmbeddingCalls } from '../core/monitoring/embedding-call.ts';
import { MonitoringService } from '../core/monitoring/monitoring-service.ts';
import { createRollupKeeper } from '../core/monitoring/rollup-keeper.ts';
import { Duty } from '../core/replicas/duty.ts';
import { KyselyEmbeddingCallStore } from '../storage/monitoring/kysely-embedding-call-store.ts';
import { KyselyFeedbackStore } from '../storage/monitoring/kysely-feedback-store.ts';
import { openMonitoring } from '../storage/monitoring/open-monitoring.ts';
import type { Storage } from '../storage/storage.ts';
import type { SharedParts } from './parts.ts';

/** Observes events, and stores what only monitoring needs. */
export async function createMonitoring(storage: Storage, { config, logger, botStore }: SharedParts) {
  const { reader, rollups } = await openMonitoring(storage);
  storage.onClose(() => reader.close());
  const embeddingCalls = new KyselyEmbeddingCallStore(storage.database);
  const days = config.monitoringRetentionDays;
  const feedback = new FeedbackService(new KyselyFeedbackStore(storage.database), {
    bots: botStore,
    retentionDays: days,
  });
  return {
    monitoringReader: reader,
    monitoring: new MonitoringService(reader),
    rollupKeeper: createRollupKeeper(rollups, { logger, duty: new Duty(storage.replica.leases, 'roll-ups') }),
    feedback,
    embeddingCalls,
    chores: {
      feedback: (limit: number) => feedback.prune(limit),
      'calls of embedding models': (limit: number) => forgetOldEmbeddingCalls(embeddingCalls, days, limit),
    },
  };
}
