import { useQuery } from '@tanstack/react-query';
import { type ComponentType, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { localized } from '../../lib/i18n.ts';
import { systemInfoQuery } from '../../lib/system-info.ts';
import { InlineCode } from '../inline-code.tsx';
import type { ControlProps } from './control-props.ts';
import {
  ChoiceControl,
  FlagControl,
  JsonControl,
  LinesControl,
  NumberControl,
  SecretControl,
  TextAreaControl,
  TextControl,
} from './controls.tsx';
import { describedBy, FieldShell } from './field-shell.tsx';
import type { FormField } from './form-field.ts';
import { ModelFallbackControl } from './model-controls.tsx';
import { PromptControl } from './prompt-control.tsx';
import { KnowledgeBasesControl, ModelControl, PipelineBotControl } from './record-controls.tsx';

/** The control of each type; unknown types are a text input, or JSON for values other than strings. */
const controls: Record<string, ComponentType<ControlProps>> = {
  string: TextControl,
  'webhook-url': TextControl,
  text: TextAreaControl,
  integer: NumberControl,
  number: NumberControl,
  float: NumberControl,
  boolean: FlagControl,
  select: ChoiceControl,
  'array[string]': LinesControl,
  json: JsonControl,
  'prompt-editor': PromptControl,
  'model-fallback-selector': ModelFallbackControl,
  'llm-model-selector': ModelControl,
  'embedding-model-selector': ModelControl,
  'rerank-model-selector': ModelControl,
  'knowledge-base-multi-selector': KnowledgeBasesControl,
  'bot-selector': PipelineBotControl,
};

interface SchemaFieldProps extends Pick<ControlProps, 'field' | 'value' | 'onChange' | 'unfinished' | 'onUnfinished'> {
  error?: string | undefined;
}

/** One field of a schema: its label, control, error and help. */
export function SchemaField({ field, error, ...state }: SchemaFieldProps) {
  const id = useId();
  const help = field.description === undefined ? undefined : localized(field.description);
  const Control = controlOf(field, state.value);
  return (
    <>
      <FieldShell
        id={id}
        label={localized(field.label)}
        help={help}
        error={error}
        isOptional={!field.required && field.type !== 'boolean' && field.default === undefined}
        inline={Control === FlagControl}
      >
        <Control
          id={id}
          field={field}
          {...state}
          describedBy={describedBy(id, { help, error })}
          isInvalid={error !== undefined}
        />
      </FieldShell>
      {field.requires === 'public_url' && <PublicUrlNotice />}
    </>
  );
}

/** Says that a field has no effect without the address of the server. Else renders nothing. */
function PublicUrlNotice() {
  const { t } = useTranslation();
  const info = useQuery(systemInfoQuery);
  if (info.data === undefined || info.data.public_url !== null) return null;
  return (
    <p className="mt-1.5 text-sm text-pretty text-notice">
      <InlineCode text={t('forms.requires.public_url')} />
    </p>
  );
}

function controlOf(field: FormField, value: unknown): ComponentType<ControlProps> {
  if (field.secret) return SecretControl;
  const known = controls[field.type];
  if (known !== undefined) return known;
  return typeof value === 'object' && value !== null ? JsonControl : TextControl;
}
