import { useMutation, useQuery } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Alert } from '../../components/ui/alert.tsx';
import { Button } from '../../components/ui/button.tsx';
import { api } from '../../lib/api.ts';
import { errorText } from '../../lib/error-text.ts';
import { identityProviderQuery } from './identity-query.ts';

/** Starts signing in with the identity provider, if one is configured. */
export function ProviderSignIn() {
  const { t } = useTranslation();
  const name = useQuery(identityProviderQuery).data?.name ?? null;
  const begin = useMutation({
    mutationFn: () => api.post('/api/v1/user/oidc/begin'),
    onSuccess: ({ url }) => window.location.assign(url),
  });
  if (name === null) return null;
  return (
    <>
      {begin.isError && <Alert>{errorText(begin.error, t)}</Alert>}
      <Button variant="outline" className="w-full" disabled={begin.isPending} onClick={() => begin.mutate()}>
        <KeyRound aria-hidden />
        {t('identity.signInWith', { name })}
      </Button>
    </>
  );
}
