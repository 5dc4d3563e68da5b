import {
  type Collection,
  type IngestRequest,
  type KnowledgeEngine,
  ParleyError,
  problemError,
  type RetrievedPassage,
  type RetrieveRequest,
} from '@parley/sdk';
import type { InternalEngineContext } from '@parley/sdk/internal';
import { untilAborted } from '../../lib/waiting.ts';
import type { FetchFor } from '../addresses/fetch-for.ts';
import type { BaseSettings } from './base-settings.ts';
import type { EngineCatalog } from './engine-catalog.ts';
import type { StoredCollection } from './knowledge-base.ts';

export type KnowledgeEnginesOptions = Omit<InternalEngineContext, 'fetch'> & { fetchFor: FetchFor };

/**
 * Calls the engines of collections. Every method throws ParleyError `engine_not_found` for a removed engine, and
 * `engine_failed` for any other error than a ParleyError, which is logged.
 */
export class KnowledgeEngines {
  readonly #catalog: EngineCatalog;
  readonly #settings: BaseSettings;
  readonly #options: KnowledgeEnginesOptions;
  /** Collections that were prepared since the start. */
  readonly #opened = new Set<string>();

  constructor(catalog: EngineCatalog, settings: BaseSettings, options: KnowledgeEnginesOptions) {
    this.#catalog = catalog;
    this.#settings = settings;
    this.#options = options;
  }

  engine({ knowledge_engine_plugin_id: id }: Pick<StoredCollection, 'knowledge_engine_plugin_id'>): KnowledgeEngine {
    const engine = this.#catalog.find(id);
    if (engine === null) throw problemError('engine_not_installed', { engine: id });
    return engine;
  }

  async open(stored: StoredCollection): Promise<void> {
    if (this.#opened.has(stored.collection_id)) return;
    await this.#call(stored, (engine, collection, context) => engine.open(collection, context));
    this.#opened.add(stored.collection_id);
  }

  async drop(stored: StoredCollection): Promise<void> {
    this.#opened.delete(stored.collection_id);
    await this.#call(stored, (engine, collection, context) => engine.drop(collection, context));
  }

  async ingest(stored: StoredCollection, request: Omit<IngestRequest, 'collection'>): Promise<{ chunks: number }> {
    await this.open(stored);
    return this.#call(stored, (engine, collection, context) => {
      if (engine.ingest === undefined) throw noDocuments(engine);
      return engine.ingest({ ...request, collection }, context);
    });
  }

  async remove(stored: StoredCollection, documentUuid: string): Promise<void> {
    await this.#call(stored, async (engine, collection, context) => {
      await engine.remove?.(collection, documentUuid, context);
    });
  }

  /** Does not wait for an engine that does not heed the signal. */
  retrieve(stored: StoredCollection, request: Omit<RetrieveRequest, 'collection'>): Promise<RetrievedPassage[]> {
    return this.#call(stored, (engine, collection, context) =>
      untilAborted(engine.retrieve({ ...request, collection }, context), request.signal),
    );
  }

  async #call<Result>(
    stored: StoredCollection,
    call: (engine: KnowledgeEngine, collection: Collection, context: InternalEngineContext) => Promise<Result>,
  ): Promise<Result> {
    const engine = this.engine(stored);
    const { collection_id, knowledge_base_uuid } = stored;
    const { fetchFor, ...facilities } = this.#options;
    try {
      const settings = this.#settings.creation(engine, stored);
      const context = { ...facilities, fetch: fetchFor(stored.admin_addresses) };
      return await call(engine, { collection_id, knowledge_base_uuid, settings }, context);
    } catch (error) {
      if (error instanceof ParleyError || (error as Error)?.name === 'AbortError') throw error;
      facilities.logger.error({ engine: engine.plugin_id, collection_id, error }, 'a knowledge engine failed');
      throw new ParleyError('engine_failed', `The knowledge engine ${engine.plugin_id} failed`, { cause: error });
    }
  }
}

export function noDocuments({ plugin_id }: Pick<KnowledgeEngine, 'plugin_id'>): ParleyError {
  return problemError('takes_no_documents', { engine: plugin_id });
}
