import { CirclePause, CirclePlay, type LucideIcon, RotateCcw, Trash2, X } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { problemText, reasonText } from '../../lib/error-text.ts';
import { notify } from '../../lib/notify.ts';
import { ConfirmDialog } from '../confirm-dialog.tsx';
import { Alert } from '../ui/alert.tsx';
import { Button } from '../ui/button.tsx';
import { type BulkAction, type BulkAnswer, type BulkFailure, type BulkTargets, changeMany } from './bulk-change.ts';
import { ExportMenu } from './export-menu.tsx';
import { noSelection, type Selection } from './selection.ts';
import { useDeletion } from './use-deletion.ts';

export interface BulkOptions<Id extends string | number, Filter extends object> {
  actions: readonly BulkAction[];
  /** Makes one request, see {@link changeMany}. */
  send: (
    request: { action: BulkAction } & BulkTargets<Id, Filter> & { after?: Id },
    keepalive: boolean,
  ) => Promise<BulkAnswer<Id>>;
  /** Reads again what shows the records. */
  refresh: () => Promise<unknown>;
  /** Deletions of few are confirmed as well, since they take effect at once or take much with them. */
  alwaysAsks?: boolean;
  /** What is lost with a deletion. */
  deleteText?: string;
}

interface BulkBarProps<Id extends string | number, Filter extends object> extends BulkOptions<Id, Filter> {
  selection: Exclude<Selection<Id>, { kind: 'none' }>;
  onSelect: (selection: Selection<Id>) => void;
  /** Matches on all pages. */
  total: number;
  /** On this page. */
  rows: readonly { id: Id; name: string }[];
  filter: Filter;
  noun: string;
  exported: { path: string; file: string };
}

const icons: Record<BulkAction, LucideIcon> = {
  enable: CirclePlay,
  disable: CirclePause,
  retry: RotateCcw,
  delete: Trash2,
};

/** Records whose deletion can be undone instead of being confirmed, at most. */
const fewRecords = 10;
/** Ids in the address of an export, at most. */
const exportedIds = 100;
/** Failures that are listed. */
const shownFailures = 10;

/** What can be done with the selected records. */
export function BulkBar<Id extends string | number, Filter extends object>(properties: BulkBarProps<Id, Filter>) {
  const { selection, onSelect, total, rows, filter, noun, exported, actions, send, refresh } = properties;
  const { alwaysAsks = false, deleteText } = properties;
  const { t } = useTranslation();
  const remove = useDeletion();
  const [done, setDone] = useState<number | null>(null);
  const [failures, setFailures] = useState<BulkFailure<Id>[]>([]);
  const [isAsking, setAsking] = useState(false);
  const count = selection.kind === 'all' ? total : selection.ids.size;
  const ids = selection.kind === 'all' ? null : [...selection.ids];
  const targets: BulkTargets<Id, Filter> = ids === null ? { matching: filter } : { ids };
  const isPageOnly =
    ids !== null && rows.length < total && rows.every(({ id }) => selection.kind === 'some' && selection.ids.has(id));

  const run = async (action: BulkAction) => {
    setDone(0);
    setFailures([]);
    const {
      changed,
      failures: failed,
      error,
    } = await changeMany(targets, (request) => send({ action, ...request }, false), setDone);
    setFailures(failed);
    if (error === null) {
      // The filter may not match them any more.
      const left = new Set<Id>(failed.map(({ id }) => id));
      if (action !== 'delete') for (const id of ids ?? changed) left.add(id);
      onSelect(left.size === 0 ? noSelection : { kind: 'some', ids: left });
    } else {
      notify.failed(error);
    }
    if (error === null || changed.length > 0) {
      notify.done(t(`lists.outcomes.${action}`, { count: changed.length }));
    }
    setDone(null);
    await refresh();
  };

  const removeFew = (few: Id[]) => {
    const [only] = few.length === 1 ? rows.filter(({ id }) => id === few[0]) : [];
    remove({
      keys: few.map((id) => `${noun}/${id}`),
      text:
        only === undefined
          ? t('lists.outcomes.delete', { count: few.length })
          : t('common.deleted', { name: only.name }),
      send: async (keepalive) => {
        const { failures: failed } = await send({ action: 'delete', ids: few }, keepalive);
        const [first] = failed;
        if (first !== undefined) notify.warn(failureText(first));
      },
      refresh,
    });
    onSelect(noSelection);
  };
  const failureText = ({ id, name, reason, message, problem }: BulkFailure<Id>) =>
    `${name === '' ? id : name}: ${problemText(problem, t) ?? reasonText(reason, t) ?? message}`;

  const start = (action: BulkAction) => {
    if (action !== 'delete') void run(action);
    else if (ids !== null && ids.length <= fewRecords && !alwaysAsks) removeFew(ids);
    else setAsking(true);
  };

  return (
    <>
      <p role="status" className="font-medium">
        {done === null ? t('lists.selected', { count }) : t('lists.running', { done, count })}
      </p>
      {isPageOnly && done === null && (
        <Button variant="ghost" size="small" className="text-primary" onClick={() => onSelect({ kind: 'all' })}>
          {t('lists.selectAll', { count: total })}
        </Button>
      )}
      <div className="flex flex-wrap items-center gap-2 md:ml-auto">
        {actions.map((action) => {
          const Icon = icons[action];
          return (
            <Button
              key={action}
              variant="outline"
              size="small"
              className={action === 'delete' ? 'text-destructive' : ''}
              disabled={done !== null}
              onClick={() => start(action)}
            >
              <Icon aria-hidden />
              {action === 'delete'
                ? t('common.delete')
                : action === 'retry'
                  ? t('common.retry')
                  : t(`lists.actions.${action}`)}
            </Button>
          );
        })}
        {(ids === null || ids.length <= exportedIds) && (
          <ExportMenu {...exported} query={ids === null ? filter : { ids: ids.join(',') }} />
        )}
        <Button
          variant="ghost"
          size="icon"
          className="size-8"
          aria-label={t('lists.deselect')}
          title={t('lists.deselect')}
          disabled={done !== null}
          onClick={() => onSelect(noSelection)}
        >
          <X aria-hidden />
        </Button>
      </div>
      {failures.length > 0 && (
        <Alert className="basis-full" dismiss={{ label: t('common.close'), onDismiss: () => setFailures([]) }}>
          <p className="font-medium">{t('lists.failed', { count: failures.length })}</p>
          <ul className="mt-1 list-disc pl-5">
            {failures.slice(0, shownFailures).map((failure) => (
              <li key={failure.id} className="break-words">
                {failureText(failure)}
              </li>
            ))}
            {failures.length > shownFailures && (
              <li>{t('lists.moreFailures', { count: failures.length - shownFailures })}</li>
            )}
          </ul>
        </Alert>
      )}
      {isAsking && (
        <ConfirmDialog
          title={t('lists.deleteTitle', { count })}
          text={deleteText ?? t('lists.deleteText')}
          confirm={t('lists.deleteConfirm', { count })}
          {...(count > fewRecords && { name: String(count) })}
          // The dialog closes, and the bar shows the progress.
          action={async () => void run('delete')}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}
