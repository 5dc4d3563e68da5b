import { invalidFields, ParleyError } from '@parley/sdk';
import { now } from '../../lib/clock.ts';
import type { CreateWebhook, UpdateWebhook, Webhook } from './webhook.ts';
import type { WebhookChanges, WebhookStore } from './webhook-store.ts';

/** Records of addresses that are to be told of what happens. */
export class WebhookService {
  readonly #store: WebhookStore;

  constructor(store: WebhookStore) {
    this.#store = store;
  }

  list(): Promise<Webhook[]> {
    return this.#store.list();
  }

  /** @throws ParleyError `not_found` */
  async get(id: number): Promise<Webhook> {
    return found(await this.#store.byId(id));
  }

  /** @throws ParleyError `invalid_request` */
  async create({ name, url, description = '', enabled = true }: CreateWebhook): Promise<Webhook> {
    requireAddress(url);
    const moment = now();
    return this.#store.create({ name, url, description, enabled, created_at: moment, updated_at: moment });
  }

  /** @throws ParleyError `not_found`, `invalid_request` */
  async update(id: number, request: UpdateWebhook): Promise<Webhook> {
    const given = Object.entries(request).filter(([, value]) => value !== null);
    const changes = Object.fromEntries(given) as WebhookChanges;
    if (changes.url !== undefined) requireAddress(changes.url);
    return found(await this.#store.update(id, changes, now()));
  }

  /** @throws ParleyError `not_found` */
  async delete(id: number): Promise<void> {
    if (!(await this.#store.delete(id))) found(null);
  }
}

/** Reads of addresses pass over spaces and control characters, so an address that has some is not what it seems. */
function requireAddress(text: string): void {
  const url = /^https?:\/\/[^\s\p{Cc}]+$/iu.test(text) ? URL.parse(text) : null;
  if (url === null || url.username !== '' || url.password !== '') {
    const message = 'must be an http:// or https:// address without account name and password';
    throw invalidFields([{ path: 'url', message }]);
  }
}

function found(webhook: Webhook | null): Webhook {
  if (webhook === null) throw new ParleyError('not_found', 'Webhook not found');
  return webhook;
}
