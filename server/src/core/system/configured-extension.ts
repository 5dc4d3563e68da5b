import type { Extension } from '@parley/sdk';
import Type, { type Static } from 'typebox';

/** An entry of the setting `extensions`, and the result of loading it. */
export const ConfiguredExtension = Type.Object(
  {
    source: Type.String({ description: 'As in the setting: a package or a folder.' }),
    is_loaded: Type.Boolean(),
    error: Type.Union([Type.String(), Type.Null()], { description: 'Why it was not loaded; null when it was.' }),
    provides: Type.Array(Type.String(), { description: 'Kinds and names of its parts, such as `runner echo`.' }),
  },
  { title: 'ConfiguredExtension' },
);
export type ConfiguredExtension = Static<typeof ConfiguredExtension>;

/** The module of an entry of the setting, or why it could not be loaded. */
export type LoadedModule = { source: string; extension: Extension } | { source: string; error: string };
