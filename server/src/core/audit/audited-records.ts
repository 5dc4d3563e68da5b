import { ParleyError, type Platform } from '@parley/sdk';
import { isMasked } from '../../lib/mask.ts';
import type { Registry } from '../../lib/registry.ts';
import type { StoredConfig } from '../pipelines/pipeline-config.ts';
import type { PipelineSchema } from '../pipelines/pipeline-schema.ts';
import { withoutSecrets } from '../secrets/secret-fields.ts';

/** A record as reading it shows it. */
type Shown = Record<string, unknown>;

/** Reads a record; returns null or throws ParleyError `not_found` when there is none. */
export type ReadRecord = (id: string) => Promise<object | null>;

/** What happened to a record, without its secrets. */
export interface RecordedChange {
  changed: string[];
  before: Shown | null;
  after: Shown | null;
}

/** Placeholder for a secret. Masks are not stored: they show how a secret starts and ends. */
const secretWord = '(secret)';

/** Fields that change without a user changing the record, or that belong to another record. */
const ignoredFields: readonly string[] = [
  'updated_at',
  'last_used_at',
  'llm_count',
  'embedding_count',
  'rerank_count',
  'adapter_runtime_values',
  'runtime_info',
  'use_pipeline_name',
  'account_name',
  'account_role',
  'api_key_count',
  'last_signed_in_at',
  'provider',
  'document_count',
  'chunk_count',
  'missing_count',
  'done',
  'total',
];

/** Largest record that is stored completely, characters of JSON. */
const largestRecord = 262_144;

/** Where the secret fields of records are declared. Without them, whatever looks masked is hidden. */
export interface AuditedExtensions {
  readonly platforms?: Registry<Platform>;
  readonly pipelineSchema?: PipelineSchema;
}

/** How records look in the audit log. */
export class AuditedRecords {
  readonly #readers: ReadonlyMap<string, ReadRecord>;
  readonly #extensions: AuditedExtensions;

  /** @param readers by kind of record; for other kinds, only the action is stored */
  constructor(readers: Readonly<Record<string, ReadRecord>>, extensions: AuditedExtensions = {}) {
    this.#extensions = extensions;
    this.#readers = new Map(Object.entries(readers));
  }

  /** A record as a read shows it; null when there is none or its kind is unknown. */
  async read(kind: string, id: string): Promise<object | null> {
    const read = this.#readers.get(kind);
    if (read === undefined || id === '') return null;
    try {
      return await read(id);
    } catch (error) {
      if (error instanceof ParleyError && error.reason === 'not_found') return null;
      throw error;
    }
  }

  /**
   * Compares what {@link read} gave before and after a change. A secret that was replaced by another with the same mask
   * is not seen to have changed.
   */
  describe(kind: string, before: object | null, after: object | null): RecordedChange {
    const [old, young] = [before, after].map((record) => (record === null ? null : withoutIgnored(record)));
    const changed = old == null || young == null ? [] : changedPaths(old, young);
    return { changed, before: this.#stored(kind, old), after: this.#stored(kind, young) };
  }

  #stored(kind: string, record: Shown | null | undefined): Shown | null {
    if (record == null) return null;
    const redacted = this.#hidden(kind, record);
    return JSON.stringify(redacted).length > largestRecord
      ? { omitted: 'The record is too large to be stored here.' }
      : redacted;
  }

  #hidden(kind: string, record: Shown): Shown {
    switch (kind) {
      case 'provider':
        return { ...record, api_keys: listOf(record.api_keys).map(() => secretWord) };
      case 'api-key':
        return { ...record, key: secretWord };
      case 'webhook':
        return 'secret' in record ? { ...record, secret: secretWord } : record;
      case 'pipeline': {
        const config = objectOf(record.config) as StoredConfig;
        const schema = this.#extensions.pipelineSchema?.of(config);
        return { ...record, config: schema ? withoutSecrets(schema, config, secretWord) : withoutMasks(config) };
      }
      case 'bot': {
        const schema = this.#extensions.platforms?.get(String(record.adapter))?.config;
        const config = objectOf(record.adapter_config);
        // The secret fields of an adapter that is not installed are unknown.
        const hidden = schema === undefined ? withoutMasks(config) : withoutSecrets(schema, config, secretWord);
        return { ...record, adapter_config: hidden };
      }
      case 'mcp-server':
        // Every value that is masked is a secret.
        return { ...record, extra_args: withoutMasks(objectOf(record.extra_args)) };
      case 'plugin':
        return { ...record, settings: withoutMasks(objectOf(record.settings)) };
      case 'knowledge-base':
      case 'collection': {
        const { creation_settings: creation, retrieval_settings: retrieval } = record;
        return {
          ...record,
          ...(creation === undefined ? {} : { creation_settings: withoutMasks(creation) }),
          ...(retrieval === undefined ? {} : { retrieval_settings: withoutMasks(retrieval) }),
        };
      }
      default:
        return record;
    }
  }
}

function withoutIgnored(record: object): Shown {
  return Object.fromEntries(Object.entries(record).filter(([field]) => !ignoredFields.includes(field)));
}

/** The dotted paths where two values differ. A list counts as a whole. */
function changedPaths(before: Shown, after: Shown, prefix = ''): string[] {
  const fields = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...fields].flatMap((field) => {
    const [old, young] = [before[field], after[field]];
    const path = `${prefix}${field}`;
    if (isObject(old) && isObject(young)) return changedPaths(old, young, `${path}.`);
    return JSON.stringify(old) === JSON.stringify(young) ? [] : [path];
  });
}

function withoutMasks(value: unknown): unknown {
  if (typeof value === 'string') return isMasked(value) ? secretWord : value;
  if (Array.isArray(value)) return value.map(withoutMasks);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([field, inner]) => [field, withoutMasks(inner)]));
}

function isObject(value: unknown): value is Shown {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function objectOf(value: unknown): object {
  return isObject(value) ? value : {};
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
