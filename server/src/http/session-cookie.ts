import { ParleyError } from '@parley/sdk';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Session } from '../core/accounts/session.ts';
import { isForeignOrigin, isOwnOrigin } from './host-guard.ts';

/**
 * Sent with every request of the console, except for websockets and event streams, to which browsers add no headers.
 */
const consoleHeader = 'x-parley-console';

export interface SessionCookieOptions {
  /** Part of the cookie's name: servers on other ports of the same host receive the same cookies. */
  installationId: string;
  basePath: string;
  publicUrl: string | null;
}

/** A session and a token for it. */
export interface IssuedSession {
  session: Session;
  token: string;
}

/**
 * The console's session: a cookie that scripts cannot read. Browsers add it to requests of any page on this host, so it
 * is accepted only with the header of the console, which pages of other origins cannot send, or with the own origin.
 */
export class SessionCookie {
  readonly #name: string;
  readonly #options: SessionCookieOptions;

  constructor(options: SessionCookieOptions) {
    this.#name = `parley_session_${options.installationId}`;
    this.#options = options;
  }

  /**
   * Gives a session to the browser or program that signed in.
   * @returns the token for the response body; empty for the console, because scripts could read it there
   */
  give(request: FastifyRequest, reply: FastifyReply, { session, token }: IssuedSession): string {
    reply.setCookie(this.#name, token, { ...this.#attributes(request), expires: new Date(session.expires_at) });
    return isFromConsole(request) ? '' : token;
  }

  clear(request: FastifyRequest, reply: FastifyReply): void {
    reply.clearCookie(this.#name, this.#attributes(request));
  }

  /**
   * The token of a request; undefined if the cookie is not accepted.
   * @param needsHeader false for websockets and event streams; they need the own origin instead
   */
  tokenOf(request: FastifyRequest, needsHeader: boolean): string | undefined {
    if (!isFromConsole(request) && (needsHeader || !isOwnOrigin(request, this.#options.publicUrl))) return undefined;
    return request.server.parseCookie(request.headers.cookie ?? '')[this.#name];
  }

  #attributes(request: FastifyRequest) {
    return { ...cookieAttributes(request, this.#options), sameSite: 'strict' } as const;
  }
}

/** Common attributes: no script reads the cookies, and they are sent to this server only, over https if it has it. */
export function cookieAttributes(
  { protocol }: FastifyRequest,
  { basePath, publicUrl }: Pick<SessionCookieOptions, 'basePath' | 'publicUrl'>,
) {
  const secure = protocol === 'https' || publicUrl?.startsWith('https:') === true;
  return { path: `${basePath}/`, httpOnly: true, secure } as const;
}

/** Rejects requests with the header of the console that a page of another origin makes. */
export function refuseForeignPages(server: FastifyInstance, { publicUrl }: { publicUrl: string | null }): void {
  server.addHook('onRequest', (request, _reply, done) => {
    if (!isFromConsole(request) || !isForeignOrigin(request, publicUrl)) return done();
    const message =
      `The page was loaded from ${request.headers.origin ?? 'an unknown origin'}, which is not the address of this ` +
      'server. If it is yours, set PARLEY_PUBLIC_URL to it';
    done(new ParleyError('foreign_origin', message));
  });
}

function isFromConsole({ headers }: FastifyRequest): boolean {
  return headers[consoleHeader] !== undefined;
}
