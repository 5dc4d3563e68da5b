import { type AdapterState, DeliveryError } from '@parley/sdk';
import { TokenCache } from '../../kit/token-cache.ts';
import type { LarkSettings } from './config.ts';
import type { LarkApi, LarkResponse, Tokens } from './lark-api.ts';

type Credentials = Pick<LarkSettings, 'app_id' | 'app_secret'>;

const authorize = '/open-apis/auth/v3';

/** The tokens of a custom app, which belongs to one company. */
export class OwnTokens implements Tokens {
  readonly #cache: TokenCache;

  constructor(api: LarkApi, { app_id, app_secret }: Credentials) {
    this.#cache = new TokenCache({
      fetchToken: async () =>
        tokenIn(
          await api.call({
            method: 'POST',
            path: `${authorize}/tenant_access_token/internal`,
            json: { app_id: app_id.trim(), app_secret: app_secret.trim() },
            isRepeatable: true,
          }),
          'tenant_access_token',
        ),
    });
  }

  get(): Promise<string> {
    return this.#cache.get();
  }

  invalidate(_tenant: string | null, token: string): void {
    this.#cache.invalidate(token);
  }
}

/** Names of the values that an app of the store remembers. */
const names = { ticket: 'app_ticket', tenant: 'tenant_key' };

/**
 * The tokens of an app of the store: the platform sends a ticket every hour, which is exchanged for a token of the app,
 * and that for one of each company.
 */
export class StoreTokens implements Tokens {
  readonly #api: LarkApi;
  readonly #credentials: Credentials;
  readonly #state: AdapterState;
  readonly #app: TokenCache;
  readonly #tenants = new Map<string, TokenCache>();

  constructor(api: LarkApi, credentials: Credentials, state: AdapterState) {
    this.#api = api;
    this.#credentials = credentials;
    this.#state = state;
    this.#app = new TokenCache({ fetchToken: () => this.#appToken() });
  }

  /** A ticket came from the platform. */
  async takeTicket(ticket: string): Promise<void> {
    await this.#state.write({ [names.ticket]: ticket });
  }

  /** The company whose message was received last. */
  lastTenant(): Promise<string | null> {
    return this.#state.read(names.tenant);
  }

  async get(tenant: string | null): Promise<string> {
    const key = tenant ?? (await this.lastTenant());
    if (key === null) throw waiting('No message has come from a company that installed the app');
    let cache = this.#tenants.get(key);
    if (cache === undefined) {
      cache = new TokenCache({ fetchToken: () => this.#tenantToken(key) });
      this.#tenants.set(key, cache);
    }
    return cache.get();
  }

  invalidate(tenant: string | null, token: string): void {
    const caches = tenant === null ? [...this.#tenants.values()] : [this.#tenants.get(tenant)];
    for (const cache of caches) cache?.invalidate(token);
  }

  async #tenantToken(tenant_key: string) {
    const app_access_token = await this.#app.get();
    const path = `${authorize}/tenant_access_token`;
    const json = { app_access_token, tenant_key };
    return tokenIn(await this.#api.call({ method: 'POST', path, json, isRepeatable: true }), 'tenant_access_token');
  }

  async #appToken() {
    const { app_id, app_secret } = this.#credentials;
    const app_ticket = await this.#state.read(names.ticket);
    if (app_ticket === null) {
      await this.#api.call({ method: 'POST', path: `${authorize}/app_ticket/resend`, json: { app_id, app_secret } });
      throw waiting('The platform has not sent a ticket of the app yet');
    }
    const json = { app_id, app_secret, app_ticket };
    const path = `${authorize}/app_access_token`;
    return tokenIn(await this.#api.call({ method: 'POST', path, json, isRepeatable: true }), 'app_access_token');
  }
}

/** What is stored with a message of a company. */
export function tenantState(tenant: string | undefined): Record<string, string> {
  return tenant === undefined || tenant === '' ? {} : { [names.tenant]: tenant };
}

function waiting(message: string): DeliveryError {
  return new DeliveryError('not_sent', 'platform_failed', message);
}

function tokenIn(response: LarkResponse, name: string): { token: string; validMs: number } {
  const { [name]: token, expire } = response;
  if (typeof token !== 'string' || token === '') throw waiting('Lark gave no access token');
  return { token, validMs: (typeof expire === 'number' && expire > 0 ? expire : 7200) * 1000 };
}
