import { Address, Secret } from '@parley/sdk';
import Type, { type TObject, type TSchema } from 'typebox';
import { type StoredConfig, type TabName, tabNames } from './pipeline-config.ts';

/** Names of secret fields in groups without a schema. */
const secretName = /(key|token|secret|password|passwd|credentials?|authorization)$/i;
/** Objects inside of such a group that are looked through for secrets. */
const deepest = 8;

/**
 * The schema of one configuration. Groups of extensions that are not installed have no schema, so one is derived from
 * their content: texts with secret-like names are secrets, as are those that are stored as such, and addresses are
 * where secrets are sent.
 * @param schema of the installed extensions
 * @param secrets paths of fields whose values are stored as secrets: `ai.other.key`
 */
export function withUnknownGroups(schema: TObject, config: StoredConfig, secrets: readonly string[]): TObject {
  const known = schema.properties as Record<string, TObject>;
  const tabs: Record<string, TObject> = {};
  for (const tab of tabNames) {
    const unknown = Object.entries(unknownGroups(schema, config, tab)).filter(([name]) => isPath(name));
    if (unknown.length === 0) continue;
    const derived = unknown.map(([name, group]) => [
      name,
      schemaOf(group, `${tab}.${name}`, new Set(secrets), deepest),
    ]);
    tabs[tab] = Type.Object({ ...known[tab]?.properties, ...Object.fromEntries(derived) });
  }
  return Object.keys(tabs).length === 0 ? schema : Type.Object({ ...known, ...tabs });
}

/** The groups of a tab that have no schema. */
export function unknownGroups(schema: TObject, config: StoredConfig, tab: TabName): StoredConfig[TabName] {
  const { properties } = (schema.properties as Record<TabName, TObject>)[tab];
  return Object.fromEntries(
    Object.entries(config[tab] ?? {}).filter(([name, group]) => !Object.hasOwn(properties, name) && isObject(group)),
  );
}

/** The schema, which also allows the groups without a schema that a stored configuration has. */
export function withGroupsOf(schema: TObject, stored: StoredConfig): TObject {
  const anything = Type.Object({}, { additionalProperties: true });
  const tabs = Object.entries(schema.properties as Record<TabName, TObject>).map(
    ([tab, { properties, ...options }]) => {
      const names = Object.keys(unknownGroups(schema, stored, tab as TabName));
      const { type: _type, required: _required, ...rest } = options as Record<string, unknown>;
      const groups = Object.fromEntries(names.map((name) => [name, Type.Optional(anything)]));
      return [tab, Type.Object({ ...properties, ...groups }, rest)] as const;
    },
  );
  return Type.Object(Object.fromEntries(tabs), { additionalProperties: false });
}

function schemaOf(group: Record<string, unknown>, path: string, secrets: ReadonlySet<string>, depth: number): TObject {
  const fields: Record<string, TSchema> = {};
  for (const [name, value] of Object.entries(group)) {
    if (!isPath(name)) continue;
    const place = `${path}.${name}`;
    if (isObject(value) && depth > 0) fields[name] = schemaOf(value, place, secrets, depth - 1);
    if (typeof value !== 'string') continue;
    if (secretName.test(name) || secrets.has(place)) fields[name] = Secret();
    else if (URL.parse(value)?.host) fields[name] = Address();
  }
  return Type.Object(fields);
}

/** Fields are identified by dotted paths, so one with a dot in its name has none. */
function isPath(name: string): boolean {
  return !name.includes('.');
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
