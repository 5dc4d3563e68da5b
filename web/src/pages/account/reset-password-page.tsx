import { ParleyApiError } from '@parley/client';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type SubmitEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FailureAlert } from '../../components/failure/failure-alert.tsx';
import { FullPage } from '../../components/full-page.tsx';
import { TextField } from '../../components/text-field.tsx';
import { Alert } from '../../components/ui/alert.tsx';
import { Button } from '../../components/ui/button.tsx';
import { api } from '../../lib/api.ts';
import { session } from '../../lib/session.ts';
import { FormLink, NewPasswordFields, UserField } from './account-fields.tsx';
import { type FieldErrors, fieldErrorsOf, focusFirst, formFields, newPasswordErrors } from './new-password.ts';
import { RecoveryKey } from './recovery-key.tsx';

/** Sets a new password with the recovery key, and shows the next key. */
export function ResetPasswordPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [errors, setErrors] = useState<FieldErrors>({});

  const reset = useMutation({
    mutationFn: (body: { user: string; recovery_key: string; new_password: string }) =>
      api.post('/api/v1/user/reset-password', { body }),
    onError: (error) => setErrors(fieldErrorsOf(error, ['user', 'recovery_key', 'new_password'])),
    // Earlier sessions have ended.
    onSuccess: () => session.end(),
  });

  if (reset.isSuccess) {
    const { user, recovery_key } = reset.data;
    return <RecoveryKey user={user} recoveryKey={recovery_key} onSaved={() => navigate({ to: '/sign-in' })} />;
  }

  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = formFields(event.currentTarget);
    const faults = newPasswordErrors(fields, 'new_password', t);
    setErrors(faults);
    if (focusFirst(event.currentTarget, faults)) return;
    const { user = '', recovery_key = '', new_password = '' } = fields;
    reset.mutate({ user, recovery_key: recovery_key.trim(), new_password });
  };

  const wrongKey = reset.error instanceof ParleyApiError && reset.error.reason === 'invalid_credentials';
  return (
    <FullPage title={t('reset.title')} introduction={t('reset.introduction')}>
      <form className="space-y-5" onSubmit={submit} noValidate>
        {reset.isError &&
          Object.keys(errors).length === 0 &&
          (wrongKey ? <Alert>{t('reset.invalid')}</Alert> : <FailureAlert error={reset.error} />)}
        <UserField error={errors.user} />
        <TextField
          label={t('recovery.key')}
          name="recovery_key"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          className="font-mono"
          error={errors.recovery_key}
        />
        <NewPasswordFields label={t('account.newPassword')} name="new_password" errors={errors} />
        <Button type="submit" className="w-full" disabled={reset.isPending}>
          {t('reset.submit')}
        </Button>
        <FormLink to="/sign-in">{t('reset.back')}</FormLink>
      </form>
    </FullPage>
  );
}
