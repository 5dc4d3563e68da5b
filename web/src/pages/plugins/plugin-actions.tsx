import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Ellipsis, RotateCcw, Trash2, Upload } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { ActionMenu } from '../../components/ui/action-menu.tsx';
import { Button } from '../../components/ui/button.tsx';
import { api } from '../../lib/api.ts';
import { localized } from '../../lib/i18n.ts';
import { notify } from '../../lib/notify.ts';
import { useInstallation } from './installation.ts';
import { type Plugin, pathOf } from './plugin-queries.ts';
import { UninstallDialog } from './uninstall-dialog.tsx';

/** What an admin does with a plugin: update it, return to the version before, uninstall it. */
export function PluginActions({ plugin }: { plugin: Plugin }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [open, setOpen] = useState<'rollback' | 'uninstall' | null>(null);
  const { details, manifest } = plugin;
  const { id, previous } = details;
  const label = localized(manifest.label);
  const upgrade = useInstallation({
    installed: ({ version }) =>
      notify.done(t(version === manifest.version ? 'plugins.upToDate' : 'plugins.fetched', { version })),
  });
  const close = () => setOpen(null);
  return (
    <>
      <ActionMenu
        subject={label}
        trigger={
          <Button variant="outline" size="small" className="ml-2" disabled={upgrade.isPending}>
            <Ellipsis aria-hidden />
            {t('common.moreActions')}
          </Button>
        }
        actions={[
          {
            label: t('plugins.installVersion'),
            icon: Upload,
            onSelect: () => void navigate({ to: '/plugins/install' }),
          },
          ...(plugin.plugin.install_source === 'marketplace'
            ? [{ label: t('plugins.checkUpdate'), icon: Upload, onSelect: () => upgrade.start(() => startUpgrade(id)) }]
            : []),
          ...(previous === null
            ? []
            : [
                {
                  label: t('plugins.rollbackTo', { version: previous.version }),
                  icon: RotateCcw,
                  onSelect: () => setOpen('rollback'),
                },
              ]),
          {
            label: t('plugins.uninstall'),
            icon: Trash2,
            destructive: true,
            onSelect: () => setOpen('uninstall'),
          },
        ]}
      />
      {upgrade.failure !== null && (
        <p role="alert" className="w-full text-right text-sm break-words text-destructive">
          {upgrade.failure.text}
        </p>
      )}
      {open === 'rollback' && previous !== null && (
        <ConfirmDialog
          title={t('plugins.rollbackTo', { version: previous.version })}
          text={t('plugins.rollbackText', { from: manifest.version, to: previous.version })}
          confirm={t('plugins.rollback')}
          action={async () => {
            await api.post('/api/v1/plugins/{author}/{name}/rollback', { params: pathOf(id) });
            await queries.invalidateQueries({ queryKey: ['plugins'] });
          }}
          onClose={close}
        />
      )}
      {open === 'uninstall' && <UninstallDialog id={id} label={label} onClose={close} />}
    </>
  );
}

async function startUpgrade(id: string): Promise<number> {
  return (await api.post('/api/v1/plugins/{author}/{name}/upgrade', { params: pathOf(id) })).task_id;
}
