import { useNavigate, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { FullPage } from '../../components/full-page.tsx';
import { session } from '../../lib/session.ts';
import { FormLink } from './account-fields.tsx';
import { ProviderSignIn } from './provider-sign-in.tsx';
import { SignInForm } from './sign-in-form.tsx';
import { useSignIn } from './use-sign-in.ts';

/** Signs in, and opens the page that the user wanted. */
export function SignInPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { to = '/' } = useSearch({ from: '/sign-in' });
  const signIn = useSignIn(() => void navigate({ href: to }));
  const isFirst = signIn.step === 'password';
  return (
    <FullPage
      title={t(isFirst ? 'signIn.title' : 'secondFactor.signCode')}
      introduction={t(isFirst ? 'signIn.introduction' : 'secondFactor.signCodeIntro')}
    >
      <SignInForm signIn={signIn} notice={session.hasExpired() ? t('signIn.expired') : undefined}>
        <ProviderSignIn />
        <FormLink to="/reset-password">{t('signIn.forgot')}</FormLink>
      </SignInForm>
    </FullPage>
  );
}
