import { useTranslation } from 'react-i18next';
import type { Ability } from './model-queries.ts';

const all: readonly Ability[] = ['func_call', 'vision'];

interface AbilitiesFieldProps {
  abilities: readonly string[];
  onChange: (abilities: Ability[]) => void;
}

/** The abilities of a language model. */
export function AbilitiesField({ abilities, onChange }: AbilitiesFieldProps) {
  const { t } = useTranslation();
  return (
    <fieldset>
      <legend className="mb-1.5 text-sm font-medium">{t('models.abilities')}</legend>
      <div className="flex flex-wrap gap-x-6 gap-y-2">
        {all.map((ability) => (
          <label key={ability} className="flex min-h-6 items-center gap-2.5">
            <input
              type="checkbox"
              className="size-4.5 accent-primary"
              checked={abilities.includes(ability)}
              onChange={({ target: { checked } }) =>
                onChange(all.filter((one) => (one === ability ? checked : abilities.includes(one))))
              }
            />
            {t(`models.abilityNames.${ability}`)}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
