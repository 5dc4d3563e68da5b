import { Plus, Trash2 } from 'lucide-react';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { SecretControl } from '../../components/forms/controls.tsx';
import { Button } from '../../components/ui/button.tsx';
import { Input } from '../../components/ui/input.tsx';
import type { Pair } from './server-entry.ts';

interface PairsFieldProps {
  label: string;
  help: string;
  pairs: readonly Pair[];
  onChange: (pairs: Pair[]) => void;
  error?: string | undefined;
}

/** Names with secret values: stored values are masked and unchanged unless a new one is typed. */
export function PairsField({ label, help, pairs, onChange, error }: PairsFieldProps) {
  const { t } = useTranslation();
  const id = useId();
  const replace = (index: number, next: Pair[]) => onChange(pairs.toSpliced(index, 1, ...next));
  return (
    <fieldset aria-describedby={error === undefined ? `${id}-help` : `${id}-error ${id}-help`} className="space-y-2">
      <legend className="mb-1.5 text-sm font-medium">
        {label}
        <span className="ml-1.5 font-normal text-muted-foreground">({t('common.optional')})</span>
      </legend>
      {pairs.map((pair, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other identity than their place
        <div key={index} className="flex items-start gap-2">
          <div className="grid min-w-0 flex-1 gap-2 sm:grid-cols-2">
            <Input
              aria-label={t('tools.pairName', { number: index + 1 })}
              className="font-mono text-sm"
              autoComplete="off"
              spellCheck={false}
              value={pair.name}
              onChange={(event) => replace(index, [{ ...pair, name: event.target.value }])}
            />
            <div>
              <label htmlFor={`${id}-${index}`} className="sr-only">
                {t('tools.pairValue', { number: index + 1 })}
              </label>
              <SecretControl
                id={`${id}-${index}`}
                value={pair.value}
                describedBy={error === undefined ? undefined : `${id}-error`}
                isInvalid={error !== undefined}
                onChange={(value) => replace(index, [{ ...pair, value: String(value) }])}
              />
            </div>
          </div>
          <Button
            variant="ghost"
            size="icon"
            aria-label={t('tools.removePair', { number: index + 1 })}
            onClick={() => replace(index, [])}
          >
            <Trash2 />
          </Button>
        </div>
      ))}
      {error !== undefined && (
        <p id={`${id}-error`} className="text-sm text-destructive">
          {error}
        </p>
      )}
      <p id={`${id}-help`} className="text-sm text-muted-foreground">
        {help}
      </p>
      <Button variant="outline" size="small" onClick={() => onChange([...pairs, { name: '', value: '' }])}>
        <Plus aria-hidden />
        {t('tools.addPair')}
      </Button>
    </fieldset>
  );
}
