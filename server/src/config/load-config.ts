import { dirname, resolve } from 'node:path';
import { Check, Errors } from 'typebox/value';
import { closestName } from './closest-name.ts';
import {
  type Config,
  type ConfigField,
  configFields,
  configSchema,
  describeSetting,
  environmentName,
  fileKey,
} from './config.ts';
import { ConfigError } from './config-error.ts';
import { readConfigFile } from './read-config-file.ts';
import { settingConflicts } from './setting-conflicts.ts';

/** Names the file with settings when it is not `parley.yaml` in the working directory. */
const configFileVariable = 'PARLEY_CONFIG_FILE';
/** Named like settings, but read by the command line alone; they may stay set when the service is started. */
const commandLineVariables = new Set(['PARLEY_API_KEY']);

export interface LoadConfigOptions {
  /** Variables of the process. An empty value counts as not set. */
  environment: Readonly<Record<string, string | undefined>>;
  /** Folder that relative paths start from and where `parley.yaml` is looked for. */
  workingDirectory: string;
}

/** Source of the value of a setting. */
export type ConfigSource = 'default' | 'file' | 'environment';

/** Source of the value of each setting. */
export type ConfigSources = Readonly<Record<ConfigField, ConfigSource>>;

/** The settings and the source of each. */
export interface LoadedConfig {
  config: Config;
  sources: ConfigSources;
}

/** The source as it is named in messages. */
interface Origin {
  value: unknown;
  name: string;
  source: ConfigSource;
}

/**
 * Loads the settings: the environment wins over the file, the file over the defaults.
 * @throws ConfigError that lists every error
 */
export function loadConfig(options: LoadConfigOptions): Config {
  return loadConfigWithSources(options).config;
}

/**
 * Like {@link loadConfig}, with the sources of the values.
 * @throws ConfigError that lists every error
 */
export function loadConfigWithSources({ environment, workingDirectory }: LoadConfigOptions): LoadedConfig {
  const faults: string[] = [];
  const fromFile = fileOrigins(environment, workingDirectory, faults);
  const fromEnvironment = environmentOrigins(environment, faults);
  const values: Partial<Record<ConfigField, unknown>> = {};
  const sources: Partial<Record<ConfigField, ConfigSource>> = {};
  for (const field of configFields) {
    const origin = fromEnvironment.get(field) ?? fromFile.get(field);
    const fault = origin === undefined ? null : faultOf(field, origin);
    if (fault !== null) faults.push(fault);
    values[field] = origin === undefined ? describeSetting(field).default : origin.value;
    sources[field] = origin?.source ?? 'default';
  }
  if (faults.length > 0) throw new ConfigError(faults);
  const settingsDirectory = dirname(resolve(workingDirectory, configFileOf(environment)));
  const config = normalise({ ...(values as Config), settingsDirectory }, workingDirectory);
  const conflicts = settingConflicts(config);
  if (conflicts.length > 0) throw new ConfigError(conflicts);
  return {
    config,
    sources: sources as Record<ConfigField, ConfigSource>,
  };
}

function environmentOrigins(environment: LoadConfigOptions['environment'], faults: string[]): Map<ConfigField, Origin> {
  const fields = new Map(configFields.map((field) => [environmentName(field), field]));
  const origins = new Map<ConfigField, Origin>();
  for (const [name, text] of Object.entries(environment)) {
    if (!name.startsWith('PARLEY_') || name === configFileVariable || text === undefined || text === '') continue;
    if (commandLineVariables.has(name)) continue;
    const field = fields.get(name);
    if (field === undefined) {
      faults.push(`${name} is not a setting${suggestion(name, [...fields.keys(), configFileVariable])}`);
    } else {
      origins.set(field, { value: parseText(field, text), name, source: 'environment' });
    }
  }
  return origins;
}

function fileOrigins(
  environment: LoadConfigOptions['environment'],
  workingDirectory: string,
  faults: string[],
): Map<ConfigField, Origin> {
  const label = configFileOf(environment);
  const path = resolve(workingDirectory, label);
  const content = readConfigFile({ path, label, required: Boolean(environment[configFileVariable]) }, faults);
  const fields = new Map(configFields.map((field) => [fileKey(field), field]));
  const origins = new Map<ConfigField, Origin>();
  for (const [key, value] of Object.entries(content)) {
    const field = fields.get(key);
    if (field === undefined) {
      faults.push(`${label}: ${key} is not a setting${suggestion(key, [...fields.keys()])}`);
    } else if (value !== null) {
      origins.set(field, { value, name: `${label}: ${key}`, source: 'file' });
    }
  }
  return origins;
}

/** The path of the file with settings. */
function configFileOf(environment: LoadConfigOptions['environment']): string {
  return environment[configFileVariable] || 'parley.yaml';
}

/** Converts a variable's text to the type of its setting; text that does not convert is returned unchanged. */
function parseText(field: ConfigField, text: string): unknown {
  switch (describeSetting(field).kind) {
    case 'integer':
      return /^-?\d{1,15}$/.test(text) ? Number(text) : text;
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : text;
    case 'list':
      return text
        .split(',')
        .map((item) => item.trim())
        .filter((item) => item !== '');
    case 'text':
      return text;
  }
}

function faultOf(field: ConfigField, { value, name }: Origin): string | null {
  const schema = configSchema.properties[field];
  if (Check(schema, value)) return null;
  const { expects, kind } = describeSetting(field);
  const hint =
    kind === 'text' && (typeof value === 'number' || typeof value === 'boolean') ? '; put the value in quotes' : '';
  return `${name} must be ${expects}${shown(field, offendingPart(field, value))}${hint}`;
}

/** The wrong item of a list rather than all of it. */
function offendingPart(field: ConfigField, value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  const path = Errors(configSchema.properties[field], value)[0]?.instancePath ?? '';
  return path === '' ? value : value[Number(path.split('/')[1])];
}

/** Quotes a wrong value, unless it is a secret or an address that may carry one. */
function shown(field: ConfigField, value: unknown): string {
  const text = JSON.stringify(value);
  if (describeSetting(field).secret || text.includes('@')) return '';
  return `, not ${text.length > 80 ? `${text.slice(0, 80)}…` : text}`;
}

function suggestion(name: string, known: readonly string[]): string {
  const closest = closestName(name, known);
  return closest === undefined ? '' : `; did you mean ${closest}?`;
}

function normalise(config: Config, workingDirectory: string): Config {
  return Object.freeze({
    ...config,
    dataDir: resolve(workingDirectory, config.dataDir),
    filesFolder: config.filesFolder === null ? null : resolve(workingDirectory, config.filesFolder),
    publicUrl: config.publicUrl === null ? null : new URL(config.publicUrl).href.replace(/\/+$/, ''),
    trustedProxies: Object.freeze([...config.trustedProxies]),
    corsOrigins: Object.freeze([...config.corsOrigins]),
    commandPrefixes: Object.freeze([...config.commandPrefixes]),
    commandPrivileges: Object.freeze([...config.commandPrivileges]),
    admins: Object.freeze([...config.admins]),
    extensions: Object.freeze([...config.extensions]),
    pluginHosts: Object.freeze([...config.pluginHosts]),
  });
}
