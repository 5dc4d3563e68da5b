import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { FailureAlert } from '../../components/failure/failure-alert.tsx';
import { PasswordField } from '../../components/password-field.tsx';
import { Alert } from '../../components/ui/alert.tsx';
import { Button } from '../../components/ui/button.tsx';
import { UserField } from './account-fields.tsx';
import { CodeField } from './code-field.tsx';
import type { useSignIn } from './use-sign-in.ts';

interface SignInFormProps {
  signIn: ReturnType<typeof useSignIn>;
  /** The name of the user who has to sign in; otherwise it is asked for. */
  user?: string | undefined;
  /** Shown until the first attempt. */
  notice?: string | undefined;
  /** Other ways, below the button. */
  children?: ReactNode;
}

/** Asks for user name and password, then for a code if the account has a second factor. */
export function SignInForm({ signIn, user, notice, children }: SignInFormProps) {
  const { t } = useTranslation();
  const { wait } = signIn;
  return (
    <form className="space-y-5" onSubmit={signIn.submit}>
      {notice !== undefined && signIn.isIdle && <Alert variant="notice">{notice}</Alert>}
      {signIn.error !== null && <FailureAlert error={signIn.error} />}
      {wait > 0 && (
        <Alert>
          <span aria-hidden="true">{t('signIn.wait', { count: wait })}</span>
          {/* Read out once, not at every second. */}
          <span className="sr-only">{t('signIn.tooManyAttempts')}</span>
        </Alert>
      )}
      {signIn.step === 'password' ? (
        <>
          <UserField required {...(user !== undefined && { defaultValue: user, readOnly: true, autoFocus: false })} />
          <PasswordField label={t('account.password')} name="password" autoComplete="current-password" required />
        </>
      ) : (
        <CodeField />
      )}
      <Button type="submit" className="w-full" disabled={signIn.isPending || wait > 0}>
        {t('signIn.submit')}
      </Button>
      {signIn.step === 'password' ? (
        children
      ) : (
        <Button variant="ghost" className="w-full" onClick={signIn.restart}>
          {t('secondFactor.back')}
        </Button>
      )}
    </form>
  );
}
