import Type, { type Static } from 'typebox';
import { Timestamp } from '../../lib/schema-parts.ts';

/** One sign-in of a user. It lasts through the tokens issued for it, until it ends or expires. */
export interface Session {
  uuid: string;
  account_uuid: string;
  /** Network address of the sign-in. */
  address: string;
  /** User agent of the sign-in; cut to {@link userAgentLength}. */
  user_agent: string;
  created_at: string;
  /** Written at most once a minute. */
  last_used_at: string;
  expires_at: string;
}

/** Origin of a sign-in. */
export type SessionOrigin = Pick<Session, 'address' | 'user_agent'>;

/** Longest stored user agent, characters. */
export const userAgentLength = 255;

/** Longest stored address, characters: behind proxies it is a text from the request. */
export const addressLength = 64;

/** A session as its user may see it. */
export const SessionRecord = Type.Object(
  {
    uuid: Type.String({ format: 'uuid' }),
    address: Type.String(),
    user_agent: Type.String(),
    created_at: Timestamp,
    last_used_at: Type.String({ format: 'date-time', description: 'Exact to a minute.' }),
    expires_at: Timestamp,
    current: Type.Boolean({ description: 'Whether it is the session of this call.' }),
  },
  { title: 'Session' },
);
export type SessionRecord = Static<typeof SessionRecord>;
