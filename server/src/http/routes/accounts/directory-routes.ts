import { answers, Nothing, success } from '../../envelope.ts';
import type { TypedServer } from '../route-plugin.ts';
import type { RouteServices } from '../route-services.ts';
import {
  AccountList,
  AccountParams,
  CreateAccount,
  CreatedAccount,
  RemoveAccountQuery,
  UpdateAccount,
} from './directory-schema.ts';

const readOnly = ['uuid', 'user', 'created_at', 'last_signed_in_at', 'api_key_count'];
const access = { credential: 'either', scope: 'admin', role: 'admin' } as const;

/** Accounts of the installation. */
export async function accountDirectoryRoutes(
  server: TypedServer,
  { accountAdministration, accountDirectory }: Pick<RouteServices, 'accountAdministration' | 'accountDirectory'>,
) {
  server.get(
    '/api/v1/accounts',
    {
      config: { access },
      schema: { summary: 'List the accounts', response: answers(AccountList, 401, 403) },
    },
    async () => success({ accounts: await accountDirectory.list() }),
  );

  server.post(
    '/api/v1/accounts',
    {
      // The response contains the recovery key.
      config: { access, audit: 'account.create', idempotency: false },
      schema: {
        summary: 'Create an account, by default a member; returns its recovery key, once',
        body: CreateAccount,
        response: answers(CreatedAccount, 400, 401, 403, 409),
      },
    },
    async (request) => {
      const { user, password, role = 'member' } = request.body;
      const { uuid, recovery_key } = await accountAdministration.create(user, password, role);
      return success({ uuid, recovery_key });
    },
  );

  server.put(
    '/api/v1/accounts/:account_uuid',
    {
      config: { access, readOnly, audit: 'account.update' },
      schema: {
        summary: 'Change the role of an account, immediately; never of the last admin',
        description: 'Open connections of the account and of its API keys are closed.',
        params: AccountParams,
        body: UpdateAccount,
        response: answers(Nothing, 400, 401, 403, 404, 409),
      },
    },
    async ({ params, body: { role } }) => {
      if (role === undefined) await accountDirectory.get(params.account_uuid);
      else await accountDirectory.setRole(params.account_uuid, role);
      return success({});
    },
  );

  server.delete(
    '/api/v1/accounts/:account_uuid',
    {
      config: { access, audit: 'account.delete' },
      schema: {
        summary: 'Delete an account with its sessions and API keys, immediately; never the last admin',
        params: AccountParams,
        querystring: RemoveAccountQuery,
        response: answers(Nothing, 400, 401, 403, 404, 409),
      },
    },
    async (request) => {
      const { api_keys: keys = 'revoke' } = request.query;
      const heir = keys === 'revoke' ? null : { account_uuid: keys === 'installation' ? null : keys.toLowerCase() };
      await accountDirectory.remove(request.params.account_uuid, heir);
      return success({});
    },
  );
}
