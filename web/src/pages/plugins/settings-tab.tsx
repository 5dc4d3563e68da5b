import { useQuery } from '@tanstack/react-query';
import { SaveBar } from '../../components/forms/save-bar.tsx';
import { SchemaForm } from '../../components/forms/schema-form.tsx';
import { Loaded } from '../../components/states/loaded.tsx';
import { api } from '../../lib/api.ts';
import { useDraft } from '../../lib/use-draft.ts';
import { useSaved } from '../../lib/use-saved.ts';
import { type Plugin, pathOf, readTaggedSettings, type StoredSettings, settingsQuery } from './plugin-queries.ts';

/** The settings of a plugin, by the schema of its manifest. */
export function SettingsTab({ plugin }: { plugin: Plugin }) {
  const { id } = plugin.details;
  const settings = useQuery(settingsQuery(id));
  return <Loaded query={settings}>{(stored) => <SettingsForm id={id} fields={plugin.form} stored={stored} />}</Loaded>;
}

interface SettingsFormProps {
  id: string;
  fields: Plugin['form'];
  stored: StoredSettings;
}

function SettingsForm({ id, fields, stored }: SettingsFormProps) {
  const draft = useDraft({
    name: `plugin-settings:${id}`,
    stored,
    contentOf: configOf,
    read: () => readTaggedSettings(id),
    save: (body, headers) => api.put('/api/v1/plugins/{author}/{name}/config', { params: pathOf(id), headers, body }),
    onSaved: useSaved(['plugins', id]),
  });
  return (
    <>
      <div className="max-w-2xl">
        <SchemaForm
          fields={fields}
          value={draft.value}
          onChange={draft.change}
          typed={draft.typed}
          faults={draft.faults}
          path="config"
        />
      </div>
      <SaveBar draft={draft} />
    </>
  );
}

function configOf({ config }: StoredSettings) {
  return config;
}
