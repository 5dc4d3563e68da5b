import type { ParleyApiErrorDetail } from '@parley/client';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { describedBy, FieldShell } from '../../components/forms/field-shell.tsx';
import { TextField } from '../../components/text-field.tsx';
import { Button } from '../../components/ui/button.tsx';
import { Input } from '../../components/ui/input.tsx';
import { Textarea } from '../../components/ui/textarea.tsx';

interface General {
  name: string;
  description: string;
  emoji: string | null;
}

interface GeneralTabProps {
  value: General;
  faults: readonly ParleyApiErrorDetail[];
  onChange: (part: Partial<General>) => void;
}

const suggestions = ['⚙️', '🤖', '💬', '📚', '🛟', '🛒', '🧪', '🌍'];

/** Name, description and emoji of a pipeline. */
export function GeneralTab({ value, faults, onChange }: GeneralTabProps) {
  const { t } = useTranslation();
  const [emojiId, descriptionId] = [useId(), useId()];
  const faultAt = (place: string) => faults.find(({ path }) => path === place)?.message;
  const [emojiFault, descriptionFault] = [faultAt('emoji'), faultAt('description')];
  return (
    <div className="max-w-2xl space-y-5">
      <div data-field="name">
        <TextField
          label={t('common.name')}
          value={value.name}
          autoComplete="off"
          error={faultAt('name')}
          onChange={(event) => onChange({ name: event.target.value })}
        />
      </div>
      <div data-field="description">
        <FieldShell id={descriptionId} label={t('common.description')} error={descriptionFault} isOptional>
          <Textarea
            id={descriptionId}
            aria-describedby={describedBy(descriptionId, { error: descriptionFault })}
            aria-invalid={descriptionFault !== undefined || undefined}
            value={value.description}
            onChange={(event) => onChange({ description: event.target.value })}
          />
        </FieldShell>
      </div>
      <div data-field="emoji">
        <FieldShell
          id={emojiId}
          label={t('pipelines.emoji')}
          help={t('pipelines.emojiText')}
          error={emojiFault}
          isOptional
        >
          <div className="flex flex-wrap items-center gap-1">
            <Input
              id={emojiId}
              className="mr-2 w-20 text-center text-lg"
              autoComplete="off"
              aria-describedby={describedBy(emojiId, { error: emojiFault, help: t('pipelines.emojiText') })}
              aria-invalid={emojiFault !== undefined || undefined}
              value={value.emoji ?? ''}
              onChange={(event) => onChange({ emoji: event.target.value === '' ? null : event.target.value })}
            />
            {suggestions.map((emoji) => (
              <Button
                key={emoji}
                variant="ghost"
                size="icon"
                className="text-lg aria-pressed:bg-muted"
                aria-label={t('pipelines.chooseEmoji', { emoji })}
                aria-pressed={emoji === value.emoji}
                onClick={() => onChange({ emoji })}
              >
                {emoji}
              </Button>
            ))}
          </div>
        </FieldShell>
      </div>
    </div>
  );
}
