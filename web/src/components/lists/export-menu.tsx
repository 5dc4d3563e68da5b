import { Download } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { notify } from '../../lib/notify.ts';
import { saveFile } from '../../lib/save-file.ts';
import { ActionMenu } from '../ui/action-menu.tsx';
import { Button } from '../ui/button.tsx';

interface ExportMenuProps {
  /** Of the route. */
  path: string;
  /** Of the file, without its extension. */
  file: string;
  query: object;
}

/** Downloads what matches, as a table. */
export function ExportMenu({ path, file, query }: ExportMenuProps) {
  const { t } = useTranslation();
  const save = (format: 'csv' | 'json') => {
    const given = Object.entries({ ...query, format }).filter(([, value]) => value !== undefined);
    const parameters = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
    const name = `${file}.${format === 'csv' ? 'csv' : 'ndjson'}`;
    saveFile(`${path}?${parameters}`, name).catch(notify.failed);
  };
  return (
    <ActionMenu
      subject={t('lists.export')}
      trigger={
        <Button variant="outline" size="small">
          <Download aria-hidden />
          {t('lists.export')}
        </Button>
      }
      actions={[
        { label: t('lists.exportCsv'), icon: Download, onSelect: () => save('csv') },
        { label: t('lists.exportJson'), icon: Download, onSelect: () => save('json') },
      ]}
    />
  );
}
