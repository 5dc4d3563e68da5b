import { ParleyError } from '@parley/sdk';
import type { Account } from './account.ts';
import type { Scope } from './api-key.ts';
import { type ApiKeyService, apiKeyPrefix } from './api-key-service.ts';
import type { Session } from './session.ts';
import type { SessionService } from './session-service.ts';

/** Who is calling. It comes from the credential and from nowhere else. */
export type Principal =
  | { kind: 'user'; account: Account; session: Session }
  | { kind: 'api-key'; id: number; name: string; scopes: Scope[] };

/** Names a caller for what is kept per caller: the account, however it is signed in, or the key. */
export function principalName(principal: Principal): string {
  return principal.kind === 'user' ? `user/${principal.account.uuid}` : `api-key/${principal.id}`;
}

/** What a caller presented: the two headers, and the sign-in cookie where the route accepts it. */
export interface Credentials {
  apiKey: string | undefined;
  authorization: string | undefined;
  cookie: string | undefined;
}

/** What a route asks for. */
export interface RequiredAccess {
  /** `user`: acts on the signed-in account; `either`: a user token or an API key. */
  credential: 'user' | 'either';
  scope: Scope;
}

/** The one place that decides who a caller is and whether the call is theirs to make. */
export class Authenticator {
  readonly #apiKeys: ApiKeyService;
  readonly #sessions: SessionService;

  constructor(apiKeys: ApiKeyService, sessions: SessionService) {
    this.#apiKeys = apiKeys;
    this.#sessions = sessions;
  }

  /**
   * A non-empty `X-API-Key` wins outright; else `Authorization` holds a user token or an API key, with or without `Bearer`.
   * @throws ParleyError `unauthorized`, `user_token_required` or `scope_required`
   */
  async authenticate(credentials: Credentials, required: RequiredAccess): Promise<Principal> {
    const principal = await this.#identify(credentials, required);
    if (principal.kind === 'api-key') {
      if (required.credential === 'user') {
        throw new ParleyError('user_token_required', 'This operation needs a user token, not an API key');
      }
      if (!principal.scopes.includes(required.scope)) {
        throw new ParleyError('scope_required', `The API key lacks the scope "${required.scope}"`);
      }
    }
    return principal;
  }

  /** Whether the credential of a caller who stays connected is still good. */
  isStillGood(principal: Principal): Promise<boolean> {
    return principal.kind === 'user'
      ? this.#sessions.isAlive(principal.session.uuid)
      : this.#apiKeys.isAlive(principal.id);
  }

  async #identify(credentials: Credentials, required: RequiredAccess): Promise<Principal> {
    if (credentials.apiKey !== undefined && credentials.apiKey !== '') {
      return this.#byApiKey(credentials.apiKey, 'Invalid API key');
    }
    const presented = credentials.authorization?.replace(/^bearer\s+/i, '').trim() || credentials.cookie;
    if (presented === undefined || presented === '') {
      throw new ParleyError(
        'unauthorized',
        required.credential === 'user'
          ? 'No valid user token provided'
          : 'No valid authentication provided (user token or API key required)',
      );
    }
    if (presented.startsWith(apiKeyPrefix)) return this.#byApiKey(presented, 'Invalid authentication credentials');
    const found = await this.#sessions.authenticate(presented);
    if (found === null) throw new ParleyError('unauthorized', 'Invalid authentication credentials');
    return { kind: 'user', ...found };
  }

  async #byApiKey(key: string, refusal: string): Promise<Principal> {
    const record = await this.#apiKeys.authenticate(key);
    if (record === null) throw new ParleyError('unauthorized', refusal);
    return { kind: 'api-key', id: record.id, name: record.name, scopes: record.scopes };
  }
}
