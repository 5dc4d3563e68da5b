import { ParleyError, problemError } from '@parley/sdk';
import { now, secondsFromNow } from '../../lib/clock.ts';
import { isUuid, newUuid } from '../../lib/uuid.ts';
import type { Account } from './account.ts';
import type { CredentialChanges } from './credential-changes.ts';
import { addressLength, type Session, type SessionOrigin, type SessionRecord, userAgentLength } from './session.ts';
import type { SessionStore } from './session-store.ts';
import type { UserTokens } from './user-token.ts';

/** The time of last use is written at most this often per session. */
const touchIntervalSeconds = 60;
/** Sessions that are listed. */
const listedSessions = 500;

/** Who is signed in where. A token is worth something while its session lasts. */
export class SessionService {
  readonly #store: SessionStore;
  readonly #tokens: UserTokens;
  readonly #changes: CredentialChanges;
  readonly #lifetimeSeconds: number;

  constructor(store: SessionStore, tokens: UserTokens, changes: CredentialChanges, lifetimeSeconds: number) {
    this.#store = store;
    this.#tokens = tokens;
    this.#changes = changes;
    this.#lifetimeSeconds = lifetimeSeconds;
  }

  /** Null when the password was changed since the account was read. */
  async begin(account: Account, origin: SessionOrigin): Promise<{ session: Session; token: string } | null> {
    const session: Session = {
      uuid: newUuid(),
      account_uuid: account.uuid,
      address: origin.address.slice(0, addressLength),
      user_agent: origin.user_agent.slice(0, userAgentLength),
      created_at: now(),
      last_used_at: now(),
      expires_at: secondsFromNow(this.#lifetimeSeconds),
    };
    if (!(await this.#store.create(session, account.version))) return null;
    return { session, token: await this.#tokens.issue(session, account.user) };
  }

  /** The session of a token with its account; null when the token is not ours, or its session has ended or expired. */
  async authenticate(token: string): Promise<{ session: Session; account: Account } | null> {
    const claims = await this.#tokens.read(token);
    const found = claims === null ? null : await this.current(claims.session_uuid);
    if (found === null || found.account.uuid !== claims?.account_uuid) return null;
    const { uuid, last_used_at } = found.session;
    const threshold = secondsFromNow(-touchIntervalSeconds);
    if (last_used_at <= threshold) await this.#store.touch(uuid, now(), threshold);
    return found;
  }

  /** A session with its account; null when it has ended or expired. */
  async current(uuid: string): Promise<{ session: Session; account: Account } | null> {
    const found = await this.#store.withAccount(uuid);
    return found === null || found.session.expires_at <= now() ? null : found;
  }

  /**
   * Gives a session its full life again.
   * @returns the session as it is now, and a fresh token for it
   * @throws ParleyError `unauthorized` when it has ended in the meantime
   */
  async renew(session: Session, account: Account): Promise<{ session: Session; token: string }> {
    const renewed = { ...session, expires_at: secondsFromNow(this.#lifetimeSeconds) };
    if (!(await this.#store.extend(renewed.uuid, renewed.expires_at))) {
      throw new ParleyError('unauthorized', 'Invalid authentication credentials');
    }
    return { session: renewed, token: await this.#tokens.issue(renewed, account.user) };
  }

  /** The sessions of an account, those used last first. */
  async list(current: Session): Promise<SessionRecord[]> {
    const sessions = await this.#store.list(current.account_uuid, now(), listedSessions);
    return sessions.map(({ account_uuid: _, ...session }) => ({ ...session, current: session.uuid === current.uuid }));
  }

  /** @throws ParleyError `not_found` when the account has no such session */
  async end(accountUuid: string, uuid: string): Promise<void> {
    if (!isUuid(uuid) || !(await this.#store.end(accountUuid, uuid.toLowerCase()))) {
      throw problemError('session_not_found');
    }
    await this.#changes.notify({ session: uuid.toLowerCase() });
  }

  /** Ends a session, also one that has ended in the meantime. */
  async signOut(accountUuid: string, uuid: string): Promise<void> {
    await this.#store.end(accountUuid, uuid);
    await this.#changes.notify({ session: uuid });
  }

  /** Ends all sessions of the account but this one. */
  async endOthers(current: Session): Promise<void> {
    await this.#store.endOthers(current.account_uuid, current.uuid);
    await this.#changes.notify({ account: current.account_uuid });
  }
}
