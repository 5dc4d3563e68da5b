import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { LabelledCheckbox } from '../../components/ui/labelled-checkbox.tsx';
import { api } from '../../lib/api.ts';
import { failureOfRecord, failureOfTask } from '../../lib/failure.ts';
import { notify } from '../../lib/notify.ts';
import { taskEnd } from './installation.ts';
import { pathOf } from './plugin-queries.ts';

interface UninstallDialogProps {
  id: string;
  label: string;
  onClose: () => void;
}

/** Uninstalls a plugin, with or without its settings and stored data. What still uses it is named. */
export function UninstallDialog({ id, label, onClose }: UninstallDialogProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [withData, setWithData] = useState(false);
  const remove = async () => {
    const { task_id } = await api.delete('/api/v1/plugins/{author}/{name}', {
      params: { path: pathOf(id).path, query: { delete_data: String(withData) } },
    });
    // Leaves its page first, which would show that it does not exist.
    await navigate({ to: '/plugins', ignoreBlocker: true });
    queries.removeQueries({ queryKey: ['plugins', id] });
    const task = await taskEnd(task_id);
    await queries.invalidateQueries({ queryKey: ['plugins'] });
    const { exception } = task.runtime;
    if (exception === null) notify.done(t('plugins.uninstalled', { name: label }));
    else notify.warn(failureOfRecord({ error: exception, ...failureOfTask(task) }, t).text);
  };
  return (
    <ConfirmDialog
      title={t('plugins.uninstallTitle', { name: label })}
      text={t('plugins.uninstallText')}
      confirm={t('plugins.uninstall')}
      action={remove}
      onClose={onClose}
      {...(withData ? { name: label } : {})}
    >
      <LabelledCheckbox checked={withData} onChange={setWithData} help={t('plugins.deleteDataHelp')}>
        {t('plugins.deleteData')}
      </LabelledCheckbox>
    </ConfirmDialog>
  );
}
