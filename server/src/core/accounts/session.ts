import Type, { type Static } from 'typebox';

const DateTime = Type.String({ format: 'date-time' });

/** One sign-in of a person. It lives on in the tokens that were issued for it, until it ends or expires. */
export interface Session {
  uuid: string;
  account_uuid: string;
  /** Network address of the sign-in. */
  address: string;
  /** What the program called itself that signed in; cut to {@link userAgentLength}. */
  user_agent: string;
  created_at: string;
  /** Written at most once a minute. */
  last_used_at: string;
  expires_at: string;
}

/** Where a sign-in comes from. */
export type SessionOrigin = Pick<Session, 'address' | 'user_agent'>;

/** Longest name of a program that is kept, characters. */
export const userAgentLength = 255;

/** Longest address that is kept, characters: behind proxies it is a text of whoever forwarded the request. */
export const addressLength = 64;

/** A session as the person whose it is may see it. */
export const SessionRecord = Type.Object(
  {
    uuid: Type.String({ format: 'uuid' }),
    address: Type.String(),
    user_agent: Type.String(),
    created_at: DateTime,
    last_used_at: Type.String({ format: 'date-time', description: 'Exact to a minute.' }),
    expires_at: DateTime,
    current: Type.Boolean({ description: 'Whether it is the session of this call.' }),
  },
  { title: 'Session' },
);
export type SessionRecord = Static<typeof SessionRecord>;
