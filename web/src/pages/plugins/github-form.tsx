import { useMutation } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FailureAlert } from '../../components/failure/failure-alert.tsx';
import { Button } from '../../components/ui/button.tsx';
import { Input } from '../../components/ui/input.tsx';
import { Label } from '../../components/ui/label.tsx';
import { Select } from '../../components/ui/select.tsx';
import { api } from '../../lib/api.ts';
import { useKeptInput } from '../../lib/kept-drafts.ts';
import { type Installed, useInstallation } from './installation.ts';
import { PackageFailure } from './package-failure.tsx';

/** Installs a file of a release at GitHub, without consent: its page asks for that. */
export function GithubForm({ onInstalled }: { onInstalled: (outcome: Installed) => unknown }) {
  const { t } = useTranslation();
  const id = useId();
  const input = useKeptInput('plugin-from-github', () => ({ repository: '' }));
  const [release, setRelease] = useState('');
  const [asset, setAsset] = useState('');
  const releases = useMutation({
    mutationFn: (repo_url: string) => api.post('/api/v1/plugins/github/releases', { body: { repo_url } }),
    onSuccess: ({ releases: [newest] }) => {
      if (newest !== undefined) chooseRelease(String(newest.id));
    },
  });
  const assets = useMutation({
    mutationFn: (release_id: string) => {
      const { owner = '', repo = '' } = releases.data ?? {};
      return api.post('/api/v1/plugins/github/release-assets', { body: { owner, repo, release_id } });
    },
    onSuccess: ({ assets: files }) =>
      setAsset((files.find(({ name }) => /\.(zip|lbpkg)$/.test(name)) ?? files[0])?.download_url ?? ''),
  });
  const chooseRelease = (chosen: string) => {
    setRelease(chosen);
    setAsset('');
    assets.mutate(chosen);
  };
  const { start, isPending, failure } = useInstallation({
    installed: (outcome) => {
      input.forget();
      return onInstalled(outcome);
    },
  });
  const install = () =>
    start(async () => {
      const { owner = '', repo = '', releases: known = [] } = releases.data ?? {};
      const release_tag = known.find((one) => String(one.id) === release)?.tag_name ?? '';
      const body = { asset_url: asset, owner, repo, release_tag };
      return (await api.post('/api/v1/plugins/install/github', { body })).task_id;
    });
  return (
    <form
      noValidate
      className="space-y-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (input.value.repository.trim() !== '' && !releases.isPending) releases.mutate(input.value.repository.trim());
      }}
    >
      <div className="flex flex-wrap items-end gap-2">
        <div className="min-w-0 flex-1 basis-72 space-y-1.5">
          <Label htmlFor={id}>{t('plugins.github.repository')}</Label>
          <Input
            id={id}
            type="url"
            placeholder={t('plugins.github.example')}
            value={input.value.repository}
            onChange={(event) => input.change({ repository: event.target.value })}
          />
        </div>
        <Button type="submit" variant="outline" disabled={input.value.repository.trim() === '' || releases.isPending}>
          {t('plugins.github.find')}
        </Button>
      </div>
      {releases.isError && <FailureAlert error={releases.error} />}
      {releases.isSuccess && releases.data.releases.length === 0 && (
        <p className="text-sm text-muted-foreground">{t('plugins.github.noReleases')}</p>
      )}
      {releases.isSuccess && releases.data.releases.length > 0 && (
        <div className="grid gap-4 sm:grid-cols-2">
          <div className="space-y-1.5">
            <Label htmlFor={`${id}-release`}>{t('plugins.github.release')}</Label>
            <Select id={`${id}-release`} value={release} onChange={(event) => chooseRelease(event.target.value)}>
              {releases.data.releases.map((one) => (
                <option key={one.id} value={String(one.id)}>
                  {one.name || one.tag_name}
                </option>
              ))}
            </Select>
          </div>
          <div className="space-y-1.5">
            <Label htmlFor={`${id}-asset`}>{t('plugins.github.file')}</Label>
            <Select id={`${id}-asset`} value={asset} onChange={(event) => setAsset(event.target.value)}>
              {(assets.data?.assets ?? []).map((one) => (
                <option key={one.download_url} value={one.download_url}>
                  {one.name}
                </option>
              ))}
            </Select>
          </div>
        </div>
      )}
      {assets.isError && <FailureAlert error={assets.error} />}
      {failure !== null && <PackageFailure failure={failure} title={t('plugins.installFailed')} />}
      {asset !== '' && (
        <Button disabled={isPending} onClick={install}>
          {t(isPending ? 'plugins.installing' : 'plugins.installForReview')}
        </Button>
      )}
    </form>
  );
}
