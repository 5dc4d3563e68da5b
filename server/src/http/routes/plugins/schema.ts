import Type from 'typebox';

const Manifest = Type.Object({
  owner: Type.String(),
  manifest: Type.Record(Type.String(), Type.Unknown(), {
    description: '`apiVersion`, `kind`, `metadata`, `spec` and `execution`.',
  }),
  rel_path: Type.String(),
});

export const Plugin = Type.Object(
  {
    debug: Type.Boolean(),
    enabled: Type.Boolean(),
    priority: Type.Integer(),
    status: Type.String({ description: '`unmounted`, `mounted` or `initialized`.' }),
    install_source: Type.String(),
    install_info: Type.Record(Type.String(), Type.Unknown()),
    plugin_config: Type.Record(Type.String(), Type.Unknown()),
    plugin_instance: Type.Null(),
    manifest: Manifest,
    components: Type.Array(
      Type.Object({
        manifest: Manifest,
        component_instance: Type.Null(),
        component_config: Type.Record(Type.String(), Type.Unknown()),
      }),
    ),
  },
  { title: 'Plugin' },
);

export const PluginParams = Type.Object({ author: Type.String(), name: Type.String() });
export const PluginList = Type.Object({ plugins: Type.Array(Plugin) });
export const PluginAnswer = Type.Object({ plugin: Plugin });
export const PluginConfig = Type.Object({ config: Type.Record(Type.String(), Type.Unknown()) });
export const PluginReadme = Type.Object({ readme: Type.String({ description: 'Markdown.' }) });
export const PluginReadmeQuery = Type.Object({
  language: Type.String({ default: 'en', description: 'Language of the text, `en` or `zh_Hans`.' }),
});
export const PluginDebugInfo = Type.Object({
  debug_url: Type.String({
    description: 'URL that plugins under development connect to; empty if there is none.',
  }),
  plugin_debug_key: Type.String({ description: 'Their key; empty if none is required.' }),
});
