import { type Chore, createHousekeepingLoop } from '../core/housekeeping/housekeeping.ts';
import type { IdempotencyService } from '../core/idempotency/idempotency-service.ts';
import { pruneEventCounts } from '../core/limits/event-counter.ts';
import { forgetOldMessages } from '../core/messages/message-retention.ts';
import { Duty } from '../core/replicas/duty.ts';
import { forgetCancellations } from '../storage/messages/kysely-cancellation-store.ts';
import { KyselyMessageRetention } from '../storage/messages/kysely-message-retention.ts';
import { forgetEndedReplicas, forgetLeases } from '../storage/replicas/replica-list.ts';
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
    /** Further ones that each replica does for itself. */
    ownChores: Readonly<Record<string, Chore>>;
  };

/** Deletes what exceeds its retention time. */
export function createHousekeeping(
  { database, replica }: Storage,
  { config, logger, chores, ownChores, ...parts }: HousekeepingParts,
) {
  const {
    auditLog,
    idempotency,
    attempts,
    tasks,
    counter,
    webhooks,
    alerts,
    imageCache,
    replayGuard,
    modelRequests,
    identities,
  } = parts;
  const retention = new KyselyMessageRetention(database);
  const shared = createHousekeepingLoop(
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
      'answered sign-ins': (limit) => identities.prune(limit),
      'requests to models': (limit) => modelRequests.prune(limit),
      'cancellations of answers': (limit) => forgetCancellations(database, limit),
      'ended replicas': (limit) => forgetEndedReplicas(database, limit),
      'leases of deleted bots': (limit) => forgetLeases(database, limit),
      messages: (limit) => forgetOldMessages(retention, config.messageRetentionDays, limit),
      ...chores,
    },
    logger,
    new Duty(replica.leases, 'housekeeping'),
  );
  const own = createHousekeepingLoop({ 'loaded images': () => imageCache.prune(), ...ownChores }, logger);
  return {
    start: () => {
      shared.start();
      own.start();
    },
    stop: async () => {
      await Promise.all([shared.stop(), own.stop()]);
    },
  };
}
