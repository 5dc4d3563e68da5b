import { ParleyApiError } from '@parley/client';
import { useMutation } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { signInApi } from '../../lib/api.ts';
import { session } from '../../lib/session.ts';
import { useCountdown } from '../../lib/use-countdown.ts';
import { formFields } from './new-password.ts';

interface SignIn {
  user: string;
  password: string;
  code?: string;
}

/** Signs in with user name, password and, if required, a code; after too many attempts there is a countdown. */
export function useSignIn(onSignedIn: () => void) {
  const [waitUntil, setWaitUntil] = useState(0);
  /** The correct name and password of an account with a second factor. */
  const [known, setKnown] = useState<SignIn | null>(null);
  const wait = useCountdown(waitUntil);

  const signIn = useMutation({
    mutationFn: (body: SignIn) => signInApi.post('/api/v1/user/auth', { body }),
    onSuccess: () => {
      session.begin();
      onSignedIn();
    },
    onError: (error, given) => {
      if (asksForCode(error)) setKnown(given);
      if (!isThrottled(error)) return;
      setWaitUntil(Date.now() + (error.retryAfterSeconds ?? 30) * 1000);
    },
  });

  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const { user = '', password = '', code = '' } = { ...known, ...formFields(event.currentTarget) };
    if (wait > 0 || user === '' || password === '') return;
    signIn.mutate({ user, password, ...(code !== '' && { code }) });
  };

  return {
    step: known === null ? ('password' as const) : ('code' as const),
    isIdle: signIn.isIdle,
    isPending: signIn.isPending,
    /** Seconds until another attempt. */
    wait,
    error: isThrottled(signIn.error) || asksForCode(signIn.error) ? null : signIn.error,
    submit,
    /** Goes back to user name and password. */
    restart() {
      setKnown(null);
      signIn.reset();
    },
  };
}

function isThrottled(error: unknown): error is ParleyApiError {
  return error instanceof ParleyApiError && error.status === 429;
}

function asksForCode(error: unknown): boolean {
  return error instanceof ParleyApiError && error.reason === 'second_factor_required';
}
