import type { I18nText, PluginManifest } from '@parley/sdk';
import { formFields } from '../forms/form-fields.ts';
import type { PluginVersion } from './plugin.ts';
import type { ShownPlugin } from './plugin-service.ts';
import { settingsSchema } from './plugin-settings.ts';

/** What clients of the reference system know as the kinds of components. */
type ComponentKind = 'EventListener' | 'Command' | 'Tool' | 'KnowledgeEngine' | 'Parser';

const apiVersion = 'v1';
const statuses = {
  enabled: 'initialized',
  disabled: 'mounted',
  consent_required: 'mounted',
  damaged: 'unmounted',
  fetching: 'unmounted',
} as const;

/** A plugin as clients of the reference system know it. */
export function referencePlugin({ plugin, state, settings }: ShownPlugin) {
  const { id, installed, position } = plugin;
  const { manifest, source, install_info } = installed;
  return {
    id,
    state,
    debug: false,
    enabled: plugin.enabled,
    priority: position,
    status: statuses[state],
    install_source: source === 'catalogue' ? 'marketplace' : source,
    install_info,
    plugin_config: settings,
    plugin_instance: null,
    manifest: {
      owner: 'builtin',
      manifest: {
        apiVersion,
        kind: 'Plugin',
        metadata: metadataOf(installed),
        spec: {
          config: formFields(settingsSchema(manifest)),
          components: Object.fromEntries(
            [...new Set(componentsOf(manifest).map(({ kind }) => kind))].map((kind) => [kind, {}]),
          ),
        },
        execution: {},
      },
      rel_path: 'manifest.yaml',
    },
    components: componentsOf(manifest).map(({ kind, ...described }) => ({
      manifest: {
        owner: id,
        manifest: { apiVersion, kind, ...described, execution: {} },
        rel_path: `components/${kind}/${described.metadata.name}.yaml`,
      },
      component_instance: null,
      component_config: {},
    })),
  };
}

/** The plugins that a pipeline can be bound to. */
export function boundPlugins(plugins: readonly ShownPlugin[]): ShownPlugin[] {
  return plugins.filter(({ plugin }) => {
    const { tools, commands, listeners } = plugin.installed.manifest.contributes;
    return tools !== undefined || commands !== undefined || listeners !== undefined;
  });
}

function metadataOf({ manifest }: PluginVersion) {
  const { id, version, label, description } = manifest;
  const [author = '', name = ''] = id.split('/');
  return { author, name, version, label, description, icon: '', repository: '' };
}

function componentsOf({ id, label, description, contributes }: PluginManifest) {
  const { listeners = [], commands = [], tools = [], engines = [], parsers = [] } = contributes;
  const component = (
    kind: ComponentKind,
    name: string,
    texts: [I18nText, I18nText],
    spec: Record<string, unknown>,
  ) => ({
    kind,
    metadata: { name, label: texts[0], description: texts[1] },
    spec,
  });
  const inEnglish = (text: string): I18nText => ({ en_US: text });
  const name = id.slice(id.indexOf('/') + 1);
  return [
    ...listeners.map(({ point }) => component('EventListener', point, [inEnglish(point), description], {})),
    ...tools.map((tool) =>
      component('Tool', tool.name, [tool.label ?? inEnglish(tool.name), inEnglish(tool.description)], {
        parameters: tool.parameters,
        llm_prompt: tool.description,
      }),
    ),
    ...commands.map((command) =>
      component('Command', command.name, [inEnglish(command.name), inEnglish(command.description)], {}),
    ),
    ...engines.map((engine) =>
      component('KnowledgeEngine', name, [engine.label ?? label, engine.description], {
        creation_schema: formFields(settingsSchema({ settings: engine.creation_schema })),
        retrieval_schema: formFields(settingsSchema({ settings: engine.retrieval_schema })),
      }),
    ),
    ...parsers.map((parser) =>
      component('Parser', name, [parser.label, parser.description], { supported_mime_types: parser.media_types }),
    ),
  ];
}
