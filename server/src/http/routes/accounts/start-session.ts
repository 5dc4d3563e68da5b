import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Account } from '../../../core/accounts/account.ts';
import type { SessionOrigin } from '../../../core/accounts/session.ts';
import { actorOf } from '../../audit.ts';
import { success } from '../../envelope.ts';
import type { IssuedSession, SessionCookie } from '../../session-cookie.ts';

/** A successful sign-in, by any method. */
export interface StartedSession extends IssuedSession {
  account: Account;
}

/** Origin of a sign-in. */
export function originOf({ ip, headers }: FastifyRequest): SessionOrigin {
  return { address: ip, user_agent: headers['user-agent'] ?? '' };
}

/** Passes a new session to the browser or program: the only way to do so. */
export function startSession(
  request: FastifyRequest,
  reply: FastifyReply,
  sessionCookie: SessionCookie,
  { account, session, token }: StartedSession,
) {
  request.auditNote = { actor: actorOf({ kind: 'user', account, session }), record_id: session.uuid };
  return success({ token: sessionCookie.give(request, reply, { session, token }) });
}
