import {
  type ErrorDetail,
  ParleyError,
  type PluginContributions,
  PluginManifest,
  type PluginSettings,
  sdkVersion,
} from '@parley/sdk';
import { satisfies, valid, validRange } from 'semver';
import { Check } from 'typebox/value';
import { isCommandName } from '../../commands/command-name.ts';
import { configFaults } from '../../forms/check-config.ts';
import { schemaFault } from '../../tools/schema-bounds.ts';
import { cronFault } from '../schedules/cron-times.ts';
import { hostFault } from './host-pattern.ts';
import { refusals } from './plugin-fault.ts';
import { readJson } from './read-json.ts';

export const manifestFile = 'parley-plugin.json';
export const signatureFile = 'parley-plugin.sig';

/** Authors that built-in parts have, or that routes of plugins would be taken for. */
const reservedAuthors = new Set(['parley', 'github', 'install', 'config-files']);

/** A broken rule: the place below the manifest, and what is wrong with it. */
type Fault = [place: string, message: string];

/**
 * Reads `parley-plugin.json`.
 * @throws ParleyError `plugin_incompatible` for another version of the SDK, `plugin_invalid` with the path of each fault
 */
export function readManifest(bytes: Uint8Array): PluginManifest {
  const value = readJson(bytes, manifestFile);
  // First, since a plugin for a later version may have fields that this one does not know.
  checkVersion(value);
  const faults = configFaults(PluginManifest, value, 'manifest');
  if (faults.length > 0) throw refusals(faults);
  // It was checked by the schema.
  const manifest = value as PluginManifest;
  const details = [...ruleFaults(manifest)].map(
    ([place, message]): ErrorDetail => ({ path: `manifest.${place}`, message }),
  );
  if (details.length > 0) throw refusals(details);
  return manifest;
}

function checkVersion(value: unknown): void {
  const { sdk } = (typeof value === 'object' && value !== null ? value : {}) as { sdk?: unknown };
  if (typeof sdk !== 'string' || sdk.length > 100 || validRange(sdk) === null || satisfies(sdkVersion, sdk)) return;
  const message = `works with versions ${sdk} of @parley/sdk, but this is ${sdkVersion}`;
  throw new ParleyError('plugin_incompatible', `The plugin ${message}.`, {
    details: [{ path: 'manifest.sdk', message }],
  });
}

function* ruleFaults(manifest: PluginManifest): Generator<Fault> {
  const { id, version, sdk, main, settings, contributes, permissions, files } = manifest;
  const author = id.slice(0, id.indexOf('/'));
  if (reservedAuthors.has(author)) yield ['id', `has an author that is reserved: ${author}`];
  if (valid(version) !== version) yield ['version', 'must be a version such as 1.2.0'];
  if (validRange(sdk) === null) yield ['sdk', 'must be a range of versions such as ^0.1.0'];
  if (!/\.m?js$/.test(main)) yield ['main', 'must be a .js or .mjs file'];
  if (!Object.hasOwn(files, main)) yield ['main', 'must be one of the files'];
  for (const name of [manifestFile, signatureFile]) {
    if (Object.hasOwn(files, name)) yield [`files.${name}`, 'is not listed: it has the hashes, or signs them'];
  }
  if (settings !== undefined) yield* settingsFaults(settings, 'settings');
  for (const [index, host] of (permissions?.fetch ?? []).entries()) {
    const fault = hostFault(host);
    if (fault !== null) yield [`permissions.fetch[${index}]`, fault];
  }
  for (const name of ['fetch', 'models', 'knowledge', 'conversation'] as const) {
    const list: readonly string[] = permissions?.[name] ?? [];
    if (new Set(list).size !== list.length) yield [`permissions.${name}`, 'has an entry twice'];
  }
  yield* contributionFaults(contributes, files);
}

function* contributionFaults(contributes: PluginContributions, files: PluginManifest['files']): Generator<Fault> {
  const {
    tools = [],
    commands = [],
    listeners = [],
    engines = [],
    runners = [],
    pages = [],
    schedules = [],
  } = contributes;
  const namesOf = (list: readonly { name: string }[]) => list.map(({ name }) => name);
  yield* repeated('tools', namesOf(tools));
  const commandNames = commands.flatMap(({ name, aliases = [] }) => [name, ...aliases]);
  yield* repeated('commands', commandNames);
  const points = listeners.map(({ point }) => point);
  yield* repeated('listeners', points);
  yield* repeated('runners', namesOf(runners));
  yield* repeated('pages', namesOf(pages));
  yield* repeated('schedules', namesOf(schedules));
  for (const [index, { parameters }] of tools.entries()) {
    const fault = parameters.type === 'object' ? schemaFault(parameters) : 'must be of the type object';
    if (fault !== null) yield [`contributes.tools[${index}].parameters`, fault];
  }
  for (const [index, { name, aliases = [] }] of commands.entries()) {
    const wrong = [name, ...aliases].find((each) => !isCommandName(each));
    if (wrong !== undefined)
      yield [`contributes.commands[${index}]`, `has a name that is not one word in lower case: ${wrong}`];
  }
  for (const [index, { creation_schema, retrieval_schema }] of engines.entries()) {
    const place = `contributes.engines[${index}]`;
    yield* settingsFaults(creation_schema, `${place}.creation_schema`);
    yield* settingsFaults(retrieval_schema, `${place}.retrieval_schema`);
    if (retrieval_schema.properties.top_k?.type !== 'integer') {
      yield [`${place}.retrieval_schema.properties`, 'must have the integer top_k'];
    }
  }
  for (const [index, { config }] of runners.entries()) {
    if (config !== undefined) yield* settingsFaults(config, `contributes.runners[${index}].config`);
  }
  for (const [index, { path }] of pages.entries()) {
    if (!/^.+\/.+\.html$/.test(path)) yield [`contributes.pages[${index}].path`, 'must be a .html file in a folder'];
    else if (!Object.hasOwn(files, path)) yield [`contributes.pages[${index}].path`, 'must be one of the files'];
  }
  for (const [index, { cron, time_zone = 'UTC' }] of schedules.entries()) {
    const fault = cronFault(cron);
    if (fault !== null) yield [`contributes.schedules[${index}].cron`, fault];
    if (!isTimeZone(time_zone)) yield [`contributes.schedules[${index}].time_zone`, 'is not a time zone'];
  }
}

function* settingsFaults({ properties }: PluginSettings, place: string): Generator<Fault> {
  for (const [name, field] of Object.entries(properties)) {
    const at = `${place}.properties.${name}`;
    if (field.type === 'array' && field.items === undefined) yield [at, 'must say what its items are'];
    if (!Check(field, field.default)) yield [`${at}.default`, 'must be a value of the field'];
    if ((field['x-secret'] || field['x-address']) && (field.type !== 'string' || field.default !== '')) {
      yield [at, 'must be a text with an empty default, as it is a secret or an address'];
    }
    const condition = field['x-show-if']?.field;
    if (condition !== undefined && !Object.hasOwn(properties, condition)) {
      yield [`${at}.x-show-if`, 'must name another field'];
    }
  }
}

function* repeated(kind: string, names: readonly string[]): Generator<Fault> {
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) yield [`contributes.${kind}`, `has ${twice} twice`];
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).format(0) !== '';
  } catch {
    return false;
  }
}
