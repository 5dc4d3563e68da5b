import { useTranslation } from 'react-i18next';
import { Input } from '../../components/ui/input.tsx';
import { priceOf } from './price-of.ts';

interface PriceInputProps {
  label: string;
  value: string;
  autoFocus?: boolean;
  onChange: (value: string) => void;
  onEnter: () => void;
  onEscape: () => void;
}

/** Edits a price in a table. Enter saves, Escape cancels. */
export function PriceInput({ label, value, autoFocus = false, onChange, onEnter, onEscape }: PriceInputProps) {
  const { t } = useTranslation();
  const isInvalid = priceOf(value) === null;
  return (
    <Input
      aria-label={label}
      aria-invalid={isInvalid || undefined}
      title={isInvalid ? t('models.invalidPrice') : undefined}
      className="ml-auto h-9 w-28 text-right"
      inputMode="decimal"
      autoComplete="off"
      // The menu that opened this first returns the focus to its button.
      ref={(input) => {
        if (input === null || !autoFocus || input.dataset.focused !== undefined) return;
        input.dataset.focused = '';
        setTimeout(() => input.select());
      }}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') onEnter();
        if (event.key === 'Escape') onEscape();
      }}
    />
  );
}
