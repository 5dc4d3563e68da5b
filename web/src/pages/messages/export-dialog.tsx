import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FailureAlert } from '../../components/failure/failure-alert.tsx';
import { rangeSearch } from '../../components/time-range/time-range.ts';
import { TimeRangeSelect } from '../../components/time-range/time-range-select.tsx';
import { Button } from '../../components/ui/button.tsx';
import { Dialog } from '../../components/ui/dialog.tsx';
import { Label } from '../../components/ui/label.tsx';
import { SegmentedControl } from '../../components/ui/segmented-control.tsx';
import { Select } from '../../components/ui/select.tsx';
import { saveFile } from '../../lib/save-file.ts';
import { recordQuery } from './message-queries.ts';
import type { MessagesSearch } from './messages-search.ts';
import { useBotNames } from './use-names.ts';

const kinds = ['messages', 'sessions', 'errors', 'feedback', 'llm-calls', 'tool-calls', 'embedding-calls'] as const;
type Kind = (typeof kinds)[number];
const kindOfTab: Record<NonNullable<MessagesSearch['tab']>, Kind> = {
  messages: 'messages',
  conversations: 'sessions',
  errors: 'errors',
  feedback: 'feedback',
};

/** Exports records, by default with the current filters. */
export function ExportDialog({ search, onClose }: { search: MessagesSearch; onClose: () => void }) {
  const { t } = useTranslation();
  const { bots } = useBotNames();
  const [kind, setKind] = useState<Kind>(kindOfTab[search.tab ?? 'messages']);
  const [format, setFormat] = useState<'csv' | 'json'>('csv');
  const [wanted, setWanted] = useState<MessagesSearch>(() => {
    const { bot, pipeline } = search;
    return {
      ...(bot !== undefined && { bot }),
      ...(pipeline !== undefined && { pipeline }),
      ...rangeSearch({ ...search }),
    };
  });
  const field = useId();
  const save = useMutation({
    mutationFn: () => {
      const query = new URLSearchParams({ type: kind, format, ...recordQuery(wanted) });
      const extension = format === 'csv' ? 'csv' : 'ndjson';
      return saveFile(`/api/v1/monitoring/export?${query}`, `parley-${kind}.${extension}`);
    },
    onSuccess: onClose,
  });

  return (
    <Dialog title={t('messages.export.title')} onClose={onClose}>
      <form
        className="mt-4 space-y-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (!save.isPending) save.mutate();
        }}
      >
        {save.isError && <FailureAlert error={save.error} />}
        <div className="space-y-2">
          <Label htmlFor={`${field}-kind`}>{t('messages.export.kind')}</Label>
          <Select id={`${field}-kind`} value={kind} onChange={(event) => setKind(event.target.value as Kind)}>
            {kinds.map((one) => (
              <option key={one} value={one}>
                {t(`messages.export.kinds.${one}`)}
              </option>
            ))}
          </Select>
        </div>
        <div className="space-y-2">
          <Label htmlFor={`${field}-bot`}>{t('messages.bot')}</Label>
          <Select
            id={`${field}-bot`}
            value={wanted.bot ?? ''}
            onChange={({ target }) => {
              const { bot: _, ...rest } = wanted;
              setWanted(target.value === '' ? rest : { ...rest, bot: target.value });
            }}
          >
            <option value="">{t('messages.export.allBots')}</option>
            {bots.map(({ uuid, name }) => (
              <option key={uuid} value={uuid}>
                {name}
              </option>
            ))}
          </Select>
        </div>
        <div className="space-y-2">
          <p className="text-sm font-medium">{t('messages.time')}</p>
          <TimeRangeSelect
            all
            value={wanted}
            onChange={(next) => {
              const { range: _, from: __, to: ___, ...rest } = wanted;
              setWanted({ ...rest, ...rangeSearch({ ...next }) });
            }}
          />
        </div>
        <SegmentedControl
          label={t('messages.export.format')}
          value={format}
          onChange={setFormat}
          options={[
            { value: 'csv', label: t('messages.export.csv') },
            { value: 'json', label: t('messages.export.json') },
          ]}
        />
        <p className="text-sm text-pretty text-muted-foreground">{t('messages.export.text')}</p>
        <div className="flex flex-wrap items-center justify-end gap-2 pt-2">
          <span role="status" className="mr-auto text-sm text-muted-foreground">
            {save.isPending && t('messages.export.running')}
          </span>
          <Button variant="outline" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button type="submit" disabled={save.isPending}>
            <Download aria-hidden />
            {t('common.download')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
