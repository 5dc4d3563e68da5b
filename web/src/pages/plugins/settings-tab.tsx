import { SaveBar } from '../../components/forms/save-bar.tsx';
import { SchemaForm } from '../../components/forms/schema-form.tsx';
import { api } from '../../lib/api.ts';
import { useDraft } from '../../lib/use-draft.ts';
import { useSaved } from '../../lib/use-saved.ts';
import { type Plugin, pathOf, readTaggedSettings, type StoredSettings, storedSettings } from './plugin-queries.ts';

/** The settings of a plugin, by the schema of its manifest. */
export function SettingsTab({ plugin: { plugin, form } }: { plugin: Plugin }) {
  const { id } = plugin;
  const draft = useDraft({
    name: `plugin-settings:${id}`,
    stored: storedSettings(plugin.plugin_config),
    contentOf: configOf,
    read: () => readTaggedSettings(id),
    save: (body, headers) => api.put('/api/v1/plugins/{author}/{name}/config', { params: pathOf(id), headers, body }),
    onSaved: useSaved(['plugins', id]),
  });
  return (
    <>
      <div className="max-w-2xl">
        <SchemaForm
          fields={form}
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
