import { jwtVerify, SignJWT } from 'jose';
import { newUuid } from '../../lib/uuid.ts';
import type { Session } from './session.ts';

const issuer = 'parley';

/** The claims of a user token. Whether its session lasts is not in it. */
export interface UserTokenClaims {
  account_uuid: string;
  session_uuid: string;
}

/** Issues and verifies the signed tokens of signed-in users (JWT, HS256). */
export class UserTokens {
  readonly #key: Uint8Array;

  /** @param key 32 bytes, derived from the secret key for this purpose alone */
  constructor(key: Uint8Array) {
    this.#key = key;
  }

  /** A token that expires with its session. */
  issue(session: Session, user: string): Promise<string> {
    return (
      new SignJWT({ user, sid: session.uuid })
        .setProtectedHeader({ alg: 'HS256' })
        .setIssuer(issuer)
        .setSubject(session.account_uuid)
        // Makes every token another one.
        .setJti(newUuid())
        .setIssuedAt()
        .setExpirationTime(new Date(session.expires_at))
        .sign(this.#key)
    );
  }

  /** Null when the token is not ours, was changed or has expired. */
  async read(token: string): Promise<UserTokenClaims | null> {
    try {
      const { payload } = await jwtVerify(token, this.#key, {
        algorithms: ['HS256'],
        issuer,
        requiredClaims: ['sub', 'sid', 'iat', 'exp'],
      });
      const { sub, sid } = payload;
      return sub === undefined || typeof sid !== 'string' ? null : { account_uuid: sub, session_uuid: sid };
    } catch {
      return null;
    }
  }
}
