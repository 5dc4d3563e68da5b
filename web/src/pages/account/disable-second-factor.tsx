import { useMutation } from '@tanstack/react-query';
import type { SubmitEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { FailureAlert } from '../../components/failure/failure-alert.tsx';
import { PasswordField } from '../../components/password-field.tsx';
import { Button } from '../../components/ui/button.tsx';
import { Dialog } from '../../components/ui/dialog.tsx';
import { api } from '../../lib/api.ts';
import { notify } from '../../lib/notify.ts';
import { CodeField } from './code-field.tsx';
import { formFields } from './new-password.ts';

interface DisableSecondFactorProps {
  hasPassword: boolean;
  onClose: () => void;
}

/** Disables the second factor, with the password and a code. */
export function DisableSecondFactor({ hasPassword, onClose }: DisableSecondFactorProps) {
  const { t } = useTranslation();
  const disable = useMutation({
    mutationFn: ({ password, code }: { password: string; code: string }) =>
      api.post('/api/v1/user/second-factor/disable', { body: { code, ...(password !== '' && { password }) } }),
    onSuccess: () => {
      notify.done(t('secondFactor.turnedOff'));
      onClose();
    },
  });
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const { password = '', code = '' } = formFields(event.currentTarget);
    if (!disable.isPending) disable.mutate({ password, code });
  };
  return (
    <Dialog title={t('secondFactor.turnOff')} onClose={onClose}>
      <form className="mt-2 space-y-4" onSubmit={submit}>
        <p className="text-pretty text-muted-foreground">{t('secondFactor.turnOffText')}</p>
        {disable.isError && <FailureAlert error={disable.error} />}
        {hasPassword && (
          <PasswordField label={t('account.password')} name="password" autoComplete="current-password" required />
        )}
        <CodeField />
        <div className="flex flex-wrap justify-end gap-2 pt-2">
          <Button variant="outline" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button type="submit" variant="destructive" disabled={disable.isPending}>
            {t('secondFactor.turnOff')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
