import { ParleyApiError } from '@parley/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type SubmitEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FailureAlert } from '../../components/failure/failure-alert.tsx';
import { PasswordField } from '../../components/password-field.tsx';
import { Button } from '../../components/ui/button.tsx';
import { api, signInApi } from '../../lib/api.ts';
import { notify } from '../../lib/notify.ts';
import { session } from '../../lib/session.ts';
import { NewPasswordFields } from './account-fields.tsx';
import { type FieldErrors, fieldErrorsOf, focusFirst, formFields, newPasswordErrors } from './new-password.ts';

/** Changes the password. That ends all sessions, so this browser signs in again, unless a code is required. */
export function PasswordForm({ user }: { user: string }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const form = useRef<HTMLFormElement>(null);
  const [errors, setErrors] = useState<FieldErrors>({});

  const change = useMutation({
    mutationFn: async (body: { current_password: string; new_password: string }) => {
      await api.post('/api/v1/user/change-password', { body });
      // If this fails, or a code is required, the next call finds the session ended, and sign-in accepts the new password.
      try {
        await signInApi.post('/api/v1/user/auth', { body: { user, password: body.new_password } });
        session.begin();
      } catch (error) {
        if (!(error instanceof ParleyApiError && error.reason === 'second_factor_required')) throw error;
      }
    },
    onSuccess: async () => {
      form.current?.reset();
      notify.done(t('profile.passwordChanged'));
      await queries.invalidateQueries({ queryKey: ['sessions'] });
    },
    onError: (error) => {
      const faults = fieldErrorsOf(error, ['current_password', 'new_password']);
      if (error instanceof ParleyApiError && error.reason === 'invalid_credentials')
        faults.current_password = t('profile.passwordWrong');
      setErrors(faults);
      if (form.current !== null) focusFirst(form.current, faults);
    },
  });

  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = formFields(event.currentTarget);
    const faults = newPasswordErrors(fields, 'new_password', t);
    setErrors(faults);
    if (focusFirst(event.currentTarget, faults)) return;
    const { current_password = '', new_password = '' } = fields;
    change.mutate({ current_password, new_password });
  };

  return (
    <form ref={form} className="max-w-md space-y-5" onSubmit={submit} noValidate>
      {change.isError && Object.keys(errors).length === 0 && <FailureAlert error={change.error} />}
      {/* Tells programs that keep passwords whose they are. */}
      <input type="text" autoComplete="username" value={user} readOnly hidden />
      <PasswordField
        label={t('profile.currentPassword')}
        name="current_password"
        autoComplete="current-password"
        error={errors.current_password}
      />
      <NewPasswordFields label={t('account.newPassword')} name="new_password" errors={errors} />
      <Button type="submit" disabled={change.isPending}>
        {t('profile.changePassword')}
      </Button>
    </form>
  );
}
