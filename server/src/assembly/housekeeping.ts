import { type Chore, createHousekeepingLoop } from '../core/housekeeping/housekeeping.ts';
import type { IdempotencyService } from '../core/idempotency/idempotency-service.ts';
import { pruneEventCounts } from '../core/limits/event-counter.ts';
import { forgetOldMessages } from '../core/messages/message-retention.ts';
import { KyselyMessageRetention } from '../storage/messages/kysely-message-retention.ts';
import type { Storage } from '../storage/storage.ts';
import type { createAccess } from './access.ts';
import type { createAlerts } from './alerts.ts';
import type { createAudit } from './audit.ts';
import type { createBots } from './bots.ts';
import type { createMessages, createMessageViews } from './messages.ts';
import type { Created, SharedParts } from './parts.ts';
import type { createWebhooks } from './webhooks.ts';

type HousekeepingParts = Pick<SharedParts, 'config' | 'logger' | 'tasks'> &
  Created<typeof createAccess> &
  Created<typeof createAudit> &
  Pick<Created<typeof createAlerts>, 'alerts'> &
  Pick<Created<typeof createBots>, 'replayGuard'> &
  Created<typeof createMessages> &
  Created<typeof createMessageViews> &
  Created<typeof createWebhooks> & {
    idempotency: IdempotencyService;
    /** Further ones, by what they delete. */
    chores: Readonly<Record<string, Chore>>;
  };

/** Deletes what exceeds its retention time. */
export function createHousekeeping({ database }: Storage, { config, logger, chores, ...parts }: HousekeepingParts) {
  const { auditLog, idempotency, attempts, tasks, counter, webhooks, alerts, imageCache, replayGuard, modelRequests } =
    parts;
  const retention = new KyselyMessageRetention(database);
  return createHousekeepingLoop(
    {
      'audit log': (limit) => auditLog.prune(limit),
      'idempotency keys': (limit) => idempotency.prune(limit),
      'attempts to sign in': (limit) => attempts.prune(limit),
      'networks of accounts': (limit) => attempts.pruneNetworks(limit),
      tasks: (limit) => tasks.prune(limit),
      'counts of events': (limit) => pruneEventCounts(counter, limit),
      'log of webhooks': (limit) => webhooks.prune(limit),
      'past alerts': (limit) => alerts.prune(limit),
      'signatures of webhooks': (limit) => replayGuard.prune(limit),
      'requests to models': (limit) => modelRequests.prune(limit),
      'loaded images': () => imageCache.prune(),
      messages: (limit) => forgetOldMessages(retention, config.messageRetentionDays, limit),
      ...chores,
    },
    logger,
  );
}
