import { ParleyError } from '@parley/sdk';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Authenticator, isAdmin, type Principal, type RequiredAccess } from '../core/accounts/authenticator.ts';
import type { Author } from '../core/accounts/author.ts';
import type { VersionAuthor } from '../core/pipelines/pipeline-version.ts';
import type { ReadVersions } from '../core/records/record-versions.ts';
import type { CallPrincipal } from '../core/replicas/peer-calls.ts';
import { versionsOf } from './request-versions.ts';
import type { SessionCookie } from './session-cookie.ts';

/**
 * Who may call a route. `open` routes need no credential. On `cookie` routes, which browsers call without custom
 * headers, the session cookie is accepted without the header of the console if the request comes from a page of this
 * server.
 */
export type Access = 'open' | (RequiredAccess & { cookie?: true });

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access;
    /**
     * On an open route: callers with this access are recognized; all others, also with an invalid credential, are
     * anonymous.
     */
    recognizes?: RequiredAccess;
    /** Body fields that a GET returned and that a write ignores; `provider.created_at` is a nested one. */
    readOnly?: readonly string[];
    /**
     * Name of the change in the audit log: `<kind of record>.<verb>`; false if the route changes nothing, `each` if its
     * handler changes several records and records each change with `request.recordChange`, or records what it does with
     * `request.recordAct`.
     */
    audit?: `${string}.${string}` | false | 'each';
    /** The path parameter that identifies the changed record; by default the first. */
    auditedParameter?: string;
  }
  interface FastifyRequest {
    /** The caller; null on open routes, unless they recognize callers. */
    principal: Principal | null;
  }
}

/** A route in the inventory. */
export interface InventoryRoute {
  method: string;
  url: string;
  access: Access;
  /** Of an open route: the recognized callers. */
  recognizes: RequiredAccess | null;
}

export interface AccessOptions {
  authenticator: Authenticator;
  readVersions: ReadVersions;
  sessionCookie: SessionCookie;
}

/**
 * Authorizes every request before its body is read, and refuses to start when a route does not declare its access.
 * @returns all routes with their access, filled while routes are registered
 */
export function requireAccess(server: FastifyInstance, options: AccessOptions): InventoryRoute[] {
  const inventory: InventoryRoute[] = [];
  const undeclared: string[] = [];
  server.decorateRequest('principal', null);
  server.addHook('onRoute', (route) => {
    const { access, recognizes = null } = route.config ?? {};
    for (const method of [route.method].flat()) {
      if (access === undefined) undeclared.push(`${method} ${route.url}`);
      else inventory.push({ method, url: route.url, access, recognizes });
    }
  });
  server.addHook('onReady', async () => {
    if (undeclared.length > 0) throw new Error(`routes without declared access: ${undeclared.join(', ')}`);
  });
  server.addHook('onRequest', async (request) => {
    const { access, recognizes } = request.routeOptions.config;
    // Unknown paths need no guard; the not-found handler answers.
    if (access === undefined) return;
    if (access !== 'open') request.principal = await identify(request, access, options);
    else if (recognizes !== undefined)
      request.principal = await identify(request, recognizes, options).catch(anonymous);
  });
  return inventory;
}

function identify(
  request: FastifyRequest,
  access: Exclude<Access, 'open'>,
  { authenticator, readVersions, sessionCookie }: AccessOptions,
): Promise<Principal> {
  const { 'x-api-key': apiKey, authorization } = request.headers;
  return authenticator.authenticate(
    {
      apiKey: Array.isArray(apiKey) ? apiKey[0] : apiKey,
      authorization: authorization ?? subprotocolToken(request, access),
      cookie: sessionCookie.tokenOf(request, access.cookie !== true),
    },
    access,
    () => versionsOf(request, readVersions),
  );
}

/** Null for a caller without a valid credential. Other errors are thrown. */
function anonymous(error: unknown): null {
  if (error instanceof ParleyError) return null;
  throw error;
}

/** Name of the subprotocol that precedes a token; browsers cannot set headers on a websocket. */
export const tokenSubprotocol = 'parley.token';

function subprotocolToken(request: FastifyRequest, access: Exclude<Access, 'open'>): string | undefined {
  const offered = request.headers['sec-websocket-protocol'];
  if (access.cookie !== true || offered === undefined) return undefined;
  const protocols = offered.split(',').map((protocol) => protocol.trim());
  const index = protocols.indexOf(tokenSubprotocol);
  return index < 0 ? undefined : protocols[index + 1];
}

/** The caller of a route that is not open. */
export function principalOf(request: FastifyRequest): Principal {
  if (request.principal === null) throw new Error('an open route has no principal');
  return request.principal;
}

/** The required access of a request, unless its route is open. */
export function requiredAccessOf(request: FastifyRequest): RequiredAccess {
  const { access } = request.routeOptions.config;
  if (access === undefined || access === 'open') throw new Error('an open route asks for nothing');
  return access;
}

/** As whom the caller of a route writes records. */
export function authorOf(request: FastifyRequest): Author {
  return isAdmin(principalOf(request)) ? 'admin' : 'other';
}

/** The caller of a route, as versions of records name it. */
export function versionAuthorOf(request: FastifyRequest): VersionAuthor {
  const principal = principalOf(request);
  return principal.kind === 'user'
    ? { kind: 'user', id: principal.account.uuid, name: principal.account.user }
    : { kind: 'api-key', id: String(principal.id), name: principal.name };
}

/** On whose behalf other replicas are called for a request. */
export function callerOf(request: FastifyRequest): CallPrincipal {
  const { kind, id } = versionAuthorOf(request);
  return { kind, id };
}

/** The signed-in account of a route that requires a user token. */
export function userOf(request: FastifyRequest): Extract<Principal, { kind: 'user' }> {
  const principal = principalOf(request);
  if (principal.kind !== 'user') throw new Error('the route does not ask for a user token');
  return principal;
}
