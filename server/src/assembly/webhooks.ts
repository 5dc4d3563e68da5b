import type { Logger } from '@parley/sdk';
import type { Config } from '../config/index.ts';
import { WebhookDispatcher } from '../core/webhooks/webhook-dispatcher.ts';
import { WebhookSender } from '../core/webhooks/webhook-sender.ts';
import { secretContext, WebhookService } from '../core/webhooks/webhook-service.ts';
import { createGuardedFetch } from '../kit/guarded-fetch.ts';
import type { SecretBox } from '../lib/secret-box.ts';
import type { Storage } from '../storage/storage.ts';
import { KyselyWebhookDeliveryStore } from '../storage/webhooks/kysely-webhook-delivery-store.ts';
import { KyselyWebhookStore } from '../storage/webhooks/kysely-webhook-store.ts';

export interface WebhookParts {
  config: Config;
  logger: Logger;
  secrets: SecretBox;
  /** Called when messages of a conversation need not wait for webhooks any longer. */
  answered: (conversationUuid: string) => Promise<void>;
}

/** Outgoing webhooks: their records, and what sends to them. */
export function assembleWebhooks({ database, engine }: Storage, { config, logger, secrets, answered }: WebhookParts) {
  const deliveries = new KyselyWebhookDeliveryStore(database, engine);
  const sender = new WebhookSender({ fetch: createGuardedFetch({ policy: 'saved' }) });
  const dispatcher = new WebhookDispatcher(deliveries, {
    sender,
    openSecret: (id, sealed) => secrets.open(sealed, secretContext(id)),
    answered,
    logger,
  });
  const webhooks = new WebhookService(new KyselyWebhookStore(database), {
    secrets,
    deliveries,
    dispatcher,
    sender,
    retentionDays: config.webhookRetentionDays,
  });
  return { webhooks, webhookDispatcher: dispatcher };
}
