import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../components/ui/button.tsx';
import { Input } from '../../components/ui/input.tsx';
import { Label } from '../../components/ui/label.tsx';
import { api } from '../../lib/api.ts';
import { useKeptInput } from '../../lib/kept-drafts.ts';
import { type Installed, useInstallation } from './installation.ts';
import { PackageFailure } from './package-failure.tsx';

/** Installs a plugin of the operator's catalogue, without consent: its page asks for that. */
export function CatalogueForm({ onInstalled }: { onInstalled: (outcome: Installed) => unknown }) {
  const { t } = useTranslation();
  const id = useId();
  const input = useKeptInput('plugin-from-catalogue', () => ({ plugin: '', version: '' }));
  const { plugin, version } = input.value;
  const { start, isPending, failure } = useInstallation({
    installed: (outcome) => {
      input.forget();
      return onInstalled(outcome);
    },
  });
  const [author = '', name = ''] = plugin.trim().split('/');
  const isComplete = author !== '' && name !== '';
  return (
    <form
      noValidate
      className="space-y-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isComplete || isPending) return;
        start(async () => {
          const body = { plugin_author: author, plugin_name: name, plugin_version: version.trim() };
          return (await api.post('/api/v1/plugins/install/marketplace', { body })).task_id;
        });
      }}
    >
      <div className="flex flex-wrap items-end gap-2">
        <div className="min-w-0 flex-1 basis-60 space-y-1.5">
          <Label htmlFor={id}>{t('plugins.catalogue.plugin')}</Label>
          <Input
            id={id}
            placeholder={t('plugins.catalogue.example')}
            spellCheck={false}
            value={plugin}
            onChange={(event) => input.change({ plugin: event.target.value, version })}
          />
        </div>
        <div className="w-40 space-y-1.5">
          <Label htmlFor={`${id}-version`}>{t('plugins.catalogue.version')}</Label>
          <Input
            id={`${id}-version`}
            placeholder={t('plugins.catalogue.newest')}
            value={version}
            onChange={(event) => input.change({ plugin, version: event.target.value })}
          />
        </div>
        <Button type="submit" variant="outline" disabled={!isComplete || isPending}>
          {t(isPending ? 'plugins.installing' : 'plugins.installForReview')}
        </Button>
      </div>
      {failure !== null && <PackageFailure failure={failure} title={t('plugins.installFailed')} />}
    </form>
  );
}
