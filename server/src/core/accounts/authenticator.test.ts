import { SignJWT } from 'jose';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openTestStorage } from '../../../test/stores/open-test-storage.ts';
import { now, secondsFromNow } from '../../lib/clock.ts';
import { newUuid } from '../../lib/uuid.ts';
import { KyselyAccountStore } from '../../storage/accounts/kysely-account-store.ts';
import { KyselyApiKeyStore } from '../../storage/accounts/kysely-api-key-store.ts';
import { KyselySessionStore } from '../../storage/accounts/kysely-session-store.ts';
import type { Storage } from '../../storage/storage.ts';
import type { Account } from './account.ts';
import type { Scope } from './api-key.ts';
import { ApiKeyService } from './api-key-service.ts';
import { Authenticator, type Credentials, isAdmin, type RequiredAccess } from './authenticator.ts';
import { CredentialChanges } from './credential-changes.ts';
import { SessionService } from './session-service.ts';
import { UserTokens } from './user-token.ts';

const signingKey = Buffer.alloc(32, 1);
const nothing: Credentials = { apiKey: undefined, authorization: undefined, cookie: undefined };
const origin = { address: '127.0.0.1', user_agent: 'A browser' };
const either = { credential: 'either', scope: 'read', role: 'member' } as const;
const userOnly = { credential: 'user', scope: 'read', role: 'member' } as const;

