import type { Plugin, PluginCall, PluginEngine, PluginHost } from './plugin.ts';
import type { PluginContributions, PluginManifest } from './plugin-manifest.ts';

/** A manifest as its author writes it. `main` is a module in TypeScript or JavaScript; packing adds the hashes of files. */
export type PluginSource = Frozen<Omit<PluginManifest, 'files'>>;

type Frozen<Value> = Value extends object ? { readonly [Name in keyof Value]: Frozen<Value[Name]> } : Value;

/** Checks the types of a manifest, and keeps its names for {@link definePlugin}. @returns the same */
export function defineManifest<const Manifest extends PluginSource>(manifest: Manifest): Manifest {
  return manifest;
}

/**
 * Checks that the module of a plugin has a handler for each contribution of its manifest, and for no others. What the
 * handlers get has the types that the manifest declares: the parameters of tools, the settings.
 * @returns the same
 * @example export default definePlugin<typeof manifest>({ tools: { shout: ({ text }) => text.toUpperCase() } });
 */
export function definePlugin<Manifest extends PluginSource>(plugin: PluginOf<Manifest>): PluginOf<Manifest> {
  return plugin;
}

/** The module of a plugin with a manifest. */
export type PluginOf<Manifest extends PluginSource> = {
  start?: WithSettings<NonNullable<Plugin['start']>, SettingsOf<Manifest>>;
} & Declared<Manifest, 'tools', ToolsOf<Entry<Manifest, 'tools'>, SettingsOf<Manifest>>> &
  Declared<Manifest, 'commands', HandlersOf<Manifest, 'commands'>> &
  Declared<Manifest, 'listeners', ListenersOf<Entry<Manifest, 'listeners'>, SettingsOf<Manifest>>> &
  Declared<Manifest, 'runners', HandlersOf<Manifest, 'runners'>> &
  Declared<Manifest, 'schedules', HandlersOf<Manifest, 'schedules'>> &
  Declared<Manifest, 'parsers', WithSettings<NonNullable<Plugin['parser']>, SettingsOf<Manifest>>, 'parser'> &
  Declared<Manifest, 'engines', EngineOf<Entry<Manifest, 'engines'>, SettingsOf<Manifest>>, 'engine'> & {
    /** A page that only shows what it has needs no handler. */
    pages?: [Entry<Manifest, 'pages'>] extends [never] ? never : Partial<HandlersOf<Manifest, 'pages'>>;
  };

/** The settings of a plugin, as `host.settings()` returns them. */
export type SettingsOf<Manifest> = Manifest extends { settings: { properties: infer Fields } }
  ? { -readonly [Name in keyof Fields]: ValueOf<Fields[Name]> }
  : Record<string, never>;

/**
 * The values that a JSON Schema allows, in the part of it that most tools use: types, `enum`, `const`, `items`,
 * `properties`, `required`. All else is `unknown`.
 */
export type ValueOf<Schema> = Schema extends { const: infer Value }
  ? Value
  : Schema extends { enum: readonly (infer Value)[] }
    ? Value
    : Schema extends { type: infer Name }
      ? Name extends keyof Scalars
        ? Scalars[Name]
        : Name extends 'array'
          ? (Schema extends { items: infer Items } ? ValueOf<Items> : unknown)[]
          : Name extends 'object'
            ? ObjectOf<Schema>
            : unknown
      : unknown;

interface Scalars {
  string: string;
  integer: number;
  number: number;
  boolean: boolean;
  null: null;
}

type ObjectOf<Schema> = Schema extends { properties: infer Fields }
  ? { -readonly [Name in Extract<keyof Fields, RequiredOf<Schema>>]: ValueOf<Fields[Name]> } & {
      -readonly [Name in Exclude<keyof Fields, RequiredOf<Schema>>]?: ValueOf<Fields[Name]>;
    }
  : Record<string, unknown>;
