import { useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { FieldShell } from '../../components/forms/field-shell.tsx';
import { Select } from '../../components/ui/select.tsx';
import { accountStorage } from '../../lib/account-storage.ts';
import { api } from '../../lib/api.ts';
import { notify } from '../../lib/notify.ts';
import { session } from '../../lib/session.ts';
import type { Account } from './accounts-query.ts';

interface DeleteAccountDialogProps {
  account: Account;
  /** Possible new owners of its API keys. */
  others: readonly Account[];
  /** Whether it is the signed-in account. */
  isOwn: boolean;
  onClose: () => void;
}

/** Deletes an account, with a choice for its API keys and its name as confirmation. */
export function DeleteAccountDialog({ account, others, isOwn, onClose }: DeleteAccountDialogProps) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const id = useId();
  const [keys, setKeys] = useState('revoke');
  return (
    <ConfirmDialog
      title={t('accounts.deleteTitle')}
      text={t(isOwn ? 'accounts.deleteOwnText' : 'accounts.deleteText')}
      confirm={t('accounts.delete')}
      name={account.user}
      onClose={onClose}
      action={async () => {
        const params = { path: { account_uuid: account.uuid }, query: { api_keys: keys } };
        await api.delete('/api/v1/accounts/{account_uuid}', { params });
        if (isOwn) {
          accountStorage.clear();
          return session.end();
        }
        notify.done(t('common.deleted', { name: account.user }));
        await queries.invalidateQueries({ queryKey: ['accounts'] });
        await queries.invalidateQueries({ queryKey: ['api-keys'] });
      }}
    >
      {account.api_key_count > 0 && (
        <FieldShell id={id} label={t('accounts.keys', { count: account.api_key_count })}>
          <Select id={id} value={keys} onChange={(event) => setKeys(event.target.value)}>
            <option value="revoke">{t('accounts.keysRevoke')}</option>
            <option value="installation">{t('accounts.keysKeep')}</option>
            {others.map(({ uuid, user }) => (
              <option key={uuid} value={uuid}>
                {t('accounts.keysHand', { name: user })}
              </option>
            ))}
          </Select>
        </FieldShell>
      )}
    </ConfirmDialog>
  );
}
