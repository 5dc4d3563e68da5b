import { Plus, Trash2 } from 'lucide-react';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { SecretControl } from '../../components/forms/controls.tsx';
import { Button } from '../../components/ui/button.tsx';

interface KeysFieldProps {
  /** Stored keys are masked; an unchanged mask keeps its key. */
  keys: readonly string[];
  onChange: (keys: string[]) => void;
  error?: string | undefined;
}

/** The API keys of a provider, one per line. Several can be pasted at once. */
export function KeysField({ keys, onChange, error }: KeysFieldProps) {
  const { t } = useTranslation();
  const id = useId();
  const shown = keys.length === 0 ? [''] : keys;
  const replace = (index: number, next: string[]) => onChange(shown.toSpliced(index, 1, ...next));
  return (
    <fieldset aria-describedby={error === undefined ? `${id}-help` : `${id}-error ${id}-help`} className="space-y-2">
      <legend className="mb-1.5 text-sm font-medium">
        {t('models.apiKeys')}
        <span className="ml-1.5 font-normal text-muted-foreground">({t('common.optional')})</span>
      </legend>
      {shown.map((key, index) => (
        <fieldset
          // biome-ignore lint/suspicious/noArrayIndexKey: keys have no other identity than their place
          key={index}
          aria-label={t('models.apiKey', { number: index + 1 })}
          className="flex items-center gap-1"
          onPaste={(event) => {
            const lines = linesOf(event.clipboardData.getData('text'));
            if (lines.length < 2) return;
            event.preventDefault();
            replace(index, key === '' ? lines : [key, ...lines]);
          }}
        >
          <label htmlFor={`${id}-${index}`} className="sr-only">
            {t('models.apiKey', { number: index + 1 })}
          </label>
          <div className="min-w-0 flex-1">
            <SecretControl
              id={`${id}-${index}`}
              value={key}
              describedBy={error === undefined ? undefined : `${id}-error`}
              isInvalid={error !== undefined}
              onChange={(next) => replace(index, [String(next)])}
            />
          </div>
          {keys.length > 0 && (
            <Button
              variant="ghost"
              size="icon"
              aria-label={t('models.removeKey', { number: index + 1 })}
              onClick={() => replace(index, [])}
            >
              <Trash2 />
            </Button>
          )}
        </fieldset>
      ))}
      {error !== undefined && (
        <p id={`${id}-error`} className="text-sm text-destructive">
          {error}
        </p>
      )}
      <p id={`${id}-help`} className="text-sm text-muted-foreground">
        {t('models.apiKeysHelp')}
      </p>
      <Button variant="outline" size="small" onClick={() => onChange([...shown, ''])}>
        <Plus aria-hidden />
        {t('models.addKey')}
      </Button>
    </fieldset>
  );
}

function linesOf(text: string): string[] {
  return text
    .split(/[\n,]/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