describe('who is calling', () => {
  let storage: Storage;
  let accounts: KyselyAccountStore;
  let account: Account;
  let authenticator: Authenticator;
  let apiKeys: ApiKeyService;
  let sessions: SessionService;
  let token: string;
  let key: string;
  beforeEach(async () => {
    const changes = new CredentialChanges();
    storage = await openTestStorage('sqlite');
    accounts = new KyselyAccountStore(storage.database);
    apiKeys = new ApiKeyService(new KyselyApiKeyStore(storage.database, storage.engine), changes);
    const sessionStore = new KyselySessionStore(storage.database, storage.engine);
    sessions = new SessionService(sessionStore, new UserTokens(signingKey), changes, 3600);
    authenticator = new Authenticator(apiKeys, sessions);
    account = {
      uuid: newUuid(),
      user: 'ada',
      role: 'admin',
      password_hash: '',
      recovery_hash: '',
      recovery_key_created_at: null,
      version: 1,
      created_at: now(),
      updated_at: now(),
    };
    await accounts.createFirst(account);
    token = await begin();
    key = (await apiKeys.create({ name: 'program', scopes: ['read'] }, null)).key;
  });
  afterEach(async () => {
    vi.useRealTimers();
    await storage.close();
  });

  const begin = async () => (await sessions.begin(account, origin))?.token as string;
  const principalOf = (credentials: Partial<Credentials>) =>
    authenticator.authenticate({ ...nothing, ...credentials }, either);

  const kindOf = async (
    credentials: Partial<Credentials>,
    required: Parameters<Authenticator['authenticate']>[1] = either,
  ) =>
    authenticator.authenticate({ ...nothing, ...credentials }, required).then(
      ({ kind }) => kind,
      (error) => error.reason,
    );

  it('is identified by either header, with and without Bearer', async () => {
    for (const prefix of ['', 'Bearer ', 'bearer ', 'BEARER   ']) {
      expect(await kindOf({ authorization: `${prefix}${token}` })).toBe('user');
      expect(await kindOf({ authorization: `${prefix}${key}` })).toBe('api-key');
    }
    expect(await kindOf({ apiKey: key })).toBe('api-key');
    expect(await kindOf({ cookie: token })).toBe('user');
  });

  it('is identified by the API key header first; a valid token does not make up for an invalid key', async () => {
    expect(await kindOf({ apiKey: key, authorization: `Bearer ${token}` })).toBe('api-key');
    expect(await kindOf({ apiKey: 'lbk_wrong', authorization: `Bearer ${token}` })).toBe('unauthorized');
    expect(await kindOf({ apiKey: token })).toBe('unauthorized');
    expect(await kindOf({ apiKey: '', authorization: `Bearer ${token}` })).toBe('user');
  });

  it('is identified by the header rather than the cookie', async () => {
    expect(await kindOf({ authorization: 'Bearer wrong', cookie: token })).toBe('unauthorized');
    expect(await kindOf({ authorization: 'Bearer ', cookie: token })).toBe('user');
  });

  it.each([undefined, '', 'Bearer', 'Bearer ', 'lbk_', 'null', 'a.b.c'])(
    'is unknown with %j',
    async (authorization) => {
      expect(await kindOf({ authorization })).toBe('unauthorized');
    },
  );

  it('must be a user where a route requires one', async () => {
    expect(await kindOf({ apiKey: key }, userOnly)).toBe('user_token_required');
    expect(await kindOf({ authorization: token }, userOnly)).toBe('user');
    expect(await kindOf({}, userOnly)).toBe('unauthorized');
  });

  it('must have the scope, if it is a key', async () => {
    expect(await kindOf({ apiKey: key }, { ...either, scope: 'write' })).toBe('scope_required');
    expect(await kindOf({ authorization: token }, { ...either, scope: 'admin', role: 'admin' })).toBe('user');
  });

  it('has the rights of its role, which a key cannot exceed', async () => {
    const admins = { credential: 'either', scope: 'admin', role: 'admin' } as const;
    const all: Scope[] = ['read', 'write', 'send', 'admin'];
    const own = await apiKeys.create({ name: 'of ada', scopes: all }, account.uuid);
    const installation = await apiKeys.create({ name: 'of the installation', scopes: all }, null);
    const credentials = [{ authorization: token }, { apiKey: own.key }, { apiKey: installation.key }];
    const kinds = (required: RequiredAccess) => Promise.all(credentials.map((one) => kindOf(one, required)));
    const areAdmins = async () => (await Promise.all(credentials.map(principalOf))).map(isAdmin);
    expect(await kinds(admins)).toEqual(['user', 'api-key', 'api-key']);
    expect(await areAdmins()).toEqual([true, true, true]);
    expect(isAdmin(await principalOf({ apiKey: key }))).toBe(false);
    await accounts.create({ ...account, uuid: newUuid(), user: 'grace' });
    await accounts.setRole(account.uuid, 'member');
    expect(await kinds(admins)).toEqual(['role_required', 'role_required', 'api-key']);
    expect(await kinds({ ...admins, scope: 'read', role: 'member' })).toEqual(['user', 'api-key', 'api-key']);
    expect(await areAdmins()).toEqual([false, false, true]);
  });

  it('is forgotten after the session ended or the password was changed', async () => {
    const principal = await principalOf({ authorization: token });
    if (principal.kind !== 'user') throw new Error('not a user');
    expect(principal.account).toEqual(account);
    expect(principal.session).toMatchObject({ account_uuid: account.uuid, ...origin });
    expect(await authenticator.current(principal)).toEqual(principal);
    await sessions.end(account.uuid, principal.session.uuid);
    expect(await kindOf({ authorization: token })).toBe('unauthorized');
    expect(await authenticator.current(principal)).toBeNull();

    const other = await begin();
    expect(await kindOf({ authorization: other })).toBe('user');
    await accounts.changePassword(account, 'new', 'new');
    expect(await kindOf({ authorization: other })).toBe('unauthorized');
    expect(await sessions.begin(account, origin)).toBeNull();
  });

  it('is forgotten when the session expires, also if a token says otherwise', async () => {
    const principal = await principalOf({ authorization: token });
    await storage.database
      .updateTable('sessions')
      .set({ expires_at: secondsFromNow(-1) })
      .execute();
    expect(await kindOf({ authorization: token })).toBe('unauthorized');
    expect(await authenticator.current(principal)).toBeNull();
  });

  it('stays good as a key until it is revoked or expires', async () => {
    const principal = await principalOf({ apiKey: key });
    expect(await authenticator.current(principal)).toEqual(principal);
    const passing = await apiKeys.create({ name: 'passing', expires_at: secondsFromNow(60) }, null);
    const guest = await principalOf({ apiKey: passing.key });
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 });
    expect(await authenticator.current(guest)).toBeNull();
    expect(await authenticator.current(principal)).toEqual(principal);
    if (principal.kind === 'api-key') await apiKeys.revoke(principal.id);
    expect(await authenticator.current(principal)).toBeNull();
  });

  it('leaves when the session was used last, once a minute', async () => {
    const used = async () =>
      (await storage.database.selectFrom('sessions').select('last_used_at').executeTakeFirstOrThrow()).last_used_at;
    const lastUse = await used();
    await principalOf({ authorization: token });
    expect(await used()).toBe(lastUse);
    const later = Date.now() + 60_000;
    vi.useFakeTimers({ toFake: ['Date'], now: later });
    await Promise.all(Array.from({ length: 5 }, () => principalOf({ authorization: token })));
    expect(await used()).toBe(new Date(later).toISOString());
    vi.setSystemTime(later + 59_000);
    await principalOf({ authorization: token });
    expect(await used()).toBe(new Date(later).toISOString());
  });

  it('is not identified by tokens that this service did not issue', async () => {
    const found = await principalOf({ authorization: token });
    const sid = found.kind === 'user' ? found.session.uuid : '';
    const sign = (
      changes: (jwt: SignJWT) => SignJWT,
      secret: Uint8Array = signingKey,
      algorithm = 'HS256',
      claims: object = { sid },
    ) =>
      changes(
        new SignJWT({ ...claims })
          .setProtectedHeader({ alg: algorithm })
          .setIssuer('parley')
          .setSubject(account.uuid)
          .setIssuedAt()
          .setExpirationTime('1h'),
      ).sign(secret);
    expect(await kindOf({ authorization: await sign((jwt) => jwt) })).toBe('user');
    const forged = [
      await sign((jwt) => jwt, Buffer.alloc(32, 2)),
      await sign((jwt) => jwt, Buffer.alloc(64, 1), 'HS512'),
      await sign((jwt) => jwt.setIssuer('another')),
      await sign((jwt) => jwt.setExpirationTime(new Date(secondsFromNow(-1)))),
      await sign((jwt) => jwt.setSubject(newUuid())),
      await sign((jwt) => jwt, signingKey, 'HS256', {}),
      await sign((jwt) => jwt, signingKey, 'HS256', { sid: 7 }),
      await sign((jwt) => jwt, signingKey, 'HS256', { sid: newUuid() }),
      `${Buffer.from('{"alg":"none"}').toString('base64url')}.${token.split('.')[1]}.`,
      `${token.slice(0, -2)}AA`,
    ];
    for (const authorization of forged) expect(await kindOf({ authorization })).toBe('unauthorized');
  });
});
