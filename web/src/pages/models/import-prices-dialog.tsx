import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ChangeEvent, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FailureAlert } from '../../components/failure/failure-alert.tsx';
import { Alert } from '../../components/ui/alert.tsx';
import { Button } from '../../components/ui/button.tsx';
import { Dialog } from '../../components/ui/dialog.tsx';
import { Label } from '../../components/ui/label.tsx';
import { api } from '../../lib/api.ts';
import { faultText } from '../../lib/error-text.ts';
import { notify } from '../../lib/notify.ts';
import { faultsOf } from '../../lib/use-draft.ts';

/** Bytes that the server takes. */
const longestFile = 8_000_000;
const shownFaults = 5;

/** Imports a price list after it was shown what it changes. */
export function ImportPricesDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const field = useId();
  const [isTooLarge, setTooLarge] = useState(false);
  const send = (file: string, dry_run: boolean) =>
    api.post('/api/v1/provider/model-prices/import', { body: { file, dry_run } });
  const trial = useMutation({ mutationFn: async (file: string) => ({ file, changes: await send(file, true) }) });
  const apply = useMutation({
    mutationFn: (file: string) => send(file, false),
    onSuccess: ({ added, changed }) => {
      notify.done(t('models.pricesImported', { count: added + changed }));
      void queries.invalidateQueries({ queryKey: ['model-prices'] });
      onClose();
    },
  });
  const read = async ({ target }: ChangeEvent<HTMLInputElement>) => {
    const given = target.files?.[0];
    trial.reset();
    apply.reset();
    setTooLarge(given !== undefined && given.size > longestFile);
    if (given !== undefined && given.size <= longestFile) trial.mutate(await given.text());
  };
  const tried = trial.data;
  const count = tried === undefined ? 0 : tried.changes.added + tried.changes.changed;
  const faults = faultsOf(trial.error);
  return (
    <Dialog title={t('models.importPrices')} onClose={onClose}>
      <form
        className="mt-2 space-y-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (tried !== undefined && count > 0 && !apply.isPending) apply.mutate(tried.file);
        }}
      >
        <p className="text-pretty text-muted-foreground">{t('models.importPricesText')}</p>
        <div>
          <Label htmlFor={field}>{t('models.priceFile')}</Label>
          <input
            id={field}
            type="file"
            accept=".csv,.json,text/csv,application/json"
            className="mt-1.5 block w-full text-sm file:mr-3 file:h-9 file:cursor-pointer file:rounded-lg file:border file:bg-card file:px-3"
            onChange={(event) => void read(event)}
          />
        </div>
        {isTooLarge && <Alert>{t('models.priceFileTooLarge')}</Alert>}
        {faults.length > 0 ? (
          <Alert>
            <ul className="space-y-1 break-words">
              {faults.slice(0, shownFaults).map((fault) => (
                <li key={fault.path}>{`${entryOf(fault.path)}${faultText(fault, t)}`}</li>
              ))}
            </ul>
            {faults.length > shownFaults && <p>{t('models.moreFaults', { count: faults.length - shownFaults })}</p>}
          </Alert>
        ) : (
          trial.isError && <FailureAlert error={trial.error} />
        )}
        {apply.isError && <FailureAlert error={apply.error} />}
        <p role="status" className="text-sm empty:hidden">
          {tried !== undefined && t('models.importChanges', { ...tried.changes })}
        </p>
        <div className="flex justify-end gap-2 pt-2">
          <Button variant="outline" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button type="submit" disabled={count === 0 || apply.isPending}>
            {t('models.importNow')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** The place of an error in the file, for humans: `file[0]` is the first entry. */
function entryOf(path: string): string {
  const index = /^file\[(\d+)\]$/.exec(path)?.[1];
  if (index !== undefined) return `#${Number(index) + 1}: `;
  return path.startsWith('file.') ? `${path.slice('file.'.length)}: ` : '';
}
