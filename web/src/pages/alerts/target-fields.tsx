import type { ParleyApiErrorDetail } from '@parley/client';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { botsQuery } from '../../components/bots/bot-queries.ts';
import { LinesControl, SecretControl } from '../../components/forms/controls.tsx';
import { describedBy, FieldShell } from '../../components/forms/field-shell.tsx';
import { RecordSelect } from '../../components/forms/record-controls.tsx';
import { TextField } from '../../components/text-field.tsx';
import { Select } from '../../components/ui/select.tsx';
import { type Language, languages } from '../../lib/i18n.ts';
import { encryptions, type TargetEntry, targetKinds } from './target-entry.ts';

interface TargetFieldsProps {
  value: TargetEntry;
  onChange: (value: TargetEntry) => void;
  faults: readonly ParleyApiErrorDetail[];
  /** The kind of a stored target stays. */
  isNew?: boolean;
}

type PartProps = Pick<TargetFieldsProps, 'value'> & {
  set: (change: Partial<TargetEntry>) => void;
  faultAt: (path: string) => string | undefined;
};

/** Where notices of alerts are sent, and in which language. */
export function TargetFields({ value, onChange, faults, isNew = false }: TargetFieldsProps) {
  const { t } = useTranslation();
  const part: PartProps = {
    value,
    set: (change) => onChange({ ...value, ...change }),
    // An item of a list is shown at the list.
    faultAt: (path) => faults.find((fault) => fault.path === path || fault.path.startsWith(`${path}[`))?.message,
  };
  return (
    <div className="space-y-5">
      {isNew && (
        <Choice
          label={t('alerts.targetKind')}
          value={value.kind}
          options={targetKinds}
          text={(kind) => t(`alerts.targetKinds.${kind}`)}
          onChange={(kind) => part.set({ kind })}
        />
      )}
      <TextField
        label={t('common.name')}
        value={value.name}
        autoComplete="off"
        error={part.faultAt('name')}
        onChange={(event) => part.set({ name: event.target.value })}
      />
      {value.kind === 'email' && <EmailFields {...part} />}
      {value.kind === 'webhook' && (
        <TextField
          label={t('alerts.fields.url')}
          help={t('alerts.urlHelp')}
          type="url"
          autoComplete="off"
          spellCheck={false}
          value={value.url}
          error={part.faultAt('config.url')}
          onChange={(event) => part.set({ url: event.target.value })}
        />
      )}
      {value.kind === 'chat' && <ChatFields {...part} />}
      <Choice
        label={t('alerts.language')}
        value={value.language}
        options={Object.keys(languages) as Language[]}
        text={(language) => languages[language]}
        onChange={(language) => part.set({ language })}
      />
    </div>
  );
}

function EmailFields({ value, set, faultAt }: PartProps) {
  const { t } = useTranslation();
  const id = useId();
  const text = (field: 'host' | 'port' | 'user' | 'from', properties: { help?: string; className?: string } = {}) => (
    <TextField
      label={t(`alerts.fields.${field}`)}
      autoComplete="off"
      spellCheck={false}
      value={value[field]}
      error={faultAt(`config.${field}`)}
      onChange={(event) => set({ [field]: event.target.value })}
      {...properties}
    />
  );
  const passwordError = faultAt('config.password');
  const toError = faultAt('config.to');
  return (
    <>
      {text('host')}
      <Choice
        label={t('alerts.encryption')}
        value={value.encryption}
        options={encryptions}
        text={(encryption) => t(`alerts.encryptions.${encryption}`)}
        onChange={(encryption) => set({ encryption })}
      />
      {text('port', { className: 'max-w-40' })}
      {text('user', { help: t('alerts.userHelp') })}
      <FieldShell id={`${id}-password`} label={t('alerts.fields.password')} error={passwordError}>
        <SecretControl
          id={`${id}-password`}
          value={value.password}
          describedBy={describedBy(`${id}-password`, { error: passwordError })}
          isInvalid={passwordError !== undefined}
          onChange={(password) => set({ password: String(password) })}
        />
      </FieldShell>
      {text('from')}
      <FieldShell id={`${id}-to`} label={t('alerts.fields.to')} help={t('alerts.toHelp')} error={toError}>
        <LinesControl
          id={`${id}-to`}
          value={value.to}
          describedBy={describedBy(`${id}-to`, { help: t('alerts.toHelp'), error: toError })}
          isInvalid={toError !== undefined}
          onChange={(to) => set({ to: to as string[] })}
        />
      </FieldShell>
    </>
  );
}

function ChatFields({ value, set, faultAt }: PartProps) {
  const { t } = useTranslation();
  const id = useId();
  const bots = useQuery(botsQuery);
  const error = faultAt('config.bot_uuid');
  return (
    <>
      <FieldShell id={id} label={t('alerts.fields.bot')} error={error}>
        <RecordSelect
          id={id}
          value={value.bot_uuid}
          describedBy={describedBy(id, { error })}
          isInvalid={error !== undefined}
          onChange={(bot_uuid) => set({ bot_uuid })}
          none={t('common.choose')}
          records={bots.data?.bots}
        />
      </FieldShell>
      <Choice
        label={t('alerts.chatKind')}
        value={value.target_type}
        options={['person', 'group'] as const}
        text={(type) => t(`alerts.chatKinds.${type}`)}
        onChange={(target_type) => set({ target_type })}
      />
      <TextField
        label={t('alerts.fields.target_id')}
        help={t('alerts.chatHelp')}
        autoComplete="off"
        spellCheck={false}
        value={value.target_id}
        error={faultAt('config.target_id')}
        onChange={(event) => set({ target_id: event.target.value })}
      />
    </>
  );
}

interface ChoiceProps<Option extends string> {
  label: string;
  value: Option;
  options: readonly Option[];
  text: (option: Option) => ReactNode;
  onChange: (option: Option) => void;
}

function Choice<Option extends string>({ label, value, options, text, onChange }: ChoiceProps<Option>) {
  const id = useId();
  return (
    <FieldShell id={id} label={label}>
      <Select
        id={id}
        value={value}
        onChange={(event) => onChange(options.find((one) => one === event.target.value) ?? value)}
      >
        {options.map((option) => (
          <option key={option} value={option}>
            {text(option)}
          </option>
        ))}
      </Select>
    </FieldShell>
  );
}
