import { ParleyError } from '@parley/sdk';
import type { ReadVersions } from '../records/record-versions.ts';
import type { Account } from './account.ts';
import type { ApiKey, Scope } from './api-key.ts';
import { type ApiKeyService, apiKeyPrefix } from './api-key-service.ts';
import { type Role, reaches } from './role.ts';
import type { Session } from './session.ts';
import type { SessionService } from './session-service.ts';

/** The caller, derived from the credential alone. */
export type Principal =
  | { kind: 'user'; account: Account; session: Session }
  | {
      kind: 'api-key';
      id: number;
      name: string;
      scopes: Scope[];
      expires_at: string | null;
      /** Null for a key of the installation. */
      account_uuid: string | null;
      /** Of the account that it belongs to; a key of the installation may do all that its scopes say. */
      role: Role;
    };

/** Names a caller for data that is stored per caller: the account, however it is signed in, or the key. */
export function principalName(principal: Principal): string {
  return principal.kind === 'user' ? `user/${principal.account.uuid}` : `api-key/${principal.id}`;
}

/** When the credential of a caller expires, ISO 8601 UTC; null for never. */
export function expiryOf(principal: Principal): string | null {
  return principal.kind === 'user' ? principal.session.expires_at : principal.expires_at;
}

/** The role of the caller. A key never exceeds the account that it belongs to. */
export function roleOf(principal: Principal): Role {
  return principal.kind === 'user' ? principal.account.role : principal.role;
}

/** Whether a caller may do everything: a signed-in admin, or an admin's key with the scope `admin`. */
export function isAdmin(principal: Principal): boolean {
  return roleOf(principal) === 'admin' && (principal.kind === 'user' || principal.scopes.includes('admin'));
}

/** Whether a caller is signed in to an admin account. API keys are not, whatever their scopes. */
export function isSignedInAdmin(principal: Principal): boolean {
  return principal.kind === 'user' && isAdmin(principal);
}

/** The uuid of the account that owns the records a caller creates; null for a key of the installation. */
export function accountOf(principal: Principal): string | null {
  return principal.kind === 'user' ? principal.account.uuid : principal.account_uuid;
}

/** The credentials of a request: the two headers, and the session cookie where it counts. */
export interface Credentials {
  apiKey: string | undefined;
  authorization: string | undefined;
  cookie: string | undefined;
}

/** What a route requires of its caller. */
export interface RequiredAccess {
  /** `user`: acts on the signed-in account; `either`: a user token or an API key. */
  credential: 'user' | 'either';
  /** Of an API key; accounts have none. */
  scope: Scope;
  /** Of the account, or of the one that the API key belongs to. */
  role: Role;
}

/**
 * Why a caller may not make a call; null when the caller may.
 * @param principal null when the credential is unknown or has ended
 */
export function refusalOf(principal: Principal | null, required: RequiredAccess): ParleyError | null {
  if (principal === null) return new ParleyError('unauthorized', 'Invalid authentication credentials');
  if (principal.kind === 'api-key') {
    if (required.credential === 'user') {
      return new ParleyError('user_token_required', 'This operation needs a user token, not an API key');
    }
    if (!principal.scopes.includes(required.scope)) {
      return new ParleyError('scope_required', `The API key lacks the scope "${required.scope}"`);
    }
  }
  if (reaches(roleOf(principal), required.role)) return null;
  const who = principal.kind === 'user' ? 'Your account' : 'The account that the API key belongs to';
  return new ParleyError('role_required', `${who} lacks the role "${required.role}"`);
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
   * @param versions of the records after the request came, with which API keys are found in memory
   * @throws ParleyError `unauthorized`, `user_token_required`, `scope_required` or `role_required`
   */
  async authenticate(credentials: Credentials, required: RequiredAccess, versions?: ReadVersions): Promise<Principal> {
    const principal = await this.#identify(credentials, required, versions);
    const refusal = refusalOf(principal, required);
    if (refusal !== null) throw refusal;
    return principal;
  }

  /** A caller who stays connected, as the records are now; null when the credential was revoked, ended or expired. */
  async current(principal: Principal): Promise<Principal | null> {
    if (principal.kind === 'user') return this.bySession(principal.session.uuid);
    const record = await this.#apiKeys.current(principal.id);
    return record === null ? null : principalOfKey(record);
  }

  /** Who is signed in with a session, as the records are now; null when it ended or expired. */
  async bySession(uuid: string): Promise<Principal | null> {
    const found = await this.#sessions.current(uuid);
    return found === null ? null : { kind: 'user', ...found };
  }

  async #identify(
    credentials: Credentials,
    required: RequiredAccess,
    versions: ReadVersions | undefined,
  ): Promise<Principal> {
    if (credentials.apiKey !== undefined && credentials.apiKey !== '') {
      return this.#byApiKey(credentials.apiKey, 'Invalid API key', versions);
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
    if (presented.startsWith(apiKeyPrefix)) {
      return this.#byApiKey(presented, 'Invalid authentication credentials', versions);
    }
    const found = await this.#sessions.authenticate(presented);
    if (found === null) throw new ParleyError('unauthorized', 'Invalid authentication credentials');
    return { kind: 'user', ...found };
  }

  async #byApiKey(key: string, refusal: string, versions: ReadVersions | undefined): Promise<Principal> {
    const record = await this.#apiKeys.authenticate(key, versions);
    if (record === null) throw new ParleyError('unauthorized', refusal);
    return principalOfKey(record);
  }
}

function principalOfKey({ id, name, scopes, expires_at, account_uuid, account_role }: ApiKey): Principal {
  const role = account_uuid === null ? 'admin' : (account_role ?? 'member');
  return { kind: 'api-key', id, name, scopes, expires_at, account_uuid, role };
}
