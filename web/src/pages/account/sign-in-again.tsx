import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { FailureAlert } from '../../components/failure/failure-alert.tsx';
import { Button } from '../../components/ui/button.tsx';
import { Dialog } from '../../components/ui/dialog.tsx';
import { accountQuery } from '../../lib/account.ts';
import { signInApi } from '../../lib/api.ts';
import { basePath } from '../../lib/server-address.ts';
import { session } from '../../lib/session.ts';
import { ProviderSignIn } from './provider-sign-in.tsx';
import { SignInForm } from './sign-in-form.tsx';
import { useSignIn } from './use-sign-in.ts';

/**
 * Asks the user to sign in again over the page, when the session has ended while they work. Requests that were rejected
 * wait, and are repeated then. Signing in in another tab is enough.
 */
export function SignInAgain() {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const user = queries.getQueryData(accountQuery.queryKey)?.user;
  const ended = useRef(session.current());
  const current = useSyncExternalStore(session.subscribe, session.current);

  const resume = useMutation({
    mutationFn: () => signInApi.get('/api/v1/user/info'),
    onSuccess: (account) => {
      // What is on the page belongs to another account.
      if (user !== undefined && account.user !== user) window.location.assign(basePath);
      else session.resume();
    },
  });
  const { mutate } = resume;
  useEffect(() => {
    if (current !== null && current !== ended.current) mutate();
  }, [current, mutate]);

  const signIn = useSignIn(() => undefined);
  const content = useRef<HTMLDivElement>(null);
  // The dialog has focused its first field, which has the user name already.
  useEffect(() => content.current?.querySelector<HTMLInputElement>('input:not([readonly])')?.focus(), []);
  return (
    <Dialog title={t(signIn.step === 'password' ? 'signIn.againTitle' : 'secondFactor.signCode')}>
      <div ref={content}>
        <p className="mt-2 mb-5 text-pretty text-muted-foreground">
          {t(signIn.step === 'password' ? 'signIn.againText' : 'secondFactor.signCodeIntro')}
        </p>
        {resume.isError && (
          <div className="mb-5 space-y-3">
            <FailureAlert error={resume.error} />
            <Button variant="outline" onClick={() => mutate()}>
              {t('common.retry')}
            </Button>
          </div>
        )}
        <SignInForm signIn={signIn} user={user}>
          <ProviderSignIn inNewTab />
          <Button variant="ghost" className="w-full" onClick={() => session.end()}>
            {t('signIn.discard')}
          </Button>
        </SignInForm>
      </div>
    </Dialog>
  );
}
