import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { FormField } from '../../components/forms/form-field.ts';
import { localized } from '../../lib/i18n.ts';
import { collectionsQuery, enginesQuery, type KnowledgeBase } from './knowledge-queries.ts';

/** Differences of a collection from the active one. */
export function SettingChanges({ base, collectionId }: { base: KnowledgeBase; collectionId: string }) {
  const { t } = useTranslation();
  const collections = useQuery(collectionsQuery(base.uuid));
  const engines = useQuery(enginesQuery);
  const settingsOf = (id: string) =>
    collections.data?.find(({ collection_id }) => collection_id === id)?.creation_settings;
  const [before, after] = [settingsOf(base.collection_id), settingsOf(collectionId)];
  const engine = engines.data?.find(({ plugin_id }) => plugin_id === base.knowledge_engine_plugin_id);
  if (!before || !after || !engine) return null;
  const changed = engine.creation_schema.schema.filter(
    ({ name }) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );
  if (changed.length === 0) return null;
  const shown = (field: FormField, value: unknown) => {
    const option = field.options?.find(({ name }) => name === value);
    if (option !== undefined) return localized(option.label);
    return value === '' || value === undefined || value === null ? t('common.none') : String(value);
  };
  return (
    <dl className="mt-3 space-y-1 border-t pt-3 text-sm">
      {changed.map((field) => (
        <div key={field.name} className="flex flex-wrap gap-x-2">
          <dt className="text-muted-foreground">{localized(field.label)}</dt>
          <dd className="break-all">
            {t('knowledge.fromTo', { from: shown(field, before[field.name]), to: shown(field, after[field.name]) })}
          </dd>
        </div>
      ))}
    </dl>
  );
}
