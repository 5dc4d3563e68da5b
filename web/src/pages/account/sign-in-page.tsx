import { ParleyApiError } from '@parley/client';
import { useMutation } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type SubmitEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FullPage } from '../../components/full-page.tsx';
import { PasswordField } from '../../components/password-field.tsx';
import { Alert } from '../../components/ui/alert.tsx';
import { Button } from '../../components/ui/button.tsx';
import { api } from '../../lib/api.ts';
import { errorText } from '../../lib/error-text.ts';
import { session } from '../../lib/session.ts';
import { useCountdown } from '../../lib/use-countdown.ts';
import { FormLink, UserField } from './account-fields.tsx';
import { formFields } from './new-password.ts';

/** Signs in with user name and password; after too many attempts it counts the wait down. */
export function SignInPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { to = '/' } = useSearch({ from: '/sign-in' });
  const [waitUntil, setWaitUntil] = useState(0);
  const wait = useCountdown(waitUntil);

  const signIn = useMutation({
    mutationFn: (body: { user: string; password: string }) => api.post('/api/v1/user/auth', { body }),
    onSuccess: async () => {
      session.begin();
      await navigate({ href: to });
    },
    onError: (error) => {
      if (!(error instanceof ParleyApiError) || error.status !== 429) return;
      setWaitUntil(Date.now() + (error.retryAfterSeconds ?? 30) * 1000);
    },
  });

  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const { user = '', password = '' } = formFields(event.currentTarget);
    if (wait === 0 && user !== '' && password !== '') signIn.mutate({ user, password });
  };

  const throttled = signIn.error instanceof ParleyApiError && signIn.error.status === 429;
  return (
    <FullPage title={t('signIn.title')} introduction={t('signIn.introduction')}>
      <form className="space-y-5" onSubmit={submit}>
        {session.hasExpired() && signIn.isIdle && <Alert variant="notice">{t('signIn.expired')}</Alert>}
        {signIn.isError && !throttled && <Alert>{errorText(signIn.error, t)}</Alert>}
        {wait > 0 && (
          <Alert>
            <span aria-hidden="true">{t('signIn.wait', { count: wait })}</span>
            {/* Read out once, not at every second. */}
            <span className="sr-only">{t('errors.too_many_requests')}</span>
          </Alert>
        )}
        <UserField required />
        <PasswordField label={t('account.password')} name="password" autoComplete="current-password" required />
        <Button type="submit" className="w-full" disabled={signIn.isPending || wait > 0}>
          {t('signIn.submit')}
        </Button>
        <FormLink to="/reset-password">{t('signIn.forgot')}</FormLink>
      </form>
    </FullPage>
  );
}
