import type { ParleyApiErrorDetail } from '@parley/client';
import { useTranslation } from 'react-i18next';
import { SchemaForm } from '../../components/forms/schema-form.tsx';
import { TextField } from '../../components/text-field.tsx';
import type { TypedTexts } from '../../lib/typed-texts.ts';
import { KeysField } from './keys-field.tsx';
import type { Requester } from './model-queries.ts';

export interface ProviderEntry {
  name: string;
  base_url: string;
  api_keys: string[];
}

interface ProviderFieldsProps {
  /** Undefined if the requester is not installed any more: then only the name can be changed. */
  requester: Requester | undefined;
  value: ProviderEntry;
  onChange: (value: ProviderEntry) => void;
  typed: TypedTexts;
  faults: readonly ParleyApiErrorDetail[];
}

/** Name, URL and API keys of a provider. */
export function ProviderFields({ requester, value, onChange, typed, faults }: ProviderFieldsProps) {
  const { t } = useTranslation();
  const faultAt = (path: string) => faults.find((fault) => fault.path === path)?.message;
  const keyFault = faults.find(({ path }) => path.startsWith('api_keys'));
  return (
    <div className="space-y-5">
      <TextField
        label={t('common.name')}
        value={value.name}
        autoComplete="off"
        error={faultAt('name')}
        onChange={(event) => onChange({ ...value, name: event.target.value })}
      />
      {requester !== undefined && (
        <SchemaForm
          fields={requester.spec.config}
          value={{ base_url: value.base_url }}
          typed={typed}
          faults={faults}
          onChange={({ base_url }) => onChange({ ...value, base_url: String(base_url ?? '') })}
        />
      )}
      {requester?.spec.provider_category !== 'builtin' && (
        <KeysField
          keys={value.api_keys}
          error={keyFault?.message}
          onChange={(api_keys) => onChange({ ...value, api_keys })}
        />
      )}
    </div>
  );
}

/** The keys without empty lines. */
export function filledKeys(keys: readonly string[]): string[] {
  return keys.map((key) => key.trim()).filter((key) => key !== '');
}
