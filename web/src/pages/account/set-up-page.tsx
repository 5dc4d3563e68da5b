import { ParleyApiError } from '@parley/client';
import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type SubmitEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FailureAlert } from '../../components/failure/failure-alert.tsx';
import { FullPage } from '../../components/full-page.tsx';
import { TextField } from '../../components/text-field.tsx';
import { Button } from '../../components/ui/button.tsx';
import { api } from '../../lib/api.ts';
import { session } from '../../lib/session.ts';
import { NewPasswordFields, UserField } from './account-fields.tsx';
import { initialization } from './initialization.ts';
import { type FieldErrors, fieldErrorsOf, focusFirst, formFields, newPasswordErrors } from './new-password.ts';
import { RecoveryKey } from './recovery-key.tsx';
import { setupTokenIn } from './setup-token.ts';
import { useLinkedToken } from './use-linked-token.ts';

interface FirstAccount {
  user: string;
  password: string;
  setup_token?: string;
}

/** Creates the first account, shows its recovery key and signs in. */
export function SetUpPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const { data: state } = useSuspenseQuery(initialization);
  const [errors, setErrors] = useState<FieldErrors>({});
  const linked = useLinkedToken();

  const create = useMutation({
    mutationFn: (body: FirstAccount) => api.post('/api/v1/user/init', { body }),
    onError: (error) => {
      setErrors(fieldErrorsOf(error, ['user', 'password', 'setup_token']));
      // The link of an earlier start: another token can be entered.
      if (isTokenRefusal(error)) linked.drop();
    },
  });
  const signIn = useMutation({
    mutationFn: ({ user, password }: FirstAccount) => api.post('/api/v1/user/auth', { body: { user, password } }),
    onSuccess: () => session.begin(),
    onSettled: async () => {
      queries.removeQueries({ queryKey: initialization.queryKey });
      await navigate({ to: session.current() === null ? '/sign-in' : '/start' });
    },
  });

  const account = create.variables;
  if (create.isSuccess && account !== undefined) {
    const { recovery_key } = create.data;
    return <RecoveryKey user={account.user} recoveryKey={recovery_key} onSaved={() => signIn.mutate(account)} />;
  }

  const asksForToken = linked.token === null && (state.setup_token_required || isTokenRefusal(create.error));
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = formFields(event.currentTarget);
    const faults = newPasswordErrors(fields, 'password', t);
    setErrors(faults);
    if (focusFirst(event.currentTarget, faults)) return;
    const { user = '', password = '', setup_token } = fields;
    const token = setup_token === undefined ? linked.token : setupTokenIn(setup_token);
    create.mutate({ user, password, ...(token !== null && { setup_token: token }) });
  };

  return (
    <FullPage title={t('setUp.title')} introduction={t('setUp.introduction')}>
      <form className="space-y-5" onSubmit={submit} noValidate>
        {create.isError && Object.keys(errors).length === 0 && <FailureAlert error={create.error} />}
        <UserField error={errors.user} />
        <NewPasswordFields label={t('account.password')} name="password" errors={errors} />
        {asksForToken && (
          <TextField
            label={t('setUp.token')}
            name="setup_token"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            className="font-mono"
            help={t('setUp.tokenHelp')}
            error={errors.setup_token}
          />
        )}
        <Button type="submit" className="w-full" disabled={create.isPending}>
          {t('setUp.submit')}
        </Button>
      </form>
    </FullPage>
  );
}

function isTokenRefusal(error: unknown): boolean {
  return error instanceof ParleyApiError && error.reason === 'setup_token_required';
}
