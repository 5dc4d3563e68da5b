import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Button } from '../../components/ui/button.tsx';
import { useIsAdmin } from '../../lib/account.ts';
import { api } from '../../lib/api.ts';
import { failureOfRequest } from '../../lib/failure.ts';
import { localized } from '../../lib/i18n.ts';
import { notify } from '../../lib/notify.ts';
import { namesIn } from './contribution-words.ts';
import { PackageFacts } from './package-facts.tsx';
import { PackageFailure } from './package-failure.tsx';
import { type Plugin, pathOf } from './plugin-queries.ts';

/** What an installed version, or an update that waits, asks for; an admin consents to it here. */
export function ConsentTab({ plugin }: { plugin: Plugin }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const isAdmin = useIsAdmin();
  const { details } = plugin;
  const { id, installed, update, expected_signer } = details;
  const version = update ?? installed;
  const manifest = plugin.updateManifest ?? plugin.manifest;
  const params = pathOf(id);
  const refresh = () => queries.invalidateQueries({ queryKey: ['plugins'] });
  const consent = useMutation({
    mutationFn: (enable: boolean | undefined) =>
      api.post('/api/v1/plugins/{author}/{name}/consent', {
        params,
        body: { digest: version.digest, ...(enable === undefined ? {} : { enable }) },
      }),
    onSuccess: async () => {
      notify.done(t(update === null ? 'plugins.consented' : 'plugins.updated', { version: version.version }));
      await refresh();
    },
  });
  const discard = useMutation({
    mutationFn: () => api.delete('/api/v1/plugins/{author}/{name}/update', { params }),
    onSuccess: refresh,
  });
  const isPending = consent.isPending || discard.isPending;
  const error = consent.error ?? discard.error;
  return (
    <div className="max-w-3xl">
      <p className="mb-6 text-pretty">
        {update === null
          ? t('plugins.consentText')
          : t('plugins.updateText', { from: installed.version, to: update.version })}
      </p>
      <PackageFacts
        manifest={manifest}
        permissions={version.permissions}
        contributions={namesIn(manifest)}
        signer={version.signer}
        expected={update === null ? undefined : expected_signer}
        differences={update?.differences ?? null}
      />
      {isAdmin && (
        <div className="mt-8 space-y-4 border-t pt-5">
          {error !== null && (
            <PackageFailure
              failure={failureOfRequest(error, t)}
              title={t('plugins.notStarted', { name: localized(manifest.label), version: version.version })}
            >
              {update !== null && t('plugins.staysAt', { version: installed.version })}
            </PackageFailure>
          )}
          <div className="flex flex-wrap items-center gap-2">
            {update === null ? (
              <>
                <Button disabled={isPending} onClick={() => consent.mutate(true)}>
                  {t('plugins.consentAndEnable')}
                </Button>
                <Button variant="outline" disabled={isPending} onClick={() => consent.mutate(false)}>
                  {t('plugins.consentOnly')}
                </Button>
              </>
            ) : (
              <>
                <Button disabled={isPending} onClick={() => consent.mutate(undefined)}>
                  {t('plugins.consentAndUpdate')}
                </Button>
                <Button variant="outline" disabled={isPending} onClick={() => discard.mutate()}>
                  {t('plugins.discardUpdate')}
                </Button>
              </>
            )}
            <span role="status" className="text-sm text-muted-foreground">
              {consent.isPending && t('plugins.starting')}
            </span>
          </div>
        </div>
      )}
    </div>
  );
}
