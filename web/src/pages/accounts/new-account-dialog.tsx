import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type SubmitEvent, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FailureAlert } from '../../components/failure/failure-alert.tsx';
import { FieldShell } from '../../components/forms/field-shell.tsx';
import { Button } from '../../components/ui/button.tsx';
import { Dialog } from '../../components/ui/dialog.tsx';
import { Select } from '../../components/ui/select.tsx';
import { api } from '../../lib/api.ts';
import { useKeptInput } from '../../lib/kept-drafts.ts';
import { NewPasswordFields, UserField } from '../account/account-fields.tsx';
import { type FieldErrors, fieldErrorsOf, focusFirst, formFields, newPasswordErrors } from '../account/new-password.ts';
import { RecoveryKeyBox } from '../account/recovery-key-box.tsx';
import type { Role } from './accounts-query.ts';

interface NewAccount {
  user: string;
  password: string;
  role: Role;
}

/** Creates an account with an initial password, then shows its recovery key, once. */
export function NewAccountDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const id = useId();
  const [errors, setErrors] = useState<FieldErrors>({});
  // Of passwords, nothing is kept.
  const input = useKeptInput('new-account', () => ({ user: '', role: 'member' as Role }));
  const change = (part: Partial<typeof input.value>) => input.change((value) => ({ ...value, ...part }));
  const close = () => {
    input.forget();
    onClose();
  };
  const create = useMutation({
    mutationFn: (body: NewAccount) => api.post('/api/v1/accounts', { body }),
    onSuccess: () => {
      input.forget();
      return queries.invalidateQueries({ queryKey: ['accounts'] });
    },
    onError: (error) => setErrors(fieldErrorsOf(error, ['user', 'password'])),
  });

  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = formFields(event.currentTarget);
    const faults = newPasswordErrors(fields, 'password', t);
    setErrors(faults);
    if (focusFirst(event.currentTarget, faults) || create.isPending) return;
    create.mutate({ ...input.value, password: fields.password ?? '' });
  };

  if (create.isSuccess) {
    return (
      <Dialog title={t('accounts.created', { name: create.variables.user })} width="wide" onClose={close}>
        <div className="mt-2 space-y-4">
          <p className="text-pretty text-muted-foreground">{t('accounts.createdText')}</p>
          <RecoveryKeyBox user={create.variables.user} recoveryKey={create.data.recovery_key} />
          <div className="flex justify-end">
            <Button onClick={close}>{t('recovery.saved')}</Button>
          </div>
        </div>
      </Dialog>
    );
  }
  return (
    <Dialog title={t('accounts.new')} width="wide" onClose={close}>
      <form className="mt-2 space-y-4" onSubmit={submit} noValidate>
        {create.isError && Object.keys(errors).length === 0 && <FailureAlert error={create.error} />}
        <UserField
          error={errors.user}
          value={input.value.user}
          onChange={(event) => change({ user: event.target.value })}
        />
        <NewPasswordFields label={t('account.password')} name="password" errors={errors} />
        <FieldShell id={id} label={t('accounts.role')} help={t('accounts.roleHelp')}>
          <Select
            id={id}
            value={input.value.role}
            aria-describedby={`${id}-help`}
            onChange={(event) => change({ role: event.target.value as Role })}
          >
            <option value="member">{t('accounts.roles.member')}</option>
            <option value="admin">{t('accounts.roles.admin')}</option>
          </Select>
        </FieldShell>
        <div className="flex flex-wrap justify-end gap-2 pt-2">
          <Button variant="outline" onClick={close}>
            {t('common.cancel')}
          </Button>
          <Button type="submit" disabled={create.isPending}>
            {t('accounts.create')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
