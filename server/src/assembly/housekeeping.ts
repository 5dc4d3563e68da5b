import type { Logger } from '@parley/sdk';
import type { Config } from '../config/index.ts';
import type { AttemptLimit } from '../core/accounts/attempt-limit.ts';
import type { AuditLog } from '../core/audit/audit-log.ts';
import { type Chore, createHousekeepingLoop } from '../core/housekeeping/housekeeping.ts';
import type { IdempotencyService } from '../core/idempotency/idempotency-service.ts';
import { type EventCounter, pruneEventCounts } from '../core/limits/event-counter.ts';
import { forgetOldMessages } from '../core/messages/message-retention.ts';
import type { TaskService } from '../core/tasks/task-service.ts';
import type { WebhookService } from '../core/webhooks/webhook-service.ts';
import type { DiskImageCache } from '../storage/files/disk-image-cache.ts';
import { KyselyMessageRetention } from '../storage/messages/kysely-message-retention.ts';
import type { Storage } from '../storage/storage.ts';

export interface HousekeepingParts {
  config: Config;
  logger: Logger;
  auditLog: AuditLog;
  idempotency: IdempotencyService;
  attempts: AttemptLimit;
  tasks: TaskService;
  counter: EventCounter;
  webhooks: WebhookService;
  imageCache: DiskImageCache;
  /** Further ones, by what they delete. */
  chores: Readonly<Record<string, Chore>>;
}

/** Deletes what exceeds its retention time. */
export function createHousekeeping({ database }: Storage, { config, logger, chores, ...parts }: HousekeepingParts) {
  const { auditLog, idempotency, attempts, tasks, counter, webhooks, imageCache } = parts;
  const messages = new KyselyMessageRetention(database);
  return createHousekeepingLoop(
    {
      'audit log': (limit) => auditLog.prune(limit),
      'idempotency keys': (limit) => idempotency.prune(limit),
      'attempts to sign in': (limit) => attempts.prune(limit),
      'networks of accounts': (limit) => attempts.pruneNetworks(limit),
      tasks: (limit) => tasks.prune(limit),
      'counts of events': (limit) => pruneEventCounts(counter, limit),
      'log of webhooks': (limit) => webhooks.prune(limit),
      'loaded images': () => imageCache.prune(),
      messages: (limit) => forgetOldMessages(messages, config.messageRetentionDays, limit),
      ...chores,
    },
    logger,
  );
}
