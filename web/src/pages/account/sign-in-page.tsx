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
import { CodeField } from './code-field.tsx';
import { formFields } from './new-password.ts';
import { ProviderSignIn } from './provider-sign-in.tsx';

interface SignIn {
  user: string;
  password: string;
  code?: string;
}

/** Signs in with user name, password and, if required, a code; after too many attempts it shows a countdown. */
export function SignInPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { to = '/' } = useSearch({ from: '/sign-in' });
  const [waitUntil, setWaitUntil] = useState(0);
  /** The correct name and password of an account with a second factor. */
  const [known, setKnown] = useState<SignIn | null>(null);
  const wait = useCountdown(waitUntil);

  const signIn = useMutation({
    mutationFn: (body: SignIn) => api.post('/api/v1/user/auth', { body }),
    onSuccess: async () => {
      session.begin();
      await navigate({ href: to });
    },
    onError: (error, given) => {
      if (asksForCode(error)) setKnown(given);
      if (!(error instanceof ParleyApiError) || error.status !== 429) return;
      setWaitUntil(Date.now() + (error.retryAfterSeconds ?? 30) * 1000);
    },
  });

  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const { user = '', password = '', code = '' } = { ...known, ...formFields(event.currentTarget) };
    if (wait > 0 || user === '' || password === '') return;
    signIn.mutate({ user, password, ...(code !== '' && { code }) });
  };

  const throttled = signIn.error instanceof ParleyApiError && signIn.error.status === 429;
  return (
    <FullPage
      title={t(known === null ? 'signIn.title' : 'secondFactor.signCode')}
      introduction={t(known === null ? 'signIn.introduction' : 'secondFactor.signCodeIntro')}
    >
      <form className="space-y-5" onSubmit={submit}>
        {session.hasExpired() && signIn.isIdle && <Alert variant="notice">{t('signIn.expired')}</Alert>}
        {signIn.isError && !throttled && !asksForCode(signIn.error) && <Alert>{errorText(signIn.error, t)}</Alert>}
        {wait > 0 && (
          <Alert>
            <span aria-hidden="true">{t('signIn.wait', { count: wait })}</span>
            {/* Read out once, not at every second. */}
            <span className="sr-only">{t('reasons.too_many_requests')}</span>
          </Alert>
        )}
        {known === null ? (
          <>
            <UserField required />
            <PasswordField label={t('account.password')} name="password" autoComplete="current-password" required />
          </>
        ) : (
          <CodeField />
        )}
        <Button type="submit" className="w-full" disabled={signIn.isPending || wait > 0}>
          {t('signIn.submit')}
        </Button>
        {known === null ? (
          <>
            <ProviderSignIn />
            <FormLink to="/reset-password">{t('signIn.forgot')}</FormLink>
          </>
        ) : (
          <Button
            variant="ghost"
            className="w-full"
            onClick={() => {
              setKnown(null);
              signIn.reset();
            }}
          >
            {t('secondFactor.back')}
          </Button>
        )}
      </form>
    </FullPage>
  );
}

function asksForCode(error: unknown): boolean {
  return error instanceof ParleyApiError && error.reason === 'second_factor_required';
}
