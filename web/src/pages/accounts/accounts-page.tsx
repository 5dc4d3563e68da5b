import { useQuery } from '@tanstack/react-query';
import { Plus, ShieldCheck, Trash2, User } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Badge } from '../../components/badge.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Page } from '../../components/page.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { Loaded } from '../../components/states/loaded.tsx';
import { ActionMenu } from '../../components/ui/action-menu.tsx';
import { Button } from '../../components/ui/button.tsx';
import { accountQuery } from '../../lib/account.ts';
import { useRowDialog } from '../../lib/use-row-dialog.ts';
import { type Account, accountsQuery } from './accounts-query.ts';
import { DeleteAccountDialog } from './delete-account-dialog.tsx';
import { NewAccountDialog } from './new-account-dialog.tsx';
import { useSetRole } from './use-set-role.ts';

/** Accounts and their roles. */
export function AccountsPage() {
  const { t } = useTranslation();
  const accounts = useQuery(accountsQuery);
  const own = useQuery(accountQuery).data?.user;
  const [leaving, setLeaving, endLeaving] = useRowDialog<Account>();
  const [isNew, setNew] = useState(false);
  const setRole = useSetRole();

  const columns: Column<Account>[] = [
    {
      key: 'name',
      heading: t('common.name'),
      isTitle: true,
      cell: ({ user }) => (
        <span className="flex flex-wrap items-center gap-2">
          <span className="break-all">{user}</span>
          {user === own && <Badge>{t('accounts.you')}</Badge>}
        </span>
      ),
    },
    { key: 'role', heading: t('accounts.role'), cell: ({ role }) => t(`accounts.roles.${role}`) },
    {
      key: 'signed-in',
      heading: t('accounts.lastSignIn'),
      cell: ({ last_signed_in_at }) =>
        last_signed_in_at === null ? (
          <span className="text-muted-foreground">{t('accounts.notLately')}</span>
        ) : (
          <RelativeTime timestamp={last_signed_in_at} />
        ),
    },
    { key: 'keys', heading: t('accounts.apiKeys'), cell: ({ api_key_count }) => api_key_count },
    { key: 'created', heading: t('common.created'), cell: ({ created_at }) => <RelativeTime timestamp={created_at} /> },
  ];

  return (
    <Page
      title={t('accounts.title')}
      introduction={t('accounts.introduction')}
      actions={
        <Button onClick={() => setNew(true)}>
          <Plus aria-hidden />
          {t('accounts.new')}
        </Button>
      }
    >
      <Loaded query={accounts}>
        {(rows) => (
          <DataTable
            label={t('accounts.title')}
            columns={columns}
            rows={rows}
            rowKey={({ uuid }) => uuid}
            actions={(account) => (
              <ActionMenu
                subject={account.user}
                actions={[
                  account.role === 'admin'
                    ? {
                        label: t('accounts.makeMember'),
                        icon: User,
                        disabled: isLastAdmin(account, rows),
                        onSelect: () => setRole.mutate({ account, role: 'member' }),
                      }
                    : {
                        label: t('accounts.makeAdmin'),
                        icon: ShieldCheck,
                        onSelect: () => setRole.mutate({ account, role: 'admin' }),
                      },
                  {
                    label: t('accounts.delete'),
                    icon: Trash2,
                    destructive: true,
                    disabled: isLastAdmin(account, rows),
                    onSelect: () => setLeaving(account),
                  },
                ]}
              />
            )}
          />
        )}
      </Loaded>
      {isNew && <NewAccountDialog onClose={() => setNew(false)} />}
      {leaving && (
        <DeleteAccountDialog
          account={leaving}
          others={(accounts.data ?? []).filter(({ uuid }) => uuid !== leaving.uuid)}
          isOwn={leaving.user === own}
          onClose={endLeaving}
        />
      )}
    </Page>
  );
}

function isLastAdmin({ role }: Account, accounts: readonly Account[]): boolean {
  return role === 'admin' && accounts.filter((one) => one.role === 'admin').length === 1;
}
