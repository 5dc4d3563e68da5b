import { answers, Nothing, success } from '../../envelope.ts';
import type { TypedServer } from '../route-plugin.ts';
import type { RouteServices } from '../route-services.ts';
import { AccountList, AccountParams, RemoveAccountQuery } from './directory-schema.ts';

const tags = ['accounts'];
const access = { credential: 'either', scope: 'admin' } as const;

/** All accounts, for those who manage the installation. */
export async function accountDirectoryRoutes(
  server: TypedServer,
  { accountDirectory }: Pick<RouteServices, 'accountDirectory'>,
) {
  server.get(
    '/api/v1/accounts',
    {
      config: { access },
      schema: { tags, summary: 'List the accounts', response: answers(AccountList, 401, 403) },
    },
    async () => success({ accounts: await accountDirectory.list() }),
  );

  server.delete(
    '/api/v1/accounts/:account_uuid',
    {
      config: { access, audit: 'account.delete' },
      schema: {
        tags,
        summary: 'Remove an account with its sessions and its API keys, at once; never the last one',
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
