import { SignJWT } from 'jose';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openTestStorage } from '../../../test/stores/open-test-storage.ts';
import { now, secondsFromNow } from '../../lib/clock.ts';
import { newUuid } from '../../lib/uuid.ts';
import { KyselyAccountStore } from '../../storage/accounts/kysely-account-store.ts';
import { KyselyApiKeyStore } from '../../storage/accounts/kysely-api-key-store.ts';
import type { Storage } from '../../storage/storage.ts';
import type { Account } from './account.ts';
import { ApiKeyService } from './api-key-service.ts';
import { Authenticator, type Credentials } from './authenticator.ts';
import { UserTokens } from './user-token.ts';

const signingKey = Buffer.alloc(32, 1);
const nothing: Credentials = { apiKey: undefined, authorization: undefined, cookie: undefined };
const either = { credential: 'either', scope: 'read' } as const;
const userOnly = { credential: 'user', scope: 'read' } as const;

describe('who is calling', () => {
  let storage: Storage;
  let accounts: KyselyAccountStore;
  let account: Account;
  let authenticator: Authenticator;
  let token: string;
  let key: string;
  beforeEach(async () => {
    storage = await openTestStorage('sqlite');
    accounts = new KyselyAccountStore(storage.database);
    const apiKeys = new ApiKeyService(new KyselyApiKeyStore(storage.database));
    const tokens = new UserTokens(signingKey, 3600);
    authenticator = new Authenticator(apiKeys, accounts, tokens);
    account = {
      uuid: newUuid(),
      user: 'ada',
      password_hash: '',
      recovery_hash: '',
      version: 1,
      created_at: now(),
      updated_at: now(),
    };
    await accounts.createFirst(account);
    token = await tokens.issue(account);
    key = (await apiKeys.create({ name: 'program', scopes: ['read'] })).key;
  });
  afterEach(() => storage.close());

  const kindOf = async (
    credentials: Partial<Credentials>,
    required: Parameters<Authenticator['authenticate']>[1] = either,
  ) =>
    authenticator.authenticate({ ...nothing, ...credentials }, required).then(
      ({ kind }) => kind,
      (error) => error.reason,
    );

  it('is told by either header, with and without Bearer', async () => {
    for (const prefix of ['', 'Bearer ', 'bearer ', 'BEARER   ']) {
      expect(await kindOf({ authorization: `${prefix}${token}` })).toBe('user');
      expect(await kindOf({ authorization: `${prefix}${key}` })).toBe('api-key');
    }
    expect(await kindOf({ apiKey: key })).toBe('api-key');
    expect(await kindOf({ cookie: token })).toBe('user');
  });

  it('is told by a key in its own header first, which is not made up for by a token', async () => {
    expect(await kindOf({ apiKey: key, authorization: `Bearer ${token}` })).toBe('api-key');
    expect(await kindOf({ apiKey: 'lbk_wrong', authorization: `Bearer ${token}` })).toBe('unauthorized');
    expect(await kindOf({ apiKey: token })).toBe('unauthorized');
    expect(await kindOf({ apiKey: '', authorization: `Bearer ${token}` })).toBe('user');
  });

  it('is told by the header rather than the cookie', async () => {
    expect(await kindOf({ authorization: 'Bearer wrong', cookie: token })).toBe('unauthorized');
    expect(await kindOf({ authorization: 'Bearer ', cookie: token })).toBe('user');
  });

  it.each([undefined, '', 'Bearer', 'Bearer ', 'lbk_', 'null', 'a.b.c'])(
    'is unknown with %j',
    async (authorization) => {
      expect(await kindOf({ authorization })).toBe('unauthorized');
    },
  );

  it('must be a person where only a person may', async () => {
    expect(await kindOf({ apiKey: key }, userOnly)).toBe('user_token_required');
    expect(await kindOf({ authorization: token }, userOnly)).toBe('user');
    expect(await kindOf({}, userOnly)).toBe('unauthorized');
  });

  it('must have the scope, if it is a key', async () => {
    expect(await kindOf({ apiKey: key }, { credential: 'either', scope: 'write' })).toBe('scope_required');
    expect(await kindOf({ authorization: token }, { credential: 'either', scope: 'admin' })).toBe('user');
  });

  it('is forgotten after the password was changed or the token was ended', async () => {
    const principal = await authenticator.authenticate({ ...nothing, authorization: token }, either);
    if (principal.kind !== 'user') throw new Error('not a person');
    expect(principal.account).toEqual(account);
    await accounts.endToken(principal.claims.token_id, principal.claims.expires_at);
    expect(await kindOf({ authorization: token })).toBe('unauthorized');

    const other = await new UserTokens(signingKey, 3600).issue(account);
    expect(await kindOf({ authorization: other })).toBe('user');
    await accounts.changePassword(account.uuid, 1, 'new', 'new');
    expect(await kindOf({ authorization: other })).toBe('unauthorized');
  });

  it('is not told by tokens that we did not issue just so', async () => {
    const sign = (changes: (jwt: SignJWT) => SignJWT, secret: Uint8Array = signingKey, algorithm = 'HS256') =>
      changes(
        new SignJWT({ ver: 1 })
          .setProtectedHeader({ alg: algorithm })
          .setIssuer('parley')
          .setSubject(account.uuid)
          .setJti(newUuid())
          .setIssuedAt()
          .setExpirationTime('1h'),
      ).sign(secret);
    expect(await kindOf({ authorization: await sign((jwt) => jwt) })).toBe('user');
    const forged = [
      await sign((jwt) => jwt, Buffer.alloc(32, 2)),
      await sign((jwt) => jwt, Buffer.alloc(64, 1), 'HS512'),
      await sign((jwt) => jwt.setIssuer('somebody')),
      await sign((jwt) => jwt.setExpirationTime(new Date(secondsFromNow(-1)))),
      await sign((jwt) => jwt.setSubject(newUuid())),
      `${Buffer.from('{"alg":"none"}').toString('base64url')}.${token.split('.')[1]}.`,
      `${token.slice(0, -2)}AA`,
    ];
    for (const authorization of forged) expect(await kindOf({ authorization })).toBe('unauthorized');
  });
});
