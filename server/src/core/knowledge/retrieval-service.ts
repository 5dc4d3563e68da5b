import {
  invalidFields,
  type KnowledgeAnswer,
  type KnowledgePassage,
  type Logger,
  ParleyError,
  problemError,
  type RetrievedPassage,
  type RetrieveRequest,
} from '@parley/sdk';
import type { InFlight } from '../../lib/in-flight.ts';
import { isUuid } from '../../lib/uuid.ts';
import type { BaseSettings } from './base-settings.ts';
import type { CollectionStore } from './collection-store.ts';
import type { StoredCollection, StoredKnowledgeBase } from './knowledge-base.ts';
import type { KnowledgeBaseStore } from './knowledge-base-store.ts';
import type { KnowledgeEngines } from './knowledge-engines.ts';
import { readFilters } from './retrieval-filters.ts';

export interface RetrieveOptions {
  /** Merged over those of the base; may contain `filters` as well. */
  retrieval_settings?: Record<string, unknown> | undefined;
  /** A flat object; a bare value is `$eq`: `{"page": {"$gte": 3}, "lang": "en"}`. In place of those in the settings. */
  filters?: unknown;
  /** Another collection than the one that is searched. */
  collection_id?: string | undefined;
  signal: AbortSignal;
  asked_by?: RetrieveRequest['asked_by'];
}

export interface RetrievalServiceOptions {
  bases: Pick<KnowledgeBaseStore, 'byUuid'>;
  collections: Pick<CollectionStore, 'byId'>;
  engines: Pick<KnowledgeEngines, 'engine' | 'retrieve'>;
  settings: BaseSettings;
  /** Searches in progress, by base; their collections are not removed meanwhile. */
  inFlight: InFlight;
  logger: Logger;
  /** Longest that a base is waited for, milliseconds. Default 30 s. */
  timeoutMs?: number;
}

const defaultTimeout = 30_000;
const maximumQuery = 20_000;
/** Dampens the weight of the first ranks; the value of the literature. */
const rankConstant = 60;

/** Asks knowledge bases. */
export class RetrievalService {
  readonly #options: RetrievalServiceOptions;

  constructor(options: RetrievalServiceOptions) {
    this.#options = options;
  }

  /**
   * Passages of one base, best first.
   * @throws ParleyError `not_found`, `invalid_request` for the question, settings or filters, `time_limit`, or why the
   *   engine failed
   */
  async retrieve(baseUuid: string, query: string, options: RetrieveOptions): Promise<RetrievedPassage[]> {
    const answer = isUuid(baseUuid) ? await this.#retrieve(baseUuid.toLowerCase(), query, options) : null;
    if (answer === null) throw problemError('knowledge_base_not_found');
    return answer.passages;
  }

  /**
   * Passages of several bases, joined by their ranks. Bases that are gone are passed over.
   * @throws the signal's reason when it is aborted
   */
  async ask(
    baseUuids: readonly string[],
    question: string,
    options: Pick<RetrieveOptions, 'signal' | 'asked_by'>,
  ): Promise<KnowledgeAnswer> {
    const known = [...new Set(baseUuids.filter(isUuid).map((uuid) => uuid.toLowerCase()))];
    const failures: KnowledgeAnswer['failures'] = [];
    const lists = await Promise.all(
      known.map(async (uuid): Promise<KnowledgePassage[]> => {
        try {
          const answer = await this.#retrieve(uuid, question.slice(0, maximumQuery), options);
          if (answer === null) return [];
          const origin = { knowledge_base_uuid: uuid, knowledge_base_name: answer.base.name };
          return answer.passages.map((passage) => ({ ...passage, ...origin }));
        } catch (error) {
          if (!(error instanceof ParleyError) && !options.signal.aborted) {
            this.#options.logger.error({ knowledge_base: uuid, error }, 'failed to search a knowledge base');
          }
          const { reason, message } = error instanceof ParleyError ? error : unexpected;
          failures.push({ knowledge_base_uuid: uuid, reason, error: message });
          return [];
        }
      }),
    );
    options.signal.throwIfAborted();
    return { passages: joinedByRank(lists), failures };
  }

  /** @returns null when there is no such base */
  #retrieve(
    baseUuid: string,
    query: string,
    options: RetrieveOptions,
  ): Promise<{ base: StoredKnowledgeBase; passages: RetrievedPassage[] } | null> {
    // Registered before the base is read, so that the collection that it names is not removed meanwhile.
    return this.#options.inFlight.run(baseUuid, async () => {
      const base = await this.#options.bases.byUuid(baseUuid);
      if (base === null) return null;
      if (query.trim() === '' || query.length > maximumQuery) {
        const fault =
          query.trim() === ''
            ? { message: 'is required and cannot be empty', rule: 'required' }
            : { message: `is longer than ${maximumQuery} characters`, rule: 'maxLength', limit: maximumQuery };
        throw invalidFields([{ path: 'query', ...fault }]);
      }
      const collection = await this.#collection(base, options.collection_id ?? base.collection_id);
      const engine = this.#options.engines.engine(collection);
      const { settings, filters } = this.#options.settings.retrieval(engine, base, options.retrieval_settings ?? {});
      const request = {
        query,
        settings,
        filters: options.filters === undefined ? filters : readFilters(options.filters, 'filters'),
        ...(options.asked_by === undefined ? {} : { asked_by: options.asked_by }),
      };
      const passages = await this.#inTime(options.signal, (signal) =>
        this.#options.engines.retrieve(collection, { ...request, signal }),
      );
      return { base, passages: passages.slice(0, settings.top_k) };
    });
  }

  async #collection(base: StoredKnowledgeBase, collectionId: string): Promise<StoredCollection> {
    const collection = await this.#options.collections.byId(collectionId);
    const isThere = collection?.knowledge_base_uuid === base.uuid && isSearchable(collection, base);
    if (collection === null || !isThere) throw problemError('collection_not_found');
    return collection;
  }

  async #inTime<Result>(signal: AbortSignal, work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    const milliseconds = this.#options.timeoutMs ?? defaultTimeout;
    const late = problemError('engine_too_slow', { seconds: String(milliseconds / 1000) });
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(late), milliseconds);
    try {
      return await work(AbortSignal.any([signal, limit.signal]));
    } catch (error) {
      signal.throwIfAborted();
      limit.signal.throwIfAborted();
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }
}

const unexpected = { reason: 'internal', message: 'An unexpected fault' } as const;

/** A query that read its base before another collection replaced the active one still searches the old one. */
function isSearchable({ collection_id, state }: StoredCollection, base: StoredKnowledgeBase): boolean {
  return state !== 'dropping' || collection_id === base.collection_id;
}

/** Best first by reciprocal rank: scores of different bases cannot be compared. */
function joinedByRank(lists: readonly KnowledgePassage[][]): KnowledgePassage[] {
  return lists
    .flatMap((list) => list.map((passage, index) => ({ passage, weight: 1 / (rankConstant + index + 1) })))
    .sort((left, right) => right.weight - left.weight)
    .map(({ passage }) => passage);
}
