import type { components } from '@parley/client';
import { useQuery } from '@tanstack/react-query';
import i18next, { type TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { adaptersQuery } from '../../components/bots/bot-queries.ts';
import { localized } from '../../lib/i18n.ts';
import type { english } from '../../locales/en/index.ts';
import { allFields, type FormTab, placeAt } from '../pipelines/pipeline-fields.ts';
import { formQuery } from '../pipelines/pipeline-queries.ts';

type AuditEntry = components['schemas']['AuditEntry'];
type Adapter = components['schemas']['Adapter'];

/** Where labels of fields are declared. Empty until loaded. */
export interface FieldSources {
  pipelineForm: readonly FormTab[];
  adapters: readonly Adapter[];
}

/** Returns the label of a changed field; null if none is known. */
export function useFieldLabel(kinds: ReadonlySet<string>): (entry: AuditEntry, path: string) => string | null {
  const { t } = useTranslation();
  const form = useQuery({ ...formQuery, enabled: kinds.has('pipeline') });
  const adapters = useQuery({ ...adaptersQuery, enabled: kinds.has('bot'), staleTime: 60_000 });
  const sources = { pipelineForm: form.data ?? [], adapters: adapters.data?.adapters ?? [] };
  return (entry, path) => fieldLabel(entry, path, sources, t);
}

/** @param path `adapter_config.token`, as the server names a changed field */
export function fieldLabel(
  { record_kind, before, after }: Pick<AuditEntry, 'record_kind' | 'before' | 'after'>,
  path: string,
  { pipelineForm, adapters }: FieldSources,
  t: TFunction,
): string | null {
  if (record_kind === 'pipeline' && path.startsWith('config.')) {
    const field = placeAt(allFields(pipelineForm), path)?.field;
    return field === undefined ? null : localized(field.label);
  }
  if (record_kind === 'bot' && path.startsWith('adapter_config.')) {
    const name = after?.adapter ?? before?.adapter;
    const fields = adapters.find((adapter) => adapter.name === name)?.spec.config ?? [];
    const field = fields.find((one) => path === `adapter_config.${one.name}`);
    return field === undefined ? null : localized(field.label);
  }
  // Headers and variables have names of their own below these.
  for (let name = path; name !== ''; name = name.slice(0, Math.max(0, name.lastIndexOf('.')))) {
    const key = name.replaceAll('.', '_');
    if (i18next.exists(`audit.labels.${key}`)) {
      const rest = path.slice(name.length + 1);
      const label = t(`audit.labels.${key as keyof typeof english.audit.labels}`);
      return rest === '' ? label : `${label}: ${rest}`;
    }
  }
  return null;
}
