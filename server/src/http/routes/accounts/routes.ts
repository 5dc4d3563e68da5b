import type { FastifyRequest } from 'fastify';
import { userOf } from '../../access.ts';
import { anonymous } from '../../audit.ts';
import { answers, Nothing, success } from '../../envelope.ts';
import { isLocalRequest } from '../../host-guard.ts';
import { SessionCookie } from '../../session-cookie.ts';
import type { TypedServer } from '../route-plugin.ts';
import type { RouteOptions, RouteServices } from '../route-services.ts';
import {
  AccountInfo,
  AuthBody,
  ChangePasswordBody,
  CreateRecoveryKeyBody,
  InitBody,
  InitState,
  PublicAccountInfo,
  RecoveryKey,
  ResetPasswordBody,
  SpaceCredits,
  Token,
  User,
  UserWithRecoveryKey,
} from './schema.ts';
import { originOf, startSession } from './start-session.ts';

const open = { access: 'open' } as const;
const signedIn = { access: { credential: 'user', scope: 'read', role: 'member' } } as const;
const changes = { credential: 'user', scope: 'write', role: 'member' } as const;

export async function accountRoutes(
  server: TypedServer,
  { accounts, firstAccount, sessions }: Pick<RouteServices, 'accounts' | 'firstAccount' | 'sessions'>,
  options: RouteOptions,
) {
  const sessionCookie = new SessionCookie(options);
  const needsSetupToken = (request: FastifyRequest) =>
    !(options.setupWithoutToken && isLocalRequest(request, options.host));

  server.get(
    '/api/v1/user/init',
    {
      config: { access: 'open', recognizes: signedIn.access },
      schema: { summary: 'Whether the first account exists', response: answers(InitState) },
    },
    async (request) => {
      const initialized = await accounts.isInitialized();
      return success({
        initialized,
        setup_token_required: !initialized && needsSetupToken(request),
        signed_in: request.principal !== null,
      });
    },
  );

  server.post(
    '/api/v1/user/init',
    {
      config: { access: 'open', audit: 'account.initialize' },
      schema: {
        summary: 'Create the first account',
        body: InitBody,
        response: answers(RecoveryKey, 400, 403, 409),
      },
    },
    async (request) => {
      const { user, password, setup_token = '' } = request.body;
      const token = needsSetupToken(request) ? setup_token : null;
      const { uuid, recovery_key } = await firstAccount.create(user, password, token);
      request.auditNote = { actor: anonymous(user), record_id: uuid };
      return success({ recovery_key });
    },
  );

  server.post(
    '/api/v1/user/auth',
    {
      config: { access: 'open', audit: 'session.sign-in' },
      schema: {
        summary: 'Sign in, with a `code` if the account has a second factor',
        body: AuthBody,
        response: answers(Token, 400, 429),
      },
    },
    async (request, reply) => {
      request.auditNote = { actor: anonymous(request.body.user) };
      return startSession(request, reply, sessionCookie, await accounts.signIn(request.body, originOf(request)));
    },
  );

  server.get(
    '/api/v1/user/check-token',
    {
      config: signedIn,
      schema: { summary: 'Exchange a valid token for a new one', response: answers(Token, 401, 403) },
    },
    async (request, reply) => {
      const { account, session } = userOf(request);
      const renewed = await sessions.renew(session, account);
      return success({ token: sessionCookie.give(request, reply, renewed) });
    },
  );

  server.post(
    '/api/v1/user/sign-out',
    {
      config: { ...signedIn, audit: 'session.sign-out', idempotency: false },
      schema: { summary: 'End the current session', response: answers(Nothing, 401, 403) },
    },
    async (request, reply) => {
      const { account, session } = userOf(request);
      request.auditNote = { record_id: session.uuid };
      await sessions.signOut(account.uuid, session.uuid);
      sessionCookie.clear(request, reply);
      return success({});
    },
  );

  server.get(
    '/api/v1/user/info',
    {
      config: signedIn,
      schema: { summary: 'The signed-in account', response: answers(AccountInfo, 401, 403) },
    },
    async (request) => {
      const { account } = userOf(request);
      return success({
        user: account.user,
        role: account.role,
        account_type: 'local' as const,
        has_password: account.password_hash !== '',
        recovery_key_created_at: account.recovery_key_created_at ?? null,
      });
    },
  );

  server.get(
    '/api/v1/user/account-info',
    {
      config: open,
      schema: { summary: 'How users sign in', response: answers(PublicAccountInfo) },
    },
    async () => {
      const info = await accounts.publicInfo();
      return success(info === null ? { initialized: false } : { initialized: true, ...info });
    },
  );

  // Every account has a password, so setting one is changing it.
  for (const verb of ['change', 'set'] as const) {
    server.post(
      `/api/v1/user/${verb}-password`,
      {
        config: { access: changes, audit: `account.${verb}-password`, idempotency: false },
        schema: {
          summary:
            verb === 'change'
              ? 'Change the password; every session of the account ends'
              : 'The same as change-password, for clients of the reference system',
          body: ChangePasswordBody,
          response: answers(User, 400, 401, 403, 409, 429),
        },
      },
      async (request) => {
        const { account } = userOf(request);
        request.auditNote = { record_id: account.uuid };
        const { current_password, new_password } = request.body;
        await accounts.changePassword(account, current_password, new_password, request.ip);
        return success({ user: account.user });
      },
    );
  }

  server.post(
    '/api/v1/user/recovery-key',
    {
      // The response contains the key.
      config: { access: changes, audit: 'account.create-recovery-key', idempotency: false },
      schema: {
        summary: 'Create a new recovery key with the current password; the previous one becomes invalid',
        body: CreateRecoveryKeyBody,
        response: answers(RecoveryKey, 400, 401, 403, 409, 429),
      },
    },
    async (request) => {
      const { account } = userOf(request);
      request.auditNote = { record_id: account.uuid };
      const recovery_key = await accounts.createRecoveryKey(account, request.body.current_password, request.ip);
      return success({ recovery_key });
    },
  );

  server.get(
    '/api/v1/user/space-credits',
    {
      config: signedIn,
      schema: {
        summary: 'Credits of a cloud account: always null',
        response: answers(SpaceCredits, 401, 403),
      },
    },
    async () => success({ credits: null }),
  );

  server.post(
    '/api/v1/user/reset-password',
    {
      config: { access: 'open', audit: 'account.reset-password' },
      schema: {
        summary: 'Set a new password with the recovery key, which is then replaced',
        body: ResetPasswordBody,
        response: answers(UserWithRecoveryKey, 400, 429),
      },
    },
    async (request) => {
      const { user, recovery_key, new_password } = request.body;
      request.auditNote = { actor: anonymous(user) };
      const reset = await accounts.resetPassword(user, recovery_key, new_password, request.ip);
      request.auditNote = { actor: anonymous(user), record_id: reset.uuid };
      return success({ user: user.trim(), recovery_key: reset.recovery_key });
    },
  );
}
