import { useMutation, useQuery } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { FailureAlert } from '../../components/failure/failure-alert.tsx';
import { Button } from '../../components/ui/button.tsx';
import { signInApi } from '../../lib/api.ts';
import { identityProviderQuery } from './identity-query.ts';

/**
 * Starts signing in with the identity provider, if one is configured.
 * @param props.inNewTab whether this page stays open
 */
export function ProviderSignIn({ inNewTab = false }: { inNewTab?: boolean }) {
  const { t } = useTranslation();
  const name = useQuery(identityProviderQuery).data?.name ?? null;
  const begin = useMutation({
    // Before the response is there, or the browser would refuse to open it.
    mutationFn: async (tab: Window | null) => {
      const { url } = await signInApi.post('/api/v1/user/oidc/begin').catch((error: unknown) => {
        tab?.close();
        throw error;
      });
      (tab ?? window).location.assign(url);
    },
  });
  if (name === null) return null;
  return (
    <>
      {begin.isError && <FailureAlert error={begin.error} />}
      <Button
        variant="outline"
        className="w-full"
        disabled={begin.isPending}
        onClick={() => begin.mutate(inNewTab ? window.open() : null)}
      >
        <KeyRound aria-hidden />
        {t('identity.signInWith', { name })}
      </Button>
    </>
  );
}
