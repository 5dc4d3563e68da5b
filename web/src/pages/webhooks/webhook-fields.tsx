import type { ParleyApiErrorDetail } from '@parley/client';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { describedBy, FieldShell } from '../../components/forms/field-shell.tsx';
import { TextField } from '../../components/text-field.tsx';
import { Textarea } from '../../components/ui/textarea.tsx';

export interface WebhookEntry {
  name: string;
  url: string;
  description: string;
}

interface WebhookFieldsProps {
  value: WebhookEntry;
  onChange: (value: WebhookEntry) => void;
  faults: readonly ParleyApiErrorDetail[];
}

/** Name and URL of a webhook. */
export function WebhookFields({ value, onChange, faults }: WebhookFieldsProps) {
  const { t } = useTranslation();
  const id = useId();
  const faultAt = (path: string) => faults.find((fault) => fault.path === path)?.message;
  const error = faultAt('description');
  return (
    <div className="space-y-5">
      <TextField
        label={t('common.name')}
        value={value.name}
        autoComplete="off"
        error={faultAt('name')}
        onChange={(event) => onChange({ ...value, name: event.target.value })}
      />
      <TextField
        label={t('webhooks.url')}
        help={t('webhooks.urlHelp')}
        type="url"
        value={value.url}
        autoComplete="off"
        spellCheck={false}
        error={faultAt('url')}
        onChange={(event) => onChange({ ...value, url: event.target.value })}
      />
      <FieldShell id={id} label={t('common.description')} error={error} isOptional>
        <Textarea
          id={id}
          aria-describedby={describedBy(id, { error })}
          value={value.description}
          onChange={(event) => onChange({ ...value, description: event.target.value })}
        />
      </FieldShell>
    </div>
  );
}
