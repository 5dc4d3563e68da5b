import { ParleyApiError } from '@parley/client';
import { useMutation } from '@tanstack/react-query';
import type { SubmitEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { FailureAlert } from '../../components/failure/failure-alert.tsx';
import { PasswordField } from '../../components/password-field.tsx';
import { Button } from '../../components/ui/button.tsx';
import { Dialog } from '../../components/ui/dialog.tsx';
import { api } from '../../lib/api.ts';
import { formFields } from './new-password.ts';
import { RecoveryKeyBox } from './recovery-key-box.tsx';
import { useSaveFirst } from './use-save-first.tsx';

interface NewRecoveryKeyProps {
  user: string;
  onClose: () => void;
}

/** Creates a recovery key with the password, and shows it, once. */
export function NewRecoveryKey({ user, onClose }: NewRecoveryKeyProps) {
  const { t } = useTranslation();
  const create = useMutation({
    mutationFn: (current_password: string) => api.post('/api/v1/user/recovery-key', { body: { current_password } }),
  });
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const { password = '' } = formFields(event.currentTarget);
    if (!create.isPending) create.mutate(password);
  };
  const isWrong = create.error instanceof ParleyApiError && create.error.reason === 'invalid_credentials';

  if (create.isSuccess) return <CreatedKey user={user} recoveryKey={create.data.recovery_key} onSaved={onClose} />;
  return (
    <Dialog title={t('recovery.create')} width="wide" onClose={onClose}>
      <form className="mt-2 space-y-4" onSubmit={submit}>
        <p className="text-pretty text-muted-foreground">{t('recovery.createText')}</p>
        {create.isError && !isWrong && <FailureAlert error={create.error} />}
        {/* Tells password managers whose password it is. */}
        <input type="text" autoComplete="username" value={user} readOnly hidden />
        <PasswordField
          label={t('profile.currentPassword')}
          name="password"
          autoComplete="current-password"
          required
          autoFocus
          error={isWrong ? t('profile.passwordWrong') : undefined}
        />
        <div className="flex flex-wrap justify-end gap-2 pt-2">
          <Button variant="outline" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button type="submit" disabled={create.isPending}>
            {t('recovery.createConfirm')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

interface CreatedKeyProps {
  user: string;
  recoveryKey: string;
  onSaved: () => void;
}

function CreatedKey({ user, recoveryKey, onSaved }: CreatedKeyProps) {
  const { t } = useTranslation();
  const { warning, confirm } = useSaveFirst(onSaved);
  return (
    <Dialog title={t('recovery.title')} width="wide">
      <div className="mt-2 space-y-4">
        <p className="text-pretty text-muted-foreground">{t('recovery.introduction')}</p>
        <RecoveryKeyBox user={user} recoveryKey={recoveryKey} />
        <div className="flex justify-end">
          <Button onClick={confirm}>{t('recovery.saved')}</Button>
        </div>
      </div>
      {warning}
    </Dialog>
  );
}
