import { invalidFields, type ParleyError, problemError } from '@parley/sdk';
import { now, present, secondsFromNow } from '../../lib/clock.ts';
import { mask } from '../../lib/mask.ts';
import type { SecretBox } from '../../lib/secret-box.ts';
import { isUuid, newUuid } from '../../lib/uuid.ts';
import type { ListedRecords, NamedRecord, RecordListing } from '../records/record-listing.ts';
import { type ExpectedTags, recordTag, requireTag, type Tagged } from '../records/record-tag.ts';
import { deliveryLifetime } from './delivery-timing.ts';
import type { CreateWebhook, UpdateWebhook, Webhook, WebhookFilter, WebhookTestResult } from './webhook.ts';
import type { WebhookAttempt, WebhookDelivery, WebhookDeliveryState } from './webhook-delivery.ts';
import type { DeliveryPage, WebhookDeliveryStore } from './webhook-delivery-store.ts';
import type { WebhookDispatcher } from './webhook-dispatcher.ts';
import { pingPayload } from './webhook-payload.ts';
import type { WebhookPresence } from './webhook-presence.ts';
import type { WebhookSender } from './webhook-sender.ts';
import { newWebhookSecret } from './webhook-signature.ts';
import type { SealedSecret, WebhookChanges, WebhookStore } from './webhook-store.ts';

const secondsPerDay = 86_400;

export interface WebhookServiceOptions {
  secrets: SecretBox;
  deliveries: WebhookDeliveryStore;
  dispatcher: Pick<WebhookDispatcher, 'wake' | 'changed'>;
  sender: Pick<WebhookSender, 'send'>;
  presence: WebhookPresence;
  /** Retention time of the delivery log, days. */
  retentionDays: number;
}

/** Records of outgoing webhooks, and their delivery log. */
export class WebhookService {
  readonly #store: WebhookStore;
  readonly #options: WebhookServiceOptions;

  constructor(store: WebhookStore, options: WebhookServiceOptions) {
    this.#store = store;
    this.#options = options;
  }

  /**
   * To be called before webhooks can be written. Generates secrets for webhooks from before there were any; they can be
   * replaced to be shown.
   */
  async open(): Promise<void> {
    for (const id of await this.#store.withoutSecret()) {
      await this.#store.addSecret(id, this.#sealed(id, newWebhookSecret()), now());
    }
    await this.refresh();
  }

  /** Takes over what others stored. */
  async refresh(): Promise<void> {
    await this.#options.presence.find(async () => (await this.#store.list()).some(({ enabled }) => enabled));
  }

  list(): Promise<Webhook[]> {
    return this.#store.list();
  }

