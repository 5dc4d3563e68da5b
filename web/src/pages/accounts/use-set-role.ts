import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { accountQuery } from '../../lib/account.ts';
import { api } from '../../lib/api.ts';
import { notify } from '../../lib/notify.ts';
import type { Account, Role } from './accounts-query.ts';

/** Sets the role of an account, immediately. */
export function useSetRole() {
  const { t } = useTranslation();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ account, role }: { account: Account; role: Role }) =>
      api.put('/api/v1/accounts/{account_uuid}', { params: { path: { account_uuid: account.uuid } }, body: { role } }),
    onSuccess: async (_, { account, role }) => {
      notify.done(t(role === 'admin' ? 'accounts.madeAdmin' : 'accounts.madeMember', { name: account.user }));
      // The own account first: a member may not read the list.
      await queries.invalidateQueries({ queryKey: accountQuery.queryKey });
      await queries.invalidateQueries({ queryKey: ['accounts'] });
    },
    onError: notify.failed,
  });
}
