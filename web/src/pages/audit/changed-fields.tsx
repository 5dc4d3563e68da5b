import type { components } from '@parley/client';
import { useTranslation } from 'react-i18next';
import { fieldChanges } from './field-changes.ts';
import { useFieldLabel } from './field-labels.ts';

/** The changes of an entry: each field with its old and new value. Secrets are masked by the server. */
export function ChangedFields({ entry }: { entry: components['schemas']['AuditEntry'] }) {
  const { t } = useTranslation();
  const labelOf = useFieldLabel(new Set([entry.record_kind]));
  const changes = fieldChanges(entry.before, entry.after, entry.changed);
  if (changes.length === 0) return <p className="mt-4 text-sm text-muted-foreground">{t('audit.noFields')}</p>;
  return (
    <ul aria-label={t('audit.fields')} className="mt-4 divide-y rounded-xl border text-sm">
      {changes.map(({ path, before, after }) => (
        <li key={path} className="space-y-1.5 px-3 py-2.5">
          <FieldName label={labelOf(entry, path)} path={path} />
          {before !== undefined && <Value sign="−" word={t('audit.before')} text={before} tone="old" />}
          {after !== undefined && <Value sign="+" word={t('audit.after')} text={after} tone="new" />}
        </li>
      ))}
    </ul>
  );
}

/** The label of a field, with its name in the API on hover; only the name if there is no label. */
function FieldName({ label, path }: { label: string | null; path: string }) {
  if (label === null) return <p className="font-mono text-xs font-medium break-all">{path}</p>;
  return (
    <p className="font-medium break-words" title={path}>
      {label}
    </p>
  );
}

interface ValueProps {
  sign: string;
  word: string;
  text: string;
  tone: 'old' | 'new';
}

function Value({ sign, word, text, tone }: ValueProps) {
  return (
    <div
      className={`flex gap-2 rounded-lg px-2 py-1 ${tone === 'old' ? 'bg-destructive-soft text-destructive' : 'bg-good-soft text-good'}`}
    >
      <span aria-hidden className="font-mono select-none">
        {sign}
      </span>
      <span className="sr-only">{`${word}: `}</span>
      <span className="max-h-60 min-w-0 flex-1 overflow-y-auto font-mono text-xs leading-5 break-words whitespace-pre-wrap">
        {text}
      </span>
    </div>
  );
}
