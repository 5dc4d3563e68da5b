import type { FieldPresentation } from '@parley/sdk';
import type { TObject, TSchema } from 'typebox';
import { readText } from '../forms/typed-values.ts';

/** An object of a configuration that was not validated yet. */
type Fields = Record<string, unknown>;
type Described = TSchema &
  FieldPresentation & { type?: string; properties?: TObject['properties']; minimum?: number; maximum?: number };

/** The reference system's value for no knowledge base, in fields for a single one. */
const noKnowledgeBase = '__none__';

/**
 * Converts a configuration of the reference system to the current schema: names, older forms of fields, and numbers and
 * booleans that are written as texts. Unknown values stay unchanged.
 * @param schema of the whole configuration
 * @param partial a configuration or parts of one, not validated; not modified
 * @param sharedGroup the group of `ai` with the settings that all runners share
 */
export function normalizeReferenceConfig(schema: TObject, partial: Fields, sharedGroup: string): Fields {
  const config = changeGroup(partial, 'ai', sharedGroup, withKnowledgeBases);
  return normalized(schema as Described, config) as Fields;
}

/** Goes no deeper than the schema. */
function normalized(schema: Described, value: unknown): unknown {
  if (schema['x-form'] === 'model-fallback-selector' && typeof value === 'string') {
    // A model alone, from before there were others to fall back on.
    return { primary: value, fallbacks: [] };
  }
  if (typeof value === 'string') return clamped(schema, readText(schema.type, value));
  if (typeof value === 'number') return clamped(schema, value);
  const { properties } = schema;
  if (properties === undefined || !isFields(value)) return value;
  return Object.fromEntries(
    Object.entries(withRightNames(properties, value)).map(([name, field]) => {
      const inner = Object.hasOwn(properties, name) ? (properties[name] as Described) : undefined;
      return [name, inner === undefined ? field : normalized(inner, field)];
    }),
  );
}

/** Renames fields that are written under their other name. */
function withRightNames(properties: TObject['properties'], fields: Fields): Fields {
  let renamed = fields;
  for (const [name, { 'x-alias': alias }] of Object.entries(properties as Record<string, FieldPresentation>)) {
    if (alias === undefined || !Object.hasOwn(renamed, alias.name)) continue;
    const { [alias.name]: value, ...rest } = renamed;
    renamed = Object.hasOwn(rest, name) && !alias.wins ? rest : { ...rest, [name]: value };
  }
  return renamed;
}

/** The reference system accepts some numbers beyond their limits, and acts on the nearest that it allows. */
function clamped({ 'x-clamp': isClamped, minimum, maximum }: Described, value: unknown): unknown {
  if (isClamped !== true || typeof value !== 'number') return value;
  return Math.min(Math.max(value, minimum ?? value), maximum ?? value);
}

/** One knowledge base, from before there could be several. */
function withKnowledgeBases(fields: Fields): Fields {
  const { 'knowledge-base': one, ...rest } = fields;
  if (typeof one !== 'string') return fields;
  const { 'knowledge-bases': several = [] } = rest;
  if (one === '' || one === noKnowledgeBase || !isEmptyList(several)) return rest;
  return { ...rest, 'knowledge-bases': [one] };
}

function changeGroup(config: Fields, tab: string, group: string, change: (fields: Fields) => Fields): Fields {
  const groups = Object.hasOwn(config, tab) ? config[tab] : undefined;
  if (!isFields(groups) || !Object.hasOwn(groups, group)) return config;
  const fields = groups[group];
  return isFields(fields) ? { ...config, [tab]: { ...groups, [group]: change(fields) } } : config;
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}