type RequiredOf<Schema> = Schema extends { required: readonly (infer Name)[] } ? Name : never;

type Kind = keyof PluginContributions;

/** An entry of a kind of contributions; `never` where a manifest has none. */
type Entry<Manifest, Of extends Kind> = Manifest extends {
  contributes: { readonly [Name in Of]: readonly (infer One)[] };
}
  ? One
  : never;

type NameOf<One> = One extends { name: infer Name extends string } ? Name : never;

/** The handlers of a kind that is declared, or none. */
type Declared<Manifest, Of extends Kind, Handlers, Name extends keyof Plugin = Extract<Of, keyof Plugin>> = [
  Entry<Manifest, Of>,
] extends [never]
  ? { [Each in Name]?: never }
  : { [Each in Name]: Handlers };

/** A handler whose host has the settings of the plugin. */
type WithSettings<Handler, Settings> = Handler extends (
  ...given: [...infer Given, infer Call extends PluginCall]
) => infer Result
  ? (...given: [...Given, call: Omit<Call, 'host'> & { host: PluginHost<Settings> }]) => Result
  : never;

type HandlersOf<Manifest, Of extends 'commands' | 'runners' | 'schedules' | 'pages'> = {
  [One in Entry<Manifest, Of> as NameOf<One>]: WithSettings<NonNullable<Plugin[Of]>[string], SettingsOf<Manifest>>;
};

type ToolHandler<Settings> = WithSettings<NonNullable<Plugin['tools']>[string], Settings>;
type ToolsOf<One, Settings> = {
  [Each in One as NameOf<Each>]: Each extends {
    parameters: infer Parameters;
  }
    ? ToolHandler<Settings> extends (parameters: never, call: infer Call) => infer Result
      ? (parameters: ValueOf<Parameters>, call: Call) => Result
      : never
    : never;
};

type ListenersOf<One, Settings> = {
  [Each in One as Each extends { point: infer Point extends string } ? Point : never]: Each extends {
    point: infer Point extends keyof NonNullable<Plugin['listeners']>;
  }
    ? WithSettings<NonNullable<NonNullable<Plugin['listeners']>[Point]>, Settings>
    : never;
};

/** An engine that takes documents has the methods for it. */
type EngineOf<One, Settings> = One extends { capabilities: readonly (infer Capability)[] }
  ? {
      [Method in EngineMethods<Capability>]: WithSettings<NonNullable<PluginEngine[Method]>, Settings>;
    }
  : never;
type EngineMethods<Capability> = 'doc_ingestion' extends Capability
  ? keyof PluginEngine
  : Exclude<keyof PluginEngine, 'ingest' | 'remove'>;

/** What `parley plugin test` calls a plugin with, in `samples.ts` of its project. */
export interface PluginSamples<Manifest extends PluginSource = PluginSource> {
  /** Besides the defaults. */
  settings?: Partial<SettingsOf<Manifest>>;
  tools?: {
    [One in Entry<Manifest, 'tools'> as NameOf<One>]?: readonly {
      parameters: One extends { parameters: infer Parameters } ? ValueOf<Parameters> : never;
      /** A part of its text. */
      answer?: string;
    }[];
  };
  commands?: {
    [One in Entry<Manifest, 'commands'> as NameOf<One>]?: readonly { parameters: readonly string[]; answer?: string }[];
  };
  /** Texts of messages for listeners and runners, besides those that the test has. */
  messages?: readonly string[];
  /** Files of the project, by their paths: for the parser, and for an engine with `doc_parsing`. */
  files?: readonly string[];
  /** Texts of documents for an engine, and what it has to find in them. */
  documents?: readonly string[];
  queries?: readonly {
    query: string;
    /** A part of a passage that is found. */
    passage: string;
  }[];
}

/** Checks the types of samples. @returns the same */
export function defineSamples<Manifest extends PluginSource>(
  samples: PluginSamples<Manifest>,
): PluginSamples<Manifest> {
  return samples;
}
