import { type Extension, type Logger, sdkVersion } from '@parley/sdk';
import { satisfies, validRange } from 'semver';
import { isCommandName } from '../commands/command-name.ts';
import type { ConfiguredExtension, LoadedModule } from '../system/configured-extension.ts';
import type { ExtensionRegistries } from './extension-registries.ts';

/** The parts of an extension, with the names of their kinds for operators. */
const kinds = {
  platforms: 'platform',
  modelRequesters: 'model requester',
  runners: 'runner',
  stages: 'stage',
  commands: 'command',
  parsers: 'parser',
  knowledgeEngines: 'knowledge engine',
} as const satisfies Record<Exclude<keyof Extension, 'sdk'>, string>;
type Kind = keyof typeof kinds;

/** Methods without which a part of its kind cannot be used. */
const methods: Record<Kind, readonly string[]> = {
  platforms: ['load'],
  modelRequesters: [],
  runners: ['answer'],
  stages: [],
  commands: ['run'],
  parsers: [],
  knowledgeEngines: [],
};

/** Registers loaded modules. An unusable one is logged and skipped; the others and the start are not affected. */
export function registerExtensions(
  modules: readonly LoadedModule[],
  registries: ExtensionRegistries,
  logger: Logger,
): ConfiguredExtension[] {
  return modules.map((module) => {
    const { source } = module;
    try {
      if ('error' in module) throw new Error(module.error);
      const { sdk, ...parts } = checked(module.extension);
      registries.add(parts);
      const provides = partsOf(parts).map(([kind, name]) => `${kinds[kind]} ${name}`);
      logger.info({ extension: source, provides }, 'loaded an extension');
      return { source, is_loaded: true, error: null, provides };
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      logger.error({ extension: source, error }, 'an extension was not loaded');
      return { source, is_loaded: false, error: message, provides: [] };
    }
  });
}

/** @throws Error with a message for the operator when the export of a module is no extension for this version */
function checked(exported: unknown): Extension {
  if (typeof exported !== 'object' || exported === null) throw new Error('its default export is not an extension');
  const { sdk, ...parts } = exported as Extension & Record<string, unknown>;
  if (typeof sdk !== 'string' || validRange(sdk) === null) {
    throw new Error('it does not name the versions of @parley/sdk that it works with, such as sdk: "^0.1.0"');
  }
  if (!satisfies(sdkVersion, sdk)) {
    throw new Error(`it works with versions ${sdk} of @parley/sdk, but this is ${sdkVersion}`);
  }
  for (const [kind, list] of Object.entries(parts)) {
    if (!Object.hasOwn(kinds, kind)) throw new Error(`it has parts of an unknown kind: ${kind}`);
    if (!Array.isArray(list)) throw new Error(`${kind} is not a list`);
  }
  for (const [kind, name, part] of partsOf(parts)) {
    if (name === '') throw new Error(`a ${kinds[kind]} has no name`);
    if (kind === 'commands') checkCommand(name, part);
    // What has an id by which it is stored is shown by its name, others by their label.
    const shown = (part.plugin_id === undefined ? part.label : part.name) as { en_US?: unknown } | undefined;
    if (kind !== 'commands' && typeof shown?.en_US !== 'string') {
      throw new Error(`the ${kinds[kind]} ${name} has no English label`);
    }
    const missing = methods[kind].find((method) => typeof part[method] !== 'function');
    if (missing !== undefined) throw new Error(`the ${kinds[kind]} ${name} has no method ${missing}`);
  }
  if (partsOf(parts).length === 0) throw new Error('it has no parts');
  return exported as Extension;
}

/** @throws Error when the name of a command could not be written, or `help` could not show it */
function checkCommand(name: string, { aliases = [], description }: Record<string, unknown>): void {
  if (!Array.isArray(aliases)) throw new Error(`the aliases of the command ${name} are not a list`);
  const wrong = [name, ...aliases].find((each) => !isCommandName(String(each)));
  if (wrong !== undefined)
    throw new Error(`the command ${name} has a name that is not one word in lower case: ${wrong}`);
  if (typeof description !== 'string') throw new Error(`the command ${name} has no description`);
}

function partsOf(parts: Omit<Extension, 'sdk'>): [kind: Kind, name: string, part: Record<string, unknown>][] {
  return (Object.keys(kinds) as Kind[]).flatMap((kind) =>
    ((parts[kind] ?? []) as readonly unknown[]).map((part): [Kind, string, Record<string, unknown>] => {
      const fields = (typeof part === 'object' && part !== null ? part : {}) as Record<string, unknown>;
      const name = fields.plugin_id ?? fields.name;
      return [kind, typeof name === 'string' ? name : '', fields];
    }),
  );
}
