import { WebhookDispatcher } from '../core/webhooks/webhook-dispatcher.ts';
import type { WebhookPresence } from '../core/webhooks/webhook-presence.ts';
import { WebhookSender } from '../core/webhooks/webhook-sender.ts';
import { secretContext, WebhookService } from '../core/webhooks/webhook-service.ts';
import { createGuardedFetch } from '../kit/guarded-fetch.ts';
import type { Signal } from '../lib/signal.ts';
import type { Ledger } from '../storage/messages/open-ledger.ts';
import { takingOver } from '../storage/replicas/replica.ts';
import type { Storage } from '../storage/storage.ts';
import { KyselyWebhookDeliveryStore } from '../storage/webhooks/kysely-webhook-delivery-store.ts';
import { KyselyWebhookStore } from '../storage/webhooks/kysely-webhook-store.ts';
import type { createBots } from './bots.ts';
import type { Created, SharedParts } from './parts.ts';

type WebhookParts = SharedParts &
  Created<typeof createBots> & {
    presence: WebhookPresence;
    ledger: Ledger;
    messagesDue: Signal;
  };

/** Outgoing webhooks: their records, and what sends to them. */
export function createWebhooks(
  { database, engine, replica }: Storage,
  { config, logger, secrets, ...parts }: WebhookParts,
) {
  const { presence, ledger, messagesDue, runtime, mediaFetch } = parts;
  const deliveries = takingOver(replica, new KyselyWebhookDeliveryStore(database, engine, replica));
  const sender = new WebhookSender({ fetch: createGuardedFetch({ policy: 'saved' }) });
  const webhookDispatcher = new WebhookDispatcher(deliveries, {
    sender,
    // Media of messages are loaded where their bot is connected.
    maySend: () => replica.mayWork,
    completed: async (message, signal) => {
      if (!runtime.isRunning(message.bot_uuid)) return message;
      return mediaFetch.complete(message, runtime.running(message.bot_uuid), signal);
    },
    openSecret: (id, sealed) => secrets.open(sealed, secretContext(id)),
    answered: async (conversation) => {
      await ledger.messages.hurry(conversation);
      messagesDue.emit();
    },
    logger,
  });
  const webhooks = new WebhookService(new KyselyWebhookStore(database, engine), {
    secrets,
    deliveries,
    dispatcher: webhookDispatcher,
    sender,
    presence,
    retentionDays: config.webhookRetentionDays,
  });
  return { webhooks, webhookDispatcher };
}
