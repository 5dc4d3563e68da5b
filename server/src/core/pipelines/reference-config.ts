import { PipelineConfig } from '@parley/sdk';
import type { TObject, TSchema } from 'typebox';

/** An object of a configuration that was not validated yet. */
type Fields = Record<string, unknown>;

/** A field that the reference system writes or reads under another name than its forms have. */
interface Misnamed {
  group: string;
  other: string;
  right: string;
  /** Precedence of the two if both are given, as in the reference system. */
  counts: 'other' | 'right';
}

const misnamed: readonly Misnamed[] = [
  { group: 'dashscope-app-api', other: 'references-quote', right: 'references_quote', counts: 'right' },
  { group: 'langflow-api', other: 'input_type', right: 'input-type', counts: 'other' },
  { group: 'langflow-api', other: 'output_type', right: 'output-type', counts: 'other' },
  { group: 'coze-api', other: 'auto_save_history', right: 'auto-save-history', counts: 'other' },
];

/** The reference system's value for no knowledge base, in fields for a single one. */
const noKnowledgeBase = '__none__';

const truths: Record<string, boolean> = {
  true: true,
  yes: true,
  on: true,
  '1': true,
  false: false,
  no: false,
  off: false,
  '0': false,
};

/**
 * Converts a configuration of the reference system to the current schema: names, older forms of fields, and numbers and
 * booleans that are written as texts. Unknown values stay unchanged.
 * @param partial a configuration or parts of one, not validated; not modified
 */
export function normalizeReferenceConfig(partial: Fields): Fields {
  let config = partial;
  for (const { group, other, right, counts } of misnamed) {
    config = changeGroup(config, 'ai', group, (fields) => rename(fields, other, right, counts));
  }
  config = changeGroup(config, 'ai', 'local-agent', (fields) => withKnowledgeBases(withModel(fields)));
  config = readTexts(PipelineConfig, config) as Fields;
  return changeGroup(config, 'trigger', 'message-aggregation', withDelay);
}

function rename(fields: Fields, other: string, right: string, counts: Misnamed['counts']): Fields {
  if (!Object.hasOwn(fields, other)) return fields;
  const { [other]: value, ...rest } = fields;
  return counts === 'right' && Object.hasOwn(rest, right) ? rest : { ...rest, [right]: value };
}

/** A model alone, from before there were others to fall back on. */
function withModel(fields: Fields): Fields {
  if (typeof fields.model !== 'string') return fields;
  return { ...fields, model: { primary: fields.model, fallbacks: [] } };
}

/** One knowledge base, from before there could be several. */
function withKnowledgeBases(fields: Fields): Fields {
  const { 'knowledge-base': one, ...rest } = fields;
  if (typeof one !== 'string') return fields;
  const { 'knowledge-bases': several = [] } = rest;
  if (one === '' || one === noKnowledgeBase || !isEmptyList(several)) return rest;
  return { ...rest, 'knowledge-bases': [one] };
}

/** The reference system takes any delay and acts on the nearest that it allows. */
function withDelay(fields: Fields): Fields {
  const { delay } = fields;
  return typeof delay === 'number' ? { ...fields, delay: Math.min(Math.max(delay, 1), 10) } : fields;
}

function changeGroup(config: Fields, tab: string, group: string, change: (fields: Fields) => Fields): Fields {
  const groups = Object.hasOwn(config, tab) ? config[tab] : undefined;
  if (!isFields(groups) || !Object.hasOwn(groups, group)) return config;
  const fields = groups[group];
  return isFields(fields) ? { ...config, [tab]: { ...groups, [group]: change(fields) } } : config;
}

/** Reads numbers and truth values from texts, where the schema has such. Goes no deeper than the schema. */
function readTexts(schema: TSchema, value: unknown): unknown {
  const { type, properties } = schema as { type?: string; properties?: TObject['properties'] };
  if (typeof value === 'string') return readText(type, value);
  if (properties === undefined || !isFields(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => {
      const inner = Object.hasOwn(properties, name) ? properties[name] : undefined;
      return [name, inner === undefined ? field : readTexts(inner, field)];
    }),
  );
}

const numbers: Record<string, RegExp> = {
  integer: /^[+-]?\d+$/,
  number: /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i,
};

function readText(type: string | undefined, text: string): unknown {
  const word = text.trim().toLowerCase();
  if (type === 'boolean') return Object.hasOwn(truths, word) ? truths[word] : text;
  const isNumber = type !== undefined && numbers[type]?.test(word) && Number.isFinite(Number(word));
  return isNumber ? Number(word) : text;
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}
