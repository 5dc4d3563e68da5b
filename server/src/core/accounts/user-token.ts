import { jwtVerify, SignJWT } from 'jose';
import { newUuid } from '../../lib/uuid.ts';
import type { Account } from './account.ts';

const issuer = 'parley';

/** What a user token says. */
export interface UserTokenClaims {
  account_uuid: string;
  account_version: number;
  token_id: string;
  /** ISO 8601 UTC. */
  expires_at: string;
}

/** Issues and reads the signed tokens of people who signed in (JWT, HS256). */
export class UserTokens {
  readonly #key: Uint8Array;
  readonly #lifetimeSeconds: number;

  /** @param key 32 bytes, derived from the secret key for this purpose alone */
  constructor(key: Uint8Array, lifetimeSeconds: number) {
    this.#key = key;
    this.#lifetimeSeconds = lifetimeSeconds;
  }

  issue(account: Account): Promise<string> {
    return new SignJWT({ user: account.user, ver: account.version })
      .setProtectedHeader({ alg: 'HS256' })
      .setIssuer(issuer)
      .setSubject(account.uuid)
      .setJti(newUuid())
      .setIssuedAt()
      .setExpirationTime(`${this.#lifetimeSeconds}s`)
      .sign(this.#key);
  }

  /** Null when the token is not ours, was changed or has expired. */
  async read(token: string): Promise<UserTokenClaims | null> {
    try {
      const { payload } = await jwtVerify(token, this.#key, {
        algorithms: ['HS256'],
        issuer,
        requiredClaims: ['sub', 'jti', 'iat', 'exp'],
      });
      if (typeof payload.ver !== 'number') return null;
      return {
        account_uuid: payload.sub as string,
        account_version: payload.ver,
        token_id: payload.jti as string,
        expires_at: new Date((payload.exp as number) * 1000).toISOString(),
      };
    } catch {
      return null;
    }
  }
}
