import type { MessageEvent } from '@parley/sdk';
import { silentLogger } from '@parley/sdk/testing';
import type { ConversationKey } from '../../src/core/conversations/conversation.ts';
import type { WebhookDeliveryStore } from '../../src/core/webhooks/webhook-delivery-store.ts';
import { WebhookDispatcher, type WebhookDispatcherOptions } from '../../src/core/webhooks/webhook-dispatcher.ts';
import { WebhookPresence } from '../../src/core/webhooks/webhook-presence.ts';
import { WebhookSender } from '../../src/core/webhooks/webhook-sender.ts';
import { secretContext, WebhookService } from '../../src/core/webhooks/webhook-service.ts';
import { createGuardedFetch } from '../../src/kit/guarded-fetch.ts';
import { SecretBox } from '../../src/lib/secret-box.ts';
import { openLedger } from '../../src/storage/messages/open-ledger.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { KyselyWebhookDeliveryStore } from '../../src/storage/webhooks/kysely-webhook-delivery-store.ts';
import { KyselyWebhookStore } from '../../src/storage/webhooks/kysely-webhook-store.ts';
import { conversationKey, messageEvent } from './ledger-records.ts';
import { otherReplica, takeOver } from './replicas.ts';

export interface WebhookFixtureOptions extends Partial<WebhookDispatcherOptions> {
  waitMs?: number;
  timeoutMs?: number;
  /** Wraps the store for the dispatcher. */
  around?: (store: WebhookDeliveryStore) => WebhookDeliveryStore;
}

/** The ledger and webhooks of one storage, with a clock that can be put forward. */
export async function openWebhookFixture(storage: Storage, options: WebhookFixtureOptions = {}) {
  const { waitMs = 5000, timeoutMs = 15_000, around = (store) => store, ...rest } = options;
  const presence = new WebhookPresence();
  const ledger = await openLedger(storage, {
    webhookWaitMs: waitMs,
    mayTellWebhooks: () => presence.mayTell,
  });
  const storeOf = ({ database, engine, replica }: Storage) => new KyselyWebhookDeliveryStore(database, engine, replica);
  let process = await otherReplica(storage);
  const deliveries = storeOf(process);
  const secrets = new SecretBox(Buffer.alloc(32, 7));
  let ahead = 0;
  const now = () => Date.now() + ahead;
  const sender = new WebhookSender({ fetch: createGuardedFetch({ policy: 'saved' }), now, timeoutMs });
  const begun: WebhookDispatcher[] = [];
  const dispatcher = (store: WebhookDeliveryStore) => {
    const made = new WebhookDispatcher(around(store), {
      sender,
      completed: async (message) => message,
      openSecret: (id, sealed) => secrets.open(sealed, secretContext(id)),
      answered: (conversation) => ledger.messages.hurry(conversation),
      logger: silentLogger,
      retryDelayMs: 10,
      now,
      ...rest,
    });
    begun.push(made);
    return made;
  };
  const first = dispatcher(deliveries);
  const service = new WebhookService(new KyselyWebhookStore(storage.database, storage.engine), {
    secrets,
    deliveries,
    sender,
    presence,
    dispatcher: first,
    retentionDays: 30,
  });
  return {
    storage,
    ledger,
    presence,
    deliveries,
    service,
    sender,
    /** Not started. */
    dispatcher: first,
    /** One of another replica that lives beside the first. */
    beside: async () => dispatcher(storeOf(await otherReplica(storage))),
    /** Another one, as after a restart; what the one before claimed is taken over. */
    restarted: async () => {
      await takeOver(process);
      process = await otherReplica(storage);
      return dispatcher(storeOf(process));
    },
    now,
    /** Puts the clock forward and has everybody look at it. */
    pass: (milliseconds: number) => {
      ahead += milliseconds;
      for (const one of begun) one.wake();
    },
    /** Puts the clock back to what it is. */
    resetClock: () => {
      ahead = 0;
    },
    /** Stores a message of a user, in a new conversation. */
    say: (text: string, person = 'ada', over: Partial<MessageEvent> = {}, key: Partial<ConversationKey> = {}) =>
      ledger.messages.accept(
        conversationKey({ session_id: person, ...key }),
        messageEvent(text, { session_id: person, sender_id: person, ...over }),
      ),
    states: async () =>
      (await storage.database.selectFrom('webhook_deliveries').select('state').orderBy('position').execute()).map(
        ({ state }) => state,
      ),
    stop: () => Promise.all(begun.map((one) => one.stop(1000))),
  };
}
export type WebhookFixture = Awaited<ReturnType<typeof openWebhookFixture>>;

/** The text of the message in a payload. */
export function textIn(payload: { data: { message: { type: string; text?: string }[] } }): string {
  return payload.data.message.map(({ text }) => text ?? '').join('');
}
