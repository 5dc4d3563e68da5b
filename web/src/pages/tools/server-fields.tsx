import type { ParleyApiErrorDetail } from '@parley/client';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { LinesControl } from '../../components/forms/controls.tsx';
import { describedBy, FieldShell } from '../../components/forms/field-shell.tsx';
import type { FormField } from '../../components/forms/form-field.ts';
import { SchemaForm } from '../../components/forms/schema-form.tsx';
import { TextField } from '../../components/text-field.tsx';
import { Select } from '../../components/ui/select.tsx';
import type { TypedTexts } from '../../lib/typed-texts.ts';
import { PairsField } from './pairs-field.tsx';
import { newEntry, type ServerEntry } from './server-entry.ts';
import type { McpMode } from './server-queries.ts';

const modes: readonly McpMode[] = ['http', 'sse', 'stdio'];

interface ServerFieldsProps {
  value: ServerEntry;
  onChange: (value: ServerEntry) => void;
  typed: TypedTexts;
  faults: readonly ParleyApiErrorDetail[];
}

/** Name and connection of a server. */
export function ServerFields({ value, onChange, typed, faults }: ServerFieldsProps) {
  const { t } = useTranslation();
  const id = useId();
  const faultAt = (path: string) => faults.find((fault) => fault.path === path)?.message;
  const faultIn = (path: string) => {
    const fault = faults.find((one) => one.path.startsWith(`extra_args.${path}`));
    return fault === undefined ? undefined : `${fault.path.slice('extra_args.'.length)}: ${fault.message}`;
  };
  const change = (part: Partial<ServerEntry>) => onChange({ ...value, ...part });
  const modeHelp = t(`tools.modeHelp.${value.mode}`);
  const seconds = (name: 'timeout' | 'ssereadtimeout', label: string): FormField => ({
    name,
    label: { en_US: label },
    type: 'integer',
    required: true,
    default: newEntry[name],
  });
  return (
    <div className="space-y-5">
      <TextField
        label={t('common.name')}
        help={t('tools.nameHelp')}
        value={value.name}
        autoComplete="off"
        error={faultAt('name')}
        onChange={(event) => change({ name: event.target.value })}
      />
      <FieldShell id={`${id}-mode`} label={t('tools.mode')} help={modeHelp} error={faultAt('mode')}>
        <Select
          id={`${id}-mode`}
          className="max-w-md"
          aria-describedby={describedBy(`${id}-mode`, { help: modeHelp, error: faultAt('mode') })}
          value={value.mode}
          onChange={(event) => change({ mode: event.target.value as McpMode })}
        >
          {modes.map((mode) => (
            <option key={mode} value={mode}>
              {t(`tools.modes.${mode}`)}
            </option>
          ))}
        </Select>
      </FieldShell>
      {value.mode === 'stdio' ? (
        <>
          <TextField
            label={t('tools.command')}
            help={t('tools.commandHelp')}
            className="font-mono text-sm"
            value={value.command}
            autoComplete="off"
            spellCheck={false}
            error={faultAt('extra_args.command')}
            onChange={(event) => change({ command: event.target.value })}
          />
          <FieldShell
            id={`${id}-args`}
            label={t('tools.arguments')}
            help={t('tools.argumentsHelp')}
            error={faultIn('args')}
            isOptional
          >
            <LinesControl
              id={`${id}-args`}
              value={value.args}
              describedBy={describedBy(`${id}-args`, { help: t('tools.argumentsHelp'), error: faultIn('args') })}
              isInvalid={faultIn('args') !== undefined}
              onChange={(args) => change({ args: args as string[] })}
            />
          </FieldShell>
          <PairsField
            label={t('tools.env')}
            help={t('tools.envHelp')}
            pairs={value.env}
            error={faultIn('env')}
            onChange={(env) => change({ env })}
          />
        </>
      ) : (
        <>
          <TextField
            label={t('tools.url')}
            help={t('tools.urlHelp')}
            type="url"
            value={value.url}
            autoComplete="off"
            spellCheck={false}
            error={faultAt('extra_args.url')}
            onChange={(event) => change({ url: event.target.value })}
          />
          <PairsField
            label={t('tools.headers')}
            help={t('tools.headersHelp')}
            pairs={value.headers}
            error={faultIn('headers')}
            onChange={(headers) => change({ headers })}
          />
          <SchemaForm
            fields={[
              seconds('timeout', t('tools.timeout')),
              ...(value.mode === 'sse' ? [seconds('ssereadtimeout', t('tools.readTimeout'))] : []),
            ]}
            value={{ timeout: value.timeout, ssereadtimeout: value.ssereadtimeout }}
            typed={typed}
            faults={faults}
            path="extra_args"
            onChange={(next) => change(next)}
          />
        </>
      )}
    </div>
  );
}