  /** @throws ParleyError `not_found` */
  async get(id: number): Promise<Webhook> {
    return found(await this.#store.byId(id));
  }

  page(listing: RecordListing & WebhookFilter): Promise<ListedRecords<Webhook>> {
    return this.#store.page(listing);
  }

  /** All matches, by number. */
  names(listing: RecordListing & WebhookFilter): Promise<NamedRecord<number>[]> {
    return this.#store.names(listing);
  }

  /** @throws ParleyError `not_found` */
  async tagged(id: number): Promise<Tagged<Webhook>> {
    const record = await this.get(id);
    return { record, tag: () => tagOf(record) };
  }

  /**
   * @returns the record with the whole secret, this one time
   * @throws ParleyError `invalid_request`
   */
  async create({ name, url, description = '', enabled = true }: CreateWebhook): Promise<Webhook> {
    requireWebhookAddress(url);
    const timestamp = now();
    const secret = newWebhookSecret();
    if (enabled) this.#options.presence.raise();
    const record = { name, url, description, enabled, secret, disabled_reason: null };
    const webhook = { ...record, created_at: timestamp, updated_at: timestamp };
    const stored = await this.#store.create(webhook, (id) => this.#sealed(id, secret));
    return { ...stored, secret };
  }

  /** @throws ParleyError `not_found`, `invalid_request`, `record_changed` */
  async update(id: number, request: UpdateWebhook, expected: ExpectedTags = null): Promise<Webhook> {
    const given = Object.entries(request).filter(([, value]) => value !== null);
    const changes = Object.fromEntries(given) as WebhookChanges;
    if (changes.url !== undefined) requireWebhookAddress(changes.url);
    if (changes.enabled === true) {
      changes.disabled_reason = null;
      this.#options.presence.raise();
    }
    const change = (stored: Webhook) => {
      requireTag(expected, () => tagOf(stored));
      return changes;
    };
    const webhook = found(await this.#store.update(id, change, now()));
    if (changes.url !== undefined || changes.enabled === true) await this.#options.dispatcher.changed(id);
    return webhook;
  }

  /**
   * Nothing is written when it is as wanted.
   * @returns whether it was not
   * @throws ParleyError `not_found`
   */
  async setEnabled(id: number, enabled: boolean): Promise<boolean> {
    if ((await this.get(id)).enabled === enabled) return false;
    await this.update(id, { enabled });
    return true;
  }

  /** @throws ParleyError `not_found` */
  async delete(id: number): Promise<void> {
    if (!(await this.#store.delete(id))) found(null);
  }

  /**
   * Replaces the secret; payloads are signed with the new one from now on.
   * @returns the new secret, only this time
   * @throws ParleyError `not_found`
   */
  async rotateSecret(id: number): Promise<string> {
    const secret = newWebhookSecret();
    if (!(await this.#store.replaceSecret(id, this.#sealed(id, secret), now()))) found(null);
    return secret;
  }

  /**
   * Sends a `ping` now, also to a webhook that is switched off.
   * @throws ParleyError `not_found`
   */
  async test(id: number): Promise<WebhookTestResult> {
    const webhook = await this.get(id);
    const sealed = await this.#store.sealedSecret(id);
    // Deleted meanwhile.
    if (sealed === null) return found(null) as never;
    const receiver = { url: webhook.url, secret: this.#options.secrets.open(sealed, secretContext(id)) };
    const ping = pingPayload(newUuid(), webhook, present());
    const result = await this.#options.sender.send(receiver, ping, new AbortController().signal);
    const { outcome, milliseconds, status, error, answer } = result;
    return { delivered: outcome === 'delivered', milliseconds, status, error, answer };
  }

  /** @throws ParleyError `not_found` */
  async deliveries(
    id: number,
    state: WebhookDeliveryState | null,
    limit: number,
    before: number | null,
  ): Promise<DeliveryPage> {
    await this.get(id);
    return this.#options.deliveries.page(id, state, limit, before);
  }

  /** @throws ParleyError `not_found` */
  async delivery(id: number, uuid: string): Promise<{ delivery: WebhookDelivery; attempts: WebhookAttempt[] }> {
    const delivery = isUuid(uuid) ? await this.#options.deliveries.find(id, uuid.toLowerCase()) : null;
    if (delivery === null) throw deliveryNotFound();
    return delivery;
  }

  /**
   * Resends a delivery with the same id, after the earlier ones of its conversation.
   * @throws ParleyError `not_found`, `conflict` when the webhook is disabled
   */
  async redeliver(id: number, uuid: string): Promise<void> {
    const { enabled } = await this.get(id);
    await this.delivery(id, uuid);
    if (!enabled) throw problemError('webhook_disabled');
    const timestamp = present();
    const times = { now: timestamp, expires_at: timestamp + deliveryLifetime };
    if (!(await this.#options.deliveries.redeliver(id, uuid.toLowerCase(), times))) throw deliveryNotFound();
    this.#options.dispatcher.wake();
  }

  /** Removes old log entries. @returns how many, at most `limit` */
  async prune(limit: number): Promise<number> {
    const before = Date.parse(secondsFromNow(-this.#options.retentionDays * secondsPerDay));
    const removed = await this.#options.deliveries.removeBefore(before, limit);
    // What waited behind something that was removed, also with its message, is first now.
    if (removed < limit) {
      await this.#options.deliveries.mend(present());
      this.#options.dispatcher.wake();
    }
    return removed;
  }

  #sealed(id: number, secret: string): SealedSecret {
    return { sealed_secret: this.#options.secrets.seal(secret, secretContext(id)), secret_mask: mask(secret) };
  }
}

/** The secret is replaced apart from the other fields. */
function tagOf(webhook: Webhook): string {
  return recordTag(webhook, ['secret', 'disabled_reason']);
}

/** Names the record that a secret is sealed for. */
export function secretContext(id: number): string {
  return `webhooks/${id}`;
}

/** URL parsers ignore spaces and control characters, so an address with some is deceptive. */
export function requireWebhookAddress(text: string, path = 'url'): void {
  const url = /^https?:\/\/[^\s\p{Cc}]+$/iu.test(text) ? URL.parse(text) : null;
  if (url === null || url.username !== '' || url.password !== '') {
    const message = 'must be an http:// or https:// address without account name and password';
    throw invalidFields([{ path, message, rule: 'address' }]);
  }
}

function found(webhook: Webhook | null): Webhook {
  if (webhook === null) throw problemError('webhook_not_found');
  return webhook;
}

function deliveryNotFound(): ParleyError {
  return problemError('webhook_delivery_not_found');
}
