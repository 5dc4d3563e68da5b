import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../components/ui/button.tsx';
import { Dialog } from '../../components/ui/dialog.tsx';
import { classNames } from '../../lib/class-names.ts';
import { lineChanges } from './differences.ts';
import type { PipelineContent } from './pipeline-content.ts';
import type { FormTab } from './pipeline-fields.ts';
import { type Change, useChanges } from './use-changes.ts';

interface ChangesDialogProps {
  form: readonly FormTab[];
  before: PipelineContent;
  after: PipelineContent;
  /** What is compared. */
  text: string;
  /** Actions beside closing. */
  children?: ReactNode;
  onClose: () => void;
}

/** Two states of a pipeline, field by field. */
export function ChangesDialog({ form, before, after, text, children, onClose }: ChangesDialogProps) {
  const { t } = useTranslation();
  const changes = useChanges(form, before, after);
  return (
    <Dialog title={t('pipelines.changes', { count: changes.length })} width="wide" onClose={onClose}>
      <p className="mt-1 text-muted-foreground">{changes.length === 0 ? t('pipelines.noChanges') : text}</p>
      <ul className="mt-4 space-y-5">
        {changes.map((change) => (
          <li key={change.path}>
            <h3 className="text-sm font-medium break-words">{change.label}</h3>
            {change.place !== '' && <p className="text-xs break-words text-muted-foreground">{change.place}</p>}
            <Values change={change} />
          </li>
        ))}
      </ul>
      <div className="mt-6 flex flex-wrap justify-end gap-2">
        <Button variant="outline" onClick={onClose}>
          {t('common.close')}
        </Button>
        {children}
      </div>
    </Dialog>
  );
}

const looks = {
  same: { mark: ' ', colour: 'text-muted-foreground' },
  removed: { mark: '−', colour: 'bg-destructive-soft text-destructive' },
  added: { mark: '+', colour: 'bg-good-soft text-good' },
};

function Values({ change }: { change: Change }) {
  const { t } = useTranslation();
  const words = { same: '', removed: `${t('pipelines.before')}: `, added: `${t('pipelines.after')}: ` };
  return (
    <div className="mt-1.5 overflow-hidden rounded-lg border text-sm">
      {lineChanges(change.before, change.after).map(({ kind, text }, index) => (
        <p
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other identity than their place
          key={index}
          className={classNames('flex gap-2 px-3 py-1', looks[kind].colour)}
        >
          <span aria-hidden className="w-3 shrink-0 font-mono">
            {looks[kind].mark}
          </span>
          <span className="sr-only">{words[kind]}</span>
          <span className="min-w-0 break-words whitespace-pre-wrap">{text}</span>
        </p>
      ))}
    </div>
  );
}
