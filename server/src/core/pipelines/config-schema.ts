import { Address, PipelineConfig, Secret } from '@parley/sdk';
import Type, { type TObject, type TSchema } from 'typebox';

/** Names of secret fields in groups without a schema. */
const secretName = /(key|token|secret|password|passwd|credentials?|authorization)$/i;
/** Objects inside of such a group that are looked through for secrets. */
const deepest = 8;

/**
 * The schema of one configuration. Groups of runners that are not installed have no schema, so one is derived from
 * their content: texts with secret-like names are secrets, and addresses are where secrets are sent.
 */
export function schemaOfConfig(config: object): TObject {
  const ai = PipelineConfig.properties.ai as TObject;
  const groups = (config as { ai?: object }).ai ?? {};
  const unknown = Object.entries(groups).filter(([name]) => !Object.hasOwn(ai.properties, name) && isPath(name));
  if (unknown.length === 0) return PipelineConfig;
  const made = unknown.flatMap(([name, group]) => (isObject(group) ? [[name, schemaOf(group, deepest)] as const] : []));
  const properties = { ...ai.properties, ...Object.fromEntries(made) };
  return Type.Object({ ...PipelineConfig.properties, ai: Type.Object(properties) });
}

function schemaOf(group: Record<string, unknown>, depth: number): TObject {
  const fields: Record<string, TSchema> = {};
  for (const [name, value] of Object.entries(group)) {
    if (!isPath(name)) continue;
    if (isObject(value) && depth > 0) fields[name] = schemaOf(value, depth - 1);
    if (typeof value !== 'string') continue;
    if (secretName.test(name)) fields[name] = Secret();
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
