import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Account } from '../../../core/accounts/account.ts';
import type { SessionOrigin } from '../../../core/accounts/session.ts';
import { actorOf } from '../../audit.ts';
import { success } from '../../envelope.ts';
import type { IssuedSession, SessionCookie } from '../../session-cookie.ts';

/** A sign-in that succeeded, however the user proved who they are. */
export interface StartedSession extends IssuedSession {
  account: Account;
}

/** Where a sign-in comes from. */
export function originOf({ ip, headers }: FastifyRequest): SessionOrigin {
  return { address: ip, user_agent: headers['user-agent'] ?? '' };
}

/** Hands a new session to the browser or program: the one way in which it gets there. */
export function startSession(
  request: FastifyRequest,
  reply: FastifyReply,
  sessionCookie: SessionCookie,
  { account, session, token }: StartedSession,
) {
  request.auditNote = { actor: actorOf({ kind: 'user', account, session }), record_id: session.uuid };
  return success({ token: sessionCookie.give(request, reply, { session, token }) });
}
