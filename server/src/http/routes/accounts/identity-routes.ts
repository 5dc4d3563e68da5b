import type { FastifyReply, FastifyRequest } from 'fastify';
import { questionSeconds } from '../../../core/accounts/identity-service.ts';
import { userOf } from '../../access.ts';
import { actorOf } from '../../audit.ts';
import { answers, Nothing, success } from '../../envelope.ts';
import { cookieAttributes, SessionCookie } from '../../session-cookie.ts';
import type { TypedServer } from '../route-plugin.ts';
import type { RouteOptions, RouteServices } from '../route-services.ts';
import { IdentityLink, IdentityProviderInfo, ProviderAddress, ProviderAnswer } from './identity-schema.ts';
import { Token } from './schema.ts';
import { originOf, startSession } from './start-session.ts';

const open = { access: 'open' } as const;
const reads = { credential: 'user', scope: 'read', role: 'member' } as const;
const writes = { credential: 'user', scope: 'write', role: 'member' } as const;
const url = '/api/v1/user/oidc';
/** Stores the authorization request in the browser that started it, until the provider redirects back. */
const questionCookie = 'parley_oidc';

/** Signing in with an identity provider (OpenID Connect). */
export async function identityRoutes(
  server: TypedServer,
  { identities, auditLog, auditedRecords }: Pick<RouteServices, 'identities' | 'auditLog' | 'auditedRecords'>,
  options: RouteOptions,
) {
  const sessionCookie = new SessionCookie(options);
  const ask = async (request: FastifyRequest, reply: FastifyReply, accountUuid: string | null) => {
    const authorization = await identities.ask(accountUuid, redirectUri(request, options));
    reply.setCookie(questionCookie, authorization.kept, {
      ...questionOptions(request, options),
      maxAge: questionSeconds,
    });
    return success({ url: authorization.url });
  };
  /** The authorization request of the browser. It works once, so the cookie is cleared now. */
  const takeAuthorization = (request: FastifyRequest, reply: FastifyReply) => {
    reply.clearCookie(questionCookie, questionOptions(request, options));
    return request.server.parseCookie(request.headers.cookie ?? '')[questionCookie];
  };

  server.get(
    url,
    {
      config: open,
      schema: {
        summary: 'The identity provider that users can sign in with',
        response: answers(IdentityProviderInfo),
      },
    },
    async () => success({ name: identities.providerName }),
  );

  server.post(
    `${url}/begin`,
    {
      config: { ...open, audit: false },
      schema: {
        summary: 'Start signing in with the identity provider',
        response: answers(ProviderAddress, 404, 502),
      },
    },
    (request, reply) => ask(request, reply, null),
  );

  server.post(
    `${url}/sign-in`,
    {
      config: { ...open, audit: 'session.sign-in' },
      schema: {
        summary: 'Complete signing in with the response of the identity provider, in the browser that started it',
        body: ProviderAnswer,
        response: answers(Token, 400, 403, 404, 502),
      },
    },
    async (request, reply) => {
      const { isNew, ...signIn } = await identities.signIn(
        request.body.query,
        takeAuthorization(request, reply),
        originOf(request),
      );
      if (isNew) {
        const { account, session } = signIn;
        const actor = actorOf({ kind: 'user', account, session });
        const after = await auditedRecords.read('account', account.uuid);
        await auditLog.record({
          actor_kind: actor.kind,
          actor_id: actor.id,
          actor_name: actor.name,
          credential: actor.credential,
          address: request.ip,
          request_id: request.id,
          action: 'account.create',
          record_kind: 'account',
          record_id: account.uuid,
          ...auditedRecords.describe('account', null, after),
        });
      }
      return startSession(request, reply, sessionCookie, signIn);
    },
  );

  server.get(
    `${url}/link`,
    {
      config: { access: reads },
      schema: {
        summary: 'Whether the account is linked with an identity of the provider',
        response: answers(IdentityLink, 401, 403),
      },
    },
    async (request) => success({ linked_at: await identities.linkedAt(userOf(request).account.uuid) }),
  );

  server.post(
    `${url}/link/begin`,
    {
      config: { access: writes, audit: false, idempotency: false },
      schema: {
        summary: 'Start linking the account with an identity of the provider',
        response: answers(ProviderAddress, 401, 403, 404, 502),
      },
    },
    (request, reply) => ask(request, reply, userOf(request).account.uuid),
  );

  server.post(
    `${url}/link`,
    {
      config: { access: writes, audit: 'account.link-identity', idempotency: false },
      schema: {
        summary: 'Link the account with the identity in the response of the provider',
        body: ProviderAnswer,
        response: answers(Nothing, 400, 401, 403, 404, 409, 502),
      },
    },
    async (request, reply) => {
      const { account } = userOf(request);
      request.auditNote = { record_id: account.uuid };
      await identities.link(account, request.body.query, takeAuthorization(request, reply));
      return success({});
    },
  );

  server.delete(
    `${url}/link`,
    {
      config: { access: writes, audit: 'account.unlink-identity' },
      schema: {
        summary: 'Remove the link; only accounts with a password',
        response: answers(Nothing, 401, 403, 404, 409),
      },
    },
    async (request) => {
      const { account } = userOf(request);
      request.auditNote = { record_id: account.uuid };
      await identities.unlink(account);
      return success({});
    },
  );
}

/** Lax: the browser comes back from another site, and its page then calls this one. */
function questionOptions(request: FastifyRequest, options: RouteOptions) {
  return { ...cookieAttributes(request, options), path: `${options.basePath}${url}`, sameSite: 'lax' } as const;
}

/** The redirect URI; it must be registered with the provider. */
function redirectUri(request: FastifyRequest, { publicUrl, basePath }: RouteOptions): string {
  const address = publicUrl ?? `${request.protocol}://${request.host}${basePath}`;
  return new URL(`${address}/sign-in/oidc`).href;
}
