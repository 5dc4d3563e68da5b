import { Plus, Trash2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from '../ui/button.tsx';
import type { ControlProps } from './control-props.ts';
import { ModelSelect } from './record-controls.tsx';

interface ModelChoice {
  primary: string;
  fallbacks: string[];
}

/** A model and its fallbacks, in order. */
export function ModelFallbackControl({ id, value, onChange, describedBy, isInvalid }: ControlProps) {
  const { t } = useTranslation();
  const { primary = '', fallbacks = [] } = (
    typeof value === 'string' ? { primary: value } : (value ?? {})
  ) as Partial<ModelChoice>;
  const change = (part: Partial<ModelChoice>) => onChange({ primary, fallbacks, ...part });
  return (
    <div className="max-w-md space-y-2">
      <ModelSelect
        id={id}
        kind="llm"
        value={primary}
        describedBy={describedBy}
        isInvalid={isInvalid}
        onChange={(uuid) => change({ primary: uuid })}
      />
      {fallbacks.map((uuid, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: models have no other identity than their place
        <div key={index} className="flex items-center gap-1">
          <ModelSelect
            kind="llm"
            label={t('forms.fallback', { number: index + 1 })}
            value={uuid}
            onChange={(next) => change({ fallbacks: fallbacks.map((one, at) => (at === index ? next : one)) })}
          />
          <Button
            variant="ghost"
            size="icon"
            aria-label={t('common.remove')}
            onClick={() => change({ fallbacks: fallbacks.filter((_, at) => at !== index) })}
          >
            <Trash2 />
          </Button>
        </div>
      ))}
      <Button
        variant="outline"
        size="small"
        disabled={primary === ''}
        onClick={() => change({ fallbacks: [...fallbacks, ''] })}
      >
        <Plus aria-hidden />
        {t('forms.addFallback')}
      </Button>
    </div>
  );
}
