import { useMutation, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Section } from '../../components/page.tsx';
import { Loaded } from '../../components/states/loaded.tsx';
import { Button } from '../../components/ui/button.tsx';
import { api } from '../../lib/api.ts';
import { notify } from '../../lib/notify.ts';
import { exactTime } from '../../lib/number-text.ts';
import { identityProviderQuery } from './identity-query.ts';

/** Links the account with an identity of the provider, if one is configured. */
export function IdentitySection({ hasPassword }: { hasPassword: boolean }) {
  const { t, i18n } = useTranslation();
  const name = useQuery(identityProviderQuery).data?.name ?? null;
  const link = useQuery({
    queryKey: ['identity-link'],
    queryFn: () => api.get('/api/v1/user/oidc/link'),
    enabled: name !== null,
  });
  const begin = useMutation({
    mutationFn: () => api.post('/api/v1/user/oidc/link/begin'),
    onSuccess: ({ url }) => window.location.assign(url),
    onError: notify.failed,
  });
  const unlink = useMutation({
    mutationFn: () => api.delete('/api/v1/user/oidc/link'),
    onSuccess: () => link.refetch(),
    onError: notify.failed,
  });
  if (name === null) return null;
  return (
    <Section title={t('identity.title')} text={t('identity.text', { name })}>
      <Loaded query={link} rows={1}>
        {({ linked_at: timestamp }) =>
          timestamp === null ? (
            <Button variant="outline" size="small" disabled={begin.isPending} onClick={() => begin.mutate()}>
              {t('identity.link', { name })}
            </Button>
          ) : (
            <>
              <p>{t('identity.linked', { date: exactTime(timestamp, i18n.language) })}</p>
              {hasPassword && (
                <Button
                  variant="outline"
                  size="small"
                  className="mt-3"
                  disabled={unlink.isPending}
                  onClick={() => unlink.mutate()}
                >
                  {t('identity.unlink')}
                </Button>
              )}
            </>
          )
        }
      </Loaded>
    </Section>
  );
}
