import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { FailureAlert } from '../../components/failure/failure-alert.tsx';
import { FullPage } from '../../components/full-page.tsx';
import { api } from '../../lib/api.ts';
import { session } from '../../lib/session.ts';
import { FormLink } from './account-fields.tsx';
import { providerAnswer } from './provider-answer.ts';

/** The redirect target of the identity provider: signs in, or links the signed-in account. */
export function ProviderReturnPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const isTaken = useRef(false);
  const isLinking = useRef(session.current() !== null).current;
  const { mutate, error } = useMutation({
    mutationFn: async () => {
      const body = { query: providerAnswer };
      if (isLinking) return void (await api.post('/api/v1/user/oidc/link', { body }));
      await api.post('/api/v1/user/oidc/sign-in', { body });
      session.begin();
    },
    onSuccess: () => navigate({ to: isLinking ? '/account' : '/', replace: true }),
  });
  useEffect(() => {
    // The response is valid once, and is removed from the address bar.
    if (isTaken.current) return;
    isTaken.current = true;
    window.history.replaceState(window.history.state, '', window.location.pathname);
    mutate();
  }, [mutate]);
  return (
    <FullPage title={t('signIn.title')}>
      {error === null ? (
        <p role="status" className="text-center text-muted-foreground">
          {t('common.loading')}
        </p>
      ) : (
        <div className="space-y-5">
          <FailureAlert error={error} />
          <FormLink to={isLinking ? '/account' : '/sign-in'}>{t(isLinking ? 'common.back' : 'reset.back')}</FormLink>
        </div>
      )}
    </FullPage>
  );
}
